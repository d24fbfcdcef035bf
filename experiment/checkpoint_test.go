package experiment_test

import (
	"testing"

	"treesplit/experiment"
	"treesplit/experiment/internal/exact"
	"treesplit/sim"
)

// A search that is interrupted again and again, and goes on under whatever scheme, on
// however many ranks and in either world, expands exactly the sequential W and answers
// rightly.
func TestChains(t *testing.T) {
	inputs, err := exact.Inputs()
	if err != nil {
		t.Fatal(err)
	}
	machine, err := sim.ParseMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	worlds := []exact.RunHooked{
		experiment.RunLocal,
		func(p experiment.Plan, w experiment.Workload, h experiment.Hooks) (*experiment.Result, error) {
			p.CheckpointEvery *= 100 // a node takes a thousand times as long as here
			return experiment.RunSim(machine, p, w, h)
		},
	}
	chains := 200
	if testing.Short() {
		chains = 29
	}
	runs, checkpoints := 0, 0
	dir := t.TempDir()
	for i := range chains {
		r, c, err := exact.Chain(inputs[i%len(inputs)], uint64(i), dir, worlds)
		if err != nil {
			t.Fatal(err)
		}
		runs, checkpoints = runs+r, checkpoints+c
	}
	t.Logf("%d runs, %d checkpoints", runs, checkpoints)
	if 5*runs < 6*chains || 2*checkpoints < chains {
		t.Errorf("%d runs and %d checkpoints in %d chains", runs, checkpoints, chains)
	}
}
