package workloads_test

import (
	"fmt"
	"slices"
	"testing"

	"treesplit/lb"
	"treesplit/run"
	"treesplit/run/internal/exact"
	"treesplit/run/workloads"
	"treesplit/uts"
)

// On goroutines, every scheme with every detector expands exactly the sequential W on every
// number of ranks, and returns the right answer. Reference: Kumar et al., sections 4 and 5;
// section 2 defines W.
func TestExactOnGoroutines(t *testing.T) {
	inputs, err := exact.Inputs()
	if err != nil {
		t.Fatal(err)
	}
	counts, step := []int{1, 2, 3, 4, 5, 7, 8, 13, 16}, 59 // like the other step, it has no common divisor with the numbers of inputs and variants
	if testing.Short() {
		counts, step = []int{1, 3, 8, 16}, 499
	}
	idle := lb.SchemeNames() // schemes under which no rank has given work to another rank yet
	for _, ranks := range counts {
		t.Run(fmt.Sprint(ranks), func(t *testing.T) {
			totals, err := exact.Each(inputs, step, ranks, func(p run.Plan, w run.Workload) (*run.Result, error) {
				return run.RunOnGoroutines(p, w, run.Hooks{})
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d runs, %d grants", totals.Runs, totals.Grants)
			if ranks > 1 {
				idle = slices.DeleteFunc(idle, func(s string) bool { return !slices.Contains(totals.Idle, s) })
			}
		})
	}
	for _, scheme := range idle { // the trees are small: a busy machine may end them before a request arrives
		if grants := grantsOfLargeTree(t, scheme); grants == 0 {
			t.Errorf("%s: no work went from rank to rank in any run", scheme)
		}
	}
}

// grantsOfLargeTree returns the number of grants in a search of four million nodes on four ranks.
func grantsOfLargeTree(t *testing.T, scheme string) int64 {
	p, want, _ := uts.FindSample("T1")
	plan := run.DefaultPlan(4)
	plan.Scheme = scheme
	r, err := run.RunOnGoroutines(plan, &workloads.UTS{Params: p}, run.Hooks{})
	if err != nil || r.Expanded != want.Size {
		t.Fatalf("%s: %+v, %v: expected %d nodes", scheme, r, err, want.Size)
	}
	return r.Grants
}
