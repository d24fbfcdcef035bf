package workloads_test

import (
	"math"
	"path/filepath"
	"testing"

	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/run/workloads"
	"treesplit/sat"
	"treesplit/sat/ruletest"
)

// presearch searches a formula by cubes on some ranks, after a presearch of a multiple of the expected time. It returns
// the file of the proof, too.
func presearch(t *testing.T, f *sat.Formula, multiple float64, ranks int, change func(*workloads.SAT)) (*run.Result, workloads.Decided, string) {
	t.Helper()
	w := satOf(t, f, "cubes")
	w.SetPresearch(multiple)
	w.Proof = filepath.Join(t.TempDir(), "proof")
	change(w)
	r, found := decided(t, run.DefaultPlan(ranks), w, math.MaxInt64)
	return r, found, w.Proof
}

// Short clauses of the presearch join the formula of the cubes. The tree is the same on any number of ranks, and the proof
// holds. Without simplification there is no presearch.
func TestPresearch(t *testing.T) {
	f := ruletest.MakeFamily(t, "multiplier", 1, "n=6")
	var expanded int64
	for ranks := 1; ranks <= 3; ranks++ {
		r, found, proof := presearch(t, f, 0.5, ranks, plainly)
		if c := found.Cutting; c.Conflicts == 0 || c.Joined == 0 || found.Model != nil {
			t.Fatalf("%d ranks: %+v, model %v; want clauses of a presearch, and a refutation", ranks, c, found.Model)
		}
		if ranks > 1 && r.Expanded != expanded {
			t.Errorf("%d ranks expanded %d nodes, want %d", ranks, r.Expanded, expanded)
		}
		expanded = r.Expanded
		checked(t, f, proof)
	}
	_, found, proof := presearch(t, f, 0.5, 1, func(w *workloads.SAT) { w.Simplify = "off" })
	if c := found.Cutting; c.Conflicts != 0 || c.Joined != 0 {
		t.Errorf("%+v; want no presearch without simplification", c)
	}
	checked(t, f, proof)
}

// If the presearch decides the formula, the search has one node, with a proof or a model.
func TestPresearchDecides(t *testing.T) {
	unsatisfiable, satisfiable := 0, 0
	for seed := range uint64(8) {
		f := ruletest.MakeFamily(t, "random", seed, "n=60 ratio=4.3")
		r, found, proof := presearch(t, f, 1e6, 2, plainly)
		switch c := found.Cutting; {
		case c.Conflicts == 0: // look-ahead alone decides the children of the root
		case r.Expanded != 1:
			t.Errorf("seed %d: %d nodes after %+v, want one", seed, r.Expanded, c)
		case found.Model == nil:
			unsatisfiable++
			checked(t, f, proof)
		default:
			satisfiable++
		}
	}
	if unsatisfiable == 0 || satisfiable == 0 {
		t.Errorf("%d unsatisfiable and %d satisfiable formulas decided by a presearch, want both", unsatisfiable, satisfiable)
	}
}

// A run that resumes a search by cubes makes the presearch of the first run, whether the cut was chosen or given.
func TestPresearchResumes(t *testing.T) {
	f := ruletest.MakeFamily(t, "multiplier", 1, "n=6")
	for _, cut := range []string{"", "assigned=60"} {
		p := run.DefaultPlan(2)
		p.Checkpoint, p.Store = filepath.Join(t.TempDir(), "search"), checkpoint.Files{}
		var joined []int
		for runs := 1; ; runs++ {
			w := satOf(t, f, "cubes")
			w.SetPresearch(0.5)
			w.Cut, w.Proof = cut, p.Checkpoint+".drat"
			_, found := decided(t, p, w, 20<<runs)
			if joined = append(joined, found.Cutting.Joined); joined[runs-1] == 0 || joined[runs-1] != joined[0] {
				t.Fatalf("cut %q: the presearch of each run added %v clauses; want the same number", cut, joined)
			}
			if found.Proof != nil {
				break
			}
			p.Resume = p.Checkpoint
		}
		if len(joined) < 2 {
			t.Errorf("cut %q: the first run ended the search; want at least two runs", cut)
		}
		checked(t, f, p.Checkpoint+".drat")
	}
}
