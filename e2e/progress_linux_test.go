package e2e

import (
	"regexp"
	"testing"
)

// On a terminal a bar tells how far the search is, with the share that is done.
func TestProgressOnATerminal(t *testing.T) {
	t.Parallel()
	bar := regexp.MustCompile(`\[[=>-]+\] [1-9][\d,]* nodes, \S+( [kMG])?/s, (about )?\d+\.\d+ % done, .* left`)
	status, _, after := interruptAt(t, bar, "uts", "--tree", "T1WL", "-n", "2")
	if status != 3 {
		t.Errorf("status %d: %s", status, after)
	}
}
