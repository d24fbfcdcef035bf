package experiment_test

import (
	"fmt"
	"testing"

	"treesplit/experiment"
	"treesplit/experiment/internal/exact"
)

// On goroutines, every scheme with every detector expands exactly the sequential W
// on any number of ranks, and answers rightly. Reference: Kumar et al., sections 4
// and 5; W is section 2's.
func TestExactOnGoroutines(t *testing.T) {
	inputs, err := exact.Inputs()
	if err != nil {
		t.Fatal(err)
	}
	step := 59 // like the other, it has no divisor in common with the numbers of inputs and variants
	if testing.Short() {
		step = 499
	}
	for _, ranks := range []int{1, 2, 3, 4, 5, 7, 8, 13, 16} {
		t.Run(fmt.Sprint(ranks), func(t *testing.T) {
			totals, err := exact.Each(inputs, step, ranks, func(p experiment.Plan, w experiment.Workload) (*experiment.Result, error) {
				return experiment.RunLocal(p, w, experiment.Hooks{})
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d runs, %d grants", totals.Runs, totals.Grants)
		})
	}
}
