package workloads_test

import (
	"math"
	"path/filepath"
	"testing"

	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/run/workloads"
	"treesplit/sat/ruletest"
)

// cubesWanted makes auto pick cubes for every formula that a try of a few conflicts does not decide. Its dives
// are short with -short: one goroutine makes them, and they take most of the time under the race detector.
func cubesWanted(w *workloads.SAT) {
	w.SetCubesLimits(0, 50_000, 1e9)
	diveBriefly(w)
}

// diveBriefly shortens the dives with -short.
func diveBriefly(w *workloads.SAT) {
	if testing.Short() {
		w.ShortenDives()
	}
}

// If no tree is small and the long try does not decide the formula, auto picks cubes where samples expect
// little time, on any number of ranks, with a proof that the checker accepts. Without enough time for
// cubes it picks cdcl.
func TestAutoPicksCubes(t *testing.T) {
	f := ruletest.MakeFamily(t, "multiplier", 1, "n=6")
	counts, limits := []int{1, 2, 3}, []float64{0, 1e-9}
	if testing.Short() {
		counts, limits = []int{2}, limits[1:]
	}
	for _, ranks := range counts {
		w := satOf(t, f, "auto")
		cubesWanted(w)
		w.Proof = filepath.Join(t.TempDir(), "proof")
		r, err := run.RunOnGoroutines(run.DefaultPlan(ranks), w, run.Hooks{})
		w.Close()
		if err != nil {
			t.Fatal(err)
		}
		rule, choice := w.PickedRule()
		if rule != "cubes" || !choice.Tried || choice.Decided || choice.Cubes == nil || choice.Cubes.Seconds <= 0 {
			t.Fatalf("%s, %+v; want cubes after a try", rule, choice)
		}
		found, err := w.ReadResult(r)
		if err != nil || found.Model != nil || found.Cutting == nil {
			t.Fatalf("%+v, %v; want a refutation by cubes", found, err)
		}
		checked(t, f, w.Proof)
	}
	for _, seconds := range limits {
		rule, choice := pickedFor(t, f, func(w *workloads.SAT) {
			w.SetCubesLimits(0, 50_000, seconds)
			diveBriefly(w)
		})
		if rule != "cdcl" || (choice.Cubes != nil) != (seconds > 0) {
			t.Errorf("%s, %+v; want cdcl if cubes may take %v s", rule, choice, seconds)
		}
	}
}

// A run that resumes a search by the cubes that auto has picked searches the same cubes, without samples.
func TestAutoResumesCubes(t *testing.T) {
	f := ruletest.MakeFamily(t, "multiplier", 1, "n=6")
	p := run.DefaultPlan(2)
	p.Checkpoint, p.Store = filepath.Join(t.TempDir(), "search"), checkpoint.Files{}
	var cuts []string
	wanted := 3
	if testing.Short() {
		wanted = 2
	}
	for runs := 1; ; runs++ {
		w := satOf(t, f, "auto")
		cubesWanted(w)
		w.Proof = p.Checkpoint + ".drat"
		asks := int64(20 << runs)
		if testing.Short() && runs == wanted {
			asks = math.MaxInt64
		}
		_, found := decided(t, p, w, asks)
		cuts = append(cuts, found.Cutting.Cut)
		if sampled := found.Picked.Cubes != nil; sampled != (runs == 1) || found.Cutting.Cut != cuts[0] {
			t.Fatalf("run %d: sampled %v, cuts %q", runs, sampled, cuts)
		}
		if found.Proof != nil {
			if runs < wanted {
				t.Fatalf("the search ended in run %d; want at least %d runs", runs, wanted)
			}
			break
		}
		// The search was interrupted, or the writing of its proof. The last checkpoint remains.
		p.Resume = p.Checkpoint
	}
	checked(t, f, p.Checkpoint+".drat")
}

// A run that resumes a search and saves no checkpoint chooses the same anchors as the first run, also if its time is over
// while it loads the formula. So it ends early, and does not take the checkpoint for one of another search.
func TestHaltedWhileResuming(t *testing.T) {
	f := ruletest.MakeFamily(t, "multiplier", 1, "n=6")
	p := run.DefaultPlan(2)
	p.Checkpoint, p.Store = filepath.Join(t.TempDir(), "search"), checkpoint.Files{}
	for range 2 {
		w := satOf(t, f, "cubes")
		w.Cut = "free=40"
		r, err := run.RunOnGoroutines(p, w, run.Hooks{Interrupted: func() bool { return true }})
		w.Close()
		if err != nil || !r.StoppedEarly() {
			t.Fatalf("resumed %v: %+v, %v; want an interrupted run", p.Resume != "", r, err)
		}
		p.Resume, p.Checkpoint = p.Checkpoint, ""
	}
}
