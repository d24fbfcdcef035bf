package run_test

import (
	"path/filepath"
	"testing"
	"time"

	"treesplit/lb"
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

// A chain of runs comes to an end even if the time of each run is up before it begins, also if all ranks but
// one, or all ranks, wait for their first work.
func TestShortRunsComeToAnEnd(t *testing.T) {
	params, want, _ := uts.FindSample("T1")
	params.Depth = 2
	whole, err := run.RunOnGoroutines(run.DefaultPlan(1), &workloads.UTS{Params: params}, run.Hooks{})
	if err != nil || whole.Expanded >= want.Size {
		t.Fatalf("%+v, %v", whole, err)
	}
	for _, scheme := range []string{"rp", "grr-m", "static", "static+rp", "lifeline", "shuffle", "sl", "ml", "ra", "ranade"} {
		plan := run.DefaultPlan(3)
		plan.Scheme, plan.Store, plan.Quantum = scheme, checkpoint.Files{}, 10
		plan.Checkpoint, plan.Timeout = filepath.Join(t.TempDir(), "checkpoint"), 1
		runs := 0
		for why := lb.Timeout; why == lb.Timeout; {
			r, err := run.RunOnGoroutines(plan, &workloads.UTS{Params: params}, run.Hooks{})
			if runs++; err != nil || int64(runs) > whole.Expanded+1 { // each run expands a node
				t.Fatalf("%s: %v after %d runs", scheme, err, runs)
			}
			why, plan.Resume = r.Why, plan.Checkpoint
			if why == lb.Exhausted && r.Expanded != whole.Expanded {
				t.Errorf("%s: %d nodes in %d runs, want %d", scheme, r.Expanded, runs, whole.Expanded)
			}
		}
		t.Logf("%s: %d nodes in %d runs", scheme, whole.Expanded, runs)
	}
}

// The timeout ends a run whose ranks still sample the tree. The next run of the chain takes no sample and expands
// nodes, however short it is.
func TestTimeoutWhileSampling(t *testing.T) {
	params, _, _ := uts.FindSample("T1")
	for _, saved := range []bool{false, true} {
		plan := run.DefaultPlan(2)
		plan.Scheme, plan.Quantum, plan.Timeout = "static", 1, 1
		if saved {
			plan.Store, plan.Checkpoint = checkpoint.Files{}, filepath.Join(t.TempDir(), "checkpoint")
		}
		r, err := run.RunOnGoroutines(plan, &workloads.UTS{Params: params}, run.Hooks{})
		if err != nil || r.Why != lb.Timeout || r.Expanded > 0 || r.Redundant == 0 {
			t.Fatalf("saved %v: %+v, %v: expected a sample of the tree and no other node", saved, r, err)
		}
		if !saved {
			continue
		}
		plan.Resume = plan.Checkpoint
		r, err = run.RunOnGoroutines(plan, &workloads.UTS{Params: params}, run.Hooks{})
		if err != nil || r.Why != lb.Timeout || r.Expanded == 0 {
			t.Fatalf("%+v, %v: expected some nodes", r, err)
		}
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

// Under a static scheme every rank gets work, also if a checkpoint is due, or the run ends, while the ranks
// sample the tree.
func TestSavedWhileSampling(t *testing.T) {
	machine, err := sim.FindMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	params, _, _ := uts.FindSample("T1")
	params.Depth = 6
	load := func() run.Workload { return &workloads.UTS{Params: params} }
	plan := run.DefaultPlan(5)
	plan.Scheme, plan.Store = "static", checkpoint.Files{}
	check := func(r *run.Result) {
		t.Helper()
		most := int64(0)
		for _, one := range r.PerRank {
			most = max(most, one.Expanded)
		}
		if most > r.Expanded/2 {
			t.Errorf("one rank has %d of %d nodes: expected at most a half", most, r.Expanded)
		}
	}
	whole, err := run.RunSimulation(machine, plan, load(), run.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	check(whole)

	plan.Checkpoint, plan.CheckpointEvery = filepath.Join(t.TempDir(), "often"), 5*time.Millisecond
	r, err := run.RunSimulation(machine, plan, load(), run.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if check(r); r.Saved == nil || r.Saved.Count == 0 || r.Expanded != whole.Expanded {
		t.Errorf("saved %+v, %d nodes: expected a checkpoint, and %d nodes", r.Saved, r.Expanded, whole.Expanded)
	}

	plan.Checkpoint, plan.CheckpointEvery = filepath.Join(t.TempDir(), "early"), 0
	r, err = run.RunOnGoroutines(plan, load(), run.Hooks{Interrupted: func() bool { return true }})
	if err != nil {
		t.Fatal(err)
	}
	if r.Why != lb.Interrupted || r.Expanded != 0 {
		t.Fatalf("ended as %v with %d nodes: expected an interruption before the first node", r.Why, r.Expanded)
	}
	plan.Resume = plan.Checkpoint
	if r, err = run.RunSimulation(machine, plan, load(), run.Hooks{}); err != nil {
		t.Fatal(err)
	}
	if check(r); r.Expanded != whole.Expanded {
		t.Errorf("%d nodes after the resumption, %d without", r.Expanded, whole.Expanded)
	}
}
