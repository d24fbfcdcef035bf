package run_test

import (
	"fmt"
	"testing"

	"treesplit/run/workloads"
	"treesplit/search"
	"treesplit/search/searchtest"
	"treesplit/uts"
)

// The damaged splitting function is a valid splitting function: however work is split and merged,
// no node is lost or searched twice. Reference: Kumar et al., section 8.
func TestDamagedIsExact(t *testing.T) {
	problem, err := (&workloads.UTS{Params: uts.DefaultParams()}).Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, alpha := range []float64{0.4, 0.1, 0.01} {
		t.Run(fmt.Sprint(alpha), func(t *testing.T) {
			fresh := func() search.Work { return problem.Share(search.DefaultSplitting, false) }
			searchtest.Run(t,
				func() search.Work {
					return search.NewDamaged(problem.Share(search.DefaultSplitting, true), alpha, fresh)
				},
				func() search.Work { return search.NewDamaged(fresh(), alpha, fresh) },
				1732)
		})
	}
}
