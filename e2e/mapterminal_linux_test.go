package e2e

import (
	"regexp"
	"strings"
	"testing"
)

// drawn is the progress line of map on a terminal.
var drawn = regexp.MustCompile(`makespan [\d,]+, bound [\d,]+, gap \d+\.\d+ %, .* left`)

// On a terminal one line tells how good the best map is and how much time is left, and
// Ctrl-C ends the search with it.
func TestMapOnATerminal(t *testing.T) {
	t.Parallel()
	file := write(t, "objects.graph", []byte(objects(300, 900, 8)))
	for _, strategy := range []string{"auto", "bb"} {
		status, _, after := interruptAt(t, drawn, "map", file, "-p", "40", "--strategy", strategy, "--time", "10m", "-n", "2")
		if status != 3 || !strings.Contains(after, "ended: interrupted\n") || strings.Contains(after, "treesplit: makespan") {
			t.Errorf("%s: status %d:\n%s", strategy, status, after)
		}
	}
}
