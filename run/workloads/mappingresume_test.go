package workloads_test

import (
	"path/filepath"
	"testing"
	"time"

	"treesplit/mapping/bb"
	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/run/workloads"
)

// A saved search under a static start resumes with the best makespan so far as the first bound. It
// finds and proves the optimum: the waiting parts, which the checkpoint saves as ranges, do not
// depend on the first bound.
func TestMappingResumesWithItsBound(t *testing.T) {
	machine, resumed := mustMachine(t, "ncube2"), 0
	for seed := range uint64(100) {
		p := graph(seed, 7, 2+int(seed)%3, 20)
		plan := mappingPlan(2, "static+rp", "ring", seed)
		plan.Splits, plan.Quantum = 4, 1
		plan.Checkpoint, plan.CheckpointEvery = filepath.Join(t.TempDir(), "checkpoint"), 1800*time.Microsecond
		whole, err := run.RunSimulation(machine, plan, &workloads.Mapping{Problem: p}, run.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		if whole.Saved == nil || whole.Saved.Count == 0 {
			continue
		}
		state, _, err := checkpoint.Load(plan.Checkpoint) // the last periodic one
		if err != nil {
			t.Fatal(err)
		}
		if state.Bound == whole.Bound {
			continue
		}
		resumed++
		plan.Resume, plan.Checkpoint, plan.CheckpointEvery = plan.Checkpoint, "", 0
		r, err := run.RunSimulation(machine, plan, &workloads.Mapping{Problem: p, Options: bb.Options{Upper: state.Bound}}, run.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Bound != whole.Bound {
			t.Errorf("seed %d: the search resumed with the first bound %d finds %d, want the optimum %d", seed, state.Bound, r.Bound, whole.Bound)
		}
	}
	if resumed < 30 {
		t.Errorf("only %d searches resume without the optimum: the test shows little", resumed)
	}
}
