package workloads_test

import (
	"bytes"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"treesplit/lb"
	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/run/workloads"
	"treesplit/sat"
	"treesplit/sim"
)

// repeatingSearch returns a search by rule cubes with a proof. Its anchors have hundreds of nodes.
func repeatingSearch(t *testing.T, f *sat.Formula, path string, lrat bool) *workloads.SAT {
	w := satOf(t, f, "cubes")
	w.Cut, w.Budget, w.Simplify, w.Proof, w.LRAT = "assigned=12", 1000, "off", path, lrat
	return w
}

// A rank stops in the middle of a repetition, several times. No node counts, and the search ends with the nodes and the
// proof of a search in one run.
func TestStopsWhileRepeating(t *testing.T) {
	f := made(t, "php", map[string]float64{"n": 6}, 0)
	for _, lrat := range []bool{false, true} {
		dir := t.TempDir()
		plan := proofPlan("rp", 0, 1)
		plan.Quantum = 10
		whole, err := run.RunOnGoroutines(plan, repeatingSearch(t, f, filepath.Join(dir, "whole"), lrat), run.Hooks{})
		if err != nil || whole.Redundant != 0 {
			t.Fatalf("%+v, %v", whole, err)
		}
		plan.Checkpoint = filepath.Join(dir, "checkpoint")
		var last *run.Result
		for i, polls := range []int64{30, 3, 5, 2, 9, 1 << 40} {
			var left atomic.Int64
			left.Store(polls)
			r, err := run.RunOnGoroutines(plan, repeatingSearch(t, f, filepath.Join(dir, "parts"), lrat), run.Hooks{Interrupted: func() bool { return left.Add(-1) < 0 }})
			if err != nil {
				t.Fatal(err)
			}
			switch again := r.Redundant; {
			case i == 0:
			case polls < 1<<40 && (r.Why != lb.Interrupted || r.Expanded != last.Expanded || again <= last.Redundant || again > last.Redundant+10*polls):
				t.Fatalf("run %d, %d polls: ended as %v with %d nodes and %d repeated, before %d and %d: expected only repeated nodes, 10 per poll", i, polls, r.Why, r.Expanded, again, last.Expanded, last.Redundant)
			case polls == 1<<40 && (r.Why != lb.Exhausted || r.Expanded != whole.Expanded):
				t.Errorf("ended as %v with %d nodes, want %d", r.Why, r.Expanded, whole.Expanded)
			}
			last, plan.Resume = r, plan.Checkpoint
		}
		want, err := os.ReadFile(filepath.Join(dir, "whole"))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "parts")); err != nil || !bytes.Equal(got, want) {
			t.Errorf("a proof of %d bytes, want %d, and the same; %v", len(got), len(want), err)
		}
		if !lrat {
			checked(t, f, filepath.Join(dir, "parts"))
		}
	}
}

// A search makes progress, also if checkpoints are requested more often than a repetition takes. Nearly all nodes are below one
// anchor, so the last repetition alone can be a large part of the search.
func TestFrequentCheckpoints(t *testing.T) {
	machine, err := sim.FindMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	f := made(t, "php", map[string]float64{"n": 6}, 0)
	for _, scheme := range []string{"rp", "sl", "shuffle"} {
		plan := proofPlan(scheme, 0, 2)
		plan.Checkpoint, plan.CheckpointEvery, plan.Store = filepath.Join(t.TempDir(), "checkpoint"), time.Duration(30*machine.TimeOfNodes(1, 1)), checkpoint.Files{}
		w := repeatingSearch(t, f, "", false)
		whole, err := run.RunOnGoroutines(proofPlan(scheme, 0, 1), repeatingSearch(t, f, "", false), run.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		polls := 0
		r, err := run.RunSimulation(machine, plan, w, run.Hooks{Interrupted: func() bool { polls++; return polls > 20_000 }})
		if err != nil {
			t.Fatalf("%s: %v", scheme, err)
		}
		if r.Expanded != whole.Expanded || r.Redundant == 0 || r.Redundant > 2*r.Expanded || r.Saved.Count < 2 {
			t.Errorf("%s: %d nodes, want %d; %d repeated nodes: expected at most twice as many as others; saved %+v", scheme, r.Expanded, whole.Expanded, r.Redundant, r.Saved)
		}
	}
}
