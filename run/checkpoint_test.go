package run_test

import (
	"path/filepath"
	"testing"
	"time"

	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/run/internal/exact"
	"treesplit/run/workloads"
	"treesplit/sim"
	"treesplit/uts"
)

// A search that is interrupted many times, and resumed under any scheme, on any number of ranks
// and in either world, expands exactly the sequential W and returns the right answer.
func TestChains(t *testing.T) {
	inputs, err := exact.Inputs()
	if err != nil {
		t.Fatal(err)
	}
	machine, err := sim.FindMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	worlds := []exact.RunHooked{
		run.RunOnGoroutines,
		func(p run.Plan, w run.Workload, h run.Hooks) (*run.Result, error) {
			p.CheckpointEvery *= 100 // a node takes a thousand times as long on this machine
			return run.RunSimulation(machine, p, w, h)
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

// After a periodic checkpoint every rank continues with its own work. Under a static start the
// parts are dealt once, in one message per rank, however often the search is saved.
func TestRanksKeepTheirWork(t *testing.T) {
	machine, err := sim.FindMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	params, _, _ := uts.FindSample("T1")
	params.Depth = 6
	plan := run.DefaultPlan(5)
	plan.Scheme, plan.Splits = "static", 6
	plan.Store = checkpoint.Files{}
	plan.Checkpoint, plan.CheckpointEvery = filepath.Join(t.TempDir(), "checkpoint"), 20*time.Millisecond
	r, err := run.RunSimulation(machine, plan, &workloads.UTS{Params: params}, run.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Saved == nil || r.Saved.Count < 3 || r.Grants != int64(plan.Ranks-1) {
		t.Errorf("saved %+v, %d messages with work: expected 3 checkpoints or more, and %d messages", r.Saved, r.Grants, plan.Ranks-1)
	}
}
