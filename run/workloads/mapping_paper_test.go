package workloads_test

import (
	"testing"

	"treesplit/mapping"
	"treesplit/mapping/bb"
	"treesplit/run"
	"treesplit/run/workloads"
)

// boundFor returns an upper bound under which a tree has at least the given number of nodes, and
// not many more. The search looks for every map below the bound, even after it has found better
// maps.
func boundFor(t *testing.T, p *mapping.Problem, nodes int64) (o bb.Options) {
	t.Helper()
	in, err := bb.New(p, bb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	least := in.SolveSequentially(nil).Makespan
	for o = (bb.Options{Upper: least, Count: true}); ; o.Upper += 1 + o.Upper/100 {
		if in, err = bb.New(p, o); err != nil {
			t.Fatal(err)
		}
		if w := in.SolveSequentially(nil).Expanded; w >= nodes {
			return o
		}
	}
}

// B5: P processors search a P times larger space in the same time. The test searches trees of
// about P times the nodes, cut from one large tree by the upper bound, on P ranks of the
// simulated nCUBE/2. The nodes per second grow like P, less the time for balancing. Reference:
// Radhakrishnan et al., section 4.2.
func TestB5LargerSpace(t *testing.T) {
	if testing.Short() {
		t.Skip("simulations, which have no goroutines")
	}
	machine := mustMachine(t, "ncube2")
	p := graph(7, 18, 4, 10)
	rate, first := 0.0, int64(0)
	for _, ranks := range []int{1, 4, 16} {
		r, err := run.RunSimulation(machine, mappingPlan(ranks, "rp", "credit", 1), &workloads.Mapping{Problem: p, Options: boundFor(t, p, 30_000*int64(ranks))}, run.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		perSecond := float64(r.Expanded) / r.Seconds
		if ranks == 1 {
			rate, first = perSecond, r.Expanded
		}
		t.Logf("%d ranks: %d nodes in %.3f s, %.2f times P times the rate of one", ranks, r.Expanded, r.Seconds, perSecond/rate/float64(ranks))
		if perSecond < 0.9*float64(ranks)*rate || r.Expanded < first/2*int64(ranks) {
			t.Errorf("%d ranks: %d nodes in %.3f s; one rank %.0f nodes per second, %d in all", ranks, r.Expanded, r.Seconds, rate, first)
		}
	}
}
