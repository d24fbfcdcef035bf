package e2e

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var ended = regexp.MustCompile(`: (\d+) ranks: (\d+) runs: \d+ grants: idle \[(.*)\]: ok\n$`)

// Under each MPI, every scheme with every detector expands exactly the sequential W and
// answers rightly. The runs are made within one start of MPI: see
// run/internal/exactmpi. Reference: Kumar et al., sections 2, 4 and 5.
func TestExactUnderMPI(t *testing.T) {
	t.Parallel()
	inEachWorld(t, libraries, func(t *testing.T, l library) {
		suite := program(t, l, "treesplit/run/internal/exactmpi")
		idle := schemes(t) // under which no rank has ever given work to another
		for _, ranks := range []int{1, 2, 3, 4, 8} {
			t.Run(strconv.Itoa(ranks), func(t *testing.T) {
				// One of step runs is made; step divides neither the number of inputs nor of variants.
				step := "149"
				if testing.Short() || ranks == 4 {
					step = "307"
				}
				if ranks == 8 { // eight ranks on two cores take their time
					step = "613"
				}
				o := run(t, "", slices.Concat(l.launch(ranks), l.hasty(), []string{suite, step})...)
				m := ended.FindStringSubmatch(o.stdout)
				if o.status != 0 || m == nil || m[1] != strconv.Itoa(ranks) {
					t.Fatalf("status %d: %s%s", o.status, o.stdout, o.stderr)
				}
				t.Logf("%s runs in %v", m[2], o.took)
				if ranks > 1 {
					idle = slices.DeleteFunc(idle, func(s string) bool { return !slices.Contains(strings.Fields(m[3]), s) })
				}
			})
		}
		if len(idle) > 0 {
			t.Errorf("no work went from rank to rank in any run under %v", idle)
		}
	})
}
