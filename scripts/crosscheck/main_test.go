package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"treesplit/sat"
	"treesplit/sat/cdcl"
	"treesplit/sat/gen"
	"treesplit/sat/ruletest"
)

// A short run finds no disagreement.
func TestRun(t *testing.T) {
	if err := run(t.Context(), series{seed: 2, n: 25}); err != nil {
		t.Error(err)
	}
}

// Every entry of members can be made, and every family has one.
func TestMembers(t *testing.T) {
	listed := map[string]bool{}
	for i, m := range members {
		listed[m[0]] = true
		only := members[i : i+1]
		for seed := range uint64(3) {
			if _, err := drawMemberOf(newRand(seed, 1), only); err != nil {
				t.Errorf("%v: %v", m, err)
			}
		}
	}
	for _, f := range gen.ListFamilies() {
		if !listed[f.Name] {
			t.Errorf("no members of family %s", f.Name)
		}
	}
}

// triangle is unsatisfiable under assumptions 1 and 2, and satisfiable otherwise.
func triangle() *sat.Formula {
	f := &sat.Formula{Variables: 3}
	f.AddClause(-1, -2, 3)
	f.AddClause(-1, -2, -3)
	return f
}

// Wrong failed assumptions, wrong answers and incomplete proofs are found.
func TestMistakesAreFound(t *testing.T) {
	c := newChecker(t.TempDir())
	p := newPair(triangle(), cdcl.Options{Hints: true})
	p.solver.Assume(1, 2, 3)
	if status := p.solver.Solve(cdcl.NoLimit); status != cdcl.Unsatisfiable {
		t.Fatal(status)
	}
	assumed := []int32{1, 2, 3}
	for _, failed := range [][]int32{{1}, {}, {2, 3}, {1, 2, -3}} {
		if c.checkFailed(p, assumed, failed) == nil {
			t.Errorf("the failed assumptions %d are accepted", failed)
		}
	}
	if err := c.checkFailed(p, assumed, []int32{1, 2}); err != nil {
		t.Errorf("the failed assumptions 1, 2: %v", err)
	}
	for _, wrong := range []struct {
		known       gen.Answer
		under, free cdcl.Status
	}{
		{gen.Satisfiable, cdcl.Unsatisfiable, cdcl.Unsatisfiable},
		{gen.Unsatisfiable, cdcl.Unsatisfiable, cdcl.Satisfiable},
		{gen.Open, cdcl.Satisfiable, cdcl.Unsatisfiable},
	} {
		if c.checkAnswers(task{known: wrong.known}, wrong.under, wrong.free) == nil {
			t.Errorf("%+v is accepted", wrong)
		}
	}
}

// A proof of random formulas without one of its lemmas, or with one shortened, is found in some
// cases; the complete proof is accepted.
func TestDamagedProofs(t *testing.T) {
	c := newChecker(t.TempDir())
	found := 0
	for i := range uint64(20) {
		f := ruletest.RandomFormula(newRand(5, i), 30, 160, 3)
		p := newPair(f, cdcl.Options{})
		if p.solver.Solve(cdcl.NoLimit) != cdcl.Unsatisfiable {
			continue
		}
		lines := p.proof.drat.Bytes()
		if err := c.checkProof(f, lines); err != nil {
			t.Fatal(err)
		}
		if c.checkProof(f, lines[bytes.IndexByte(lines, ' ')+1:]) != nil {
			found++
		}
	}
	if found < 5 {
		t.Errorf("%d damaged proofs are found", found)
	}
}

// A wrong verdict becomes a disagreement with its own formula, which is written.
func TestWrongVerdict(t *testing.T) {
	c := newChecker(t.TempDir())
	if len(c.absent) == 2 {
		t.Skip("neither minisat nor cadical is installed (scripts/install)")
	}
	wrong := triangle()
	err := blame(wrong, c.judges.ExpectVerdict(wrong, false))
	if err == nil {
		err = c.finishJudging()
	}
	found := (*disagreement)(nil)
	if !errors.As(err, &found) || found.formula != wrong {
		t.Fatalf("%v", err)
	}
	path := filepath.Join(t.TempDir(), "wrong.cnf")
	writeFormula(found.formula, path)
	if text, err := os.ReadFile(path); err != nil || string(text) != "p cnf 3 2\n-1 -2 3 0\n-1 -2 -3 0\n" {
		t.Errorf("%q, %v", text, err)
	}
}
