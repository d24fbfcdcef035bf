package experiment

import (
	"fmt"
	"testing"

	"treesplit/search"
	"treesplit/search/searchtest"
	"treesplit/uts"
)

// The damaged splitting function is a splitting function: whatever is split off and
// taken in, no node is lost or searched twice. Reference: Kumar et al., section 8.
func TestDamagedIsExact(t *testing.T) {
	p := uts.Defaults()
	problem, err := (&UTS{Params: p}).Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, alpha := range []float64{0.4, 0.1, 0.01} {
		t.Run(fmt.Sprint(alpha), func(t *testing.T) {
			plan := Plan{Damage: alpha, Splitting: search.DefaultSplitting}
			searchtest.Run(t,
				func() search.Work { return share(plan, problem, true) },
				func() search.Work { return share(plan, problem, false) },
				1732)
		})
	}
}
