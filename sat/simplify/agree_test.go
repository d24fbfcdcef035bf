package simplify

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"treesplit/sat"
	"treesplit/sat/drat"
)

// larger draws a formula of 30 to 80 variables: random clauses of two to four literals
// about the threshold, with parities, equivalences and units mixed in.
func larger(rng *rand.Rand) *sat.Formula {
	n := 30 + rng.IntN(50)
	f := &sat.Formula{Variables: n}
	clause := func(k int) []int32 {
		c := make([]int32, k)
		for i, v := range rng.Perm(n)[:k] {
			c[i] = int32(v+1) * int32(2*rng.IntN(2)-1)
		}
		return c
	}
	for range rng.IntN(4 * n) {
		f.AddClause(clause(3)...)
	}
	for range rng.IntN(n / 2) {
		f.AddClause(clause(2)...)
	}
	for range rng.IntN(n) {
		f.AddClause(clause(4)...)
	}
	for range rng.IntN(n) {
		plantParity(rng, f, rng.Perm(n)[:2+rng.IntN(4)], rng.IntN(10) == 0)
	}
	if rng.IntN(3) == 0 {
		f.AddClause(clause(1)...)
	}
	return shuffled(rng, f)
}

// minisat solves f: a model, or nil if there is none.
func minisat(t *testing.T, dir string, f *sat.Formula) []bool {
	t.Helper()
	in, out := filepath.Join(dir, "in.cnf"), filepath.Join(dir, "out")
	var text bytes.Buffer
	if err := f.WriteDIMACS(&text); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(in, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := exec.Command("minisat", "-verb=0", in, out).CombinedOutput()
	answer, readErr := os.ReadFile(out)
	if readErr != nil {
		t.Fatalf("minisat: %v, %v: %s", err, readErr, log)
	}
	if strings.HasPrefix(string(answer), "UNSAT") {
		return nil
	}
	model := make([]bool, f.Variables)
	for _, word := range strings.Fields(string(answer))[1:] {
		var l int
		if _, err := fmt.Sscan(word, &l); err != nil {
			t.Fatal(err)
		}
		if l > 0 {
			model[l-1] = true
		}
	}
	return model
}

// cadicalProof refutes f and returns the proof.
func cadicalProof(t *testing.T, dir string, f *sat.Formula) []byte {
	t.Helper()
	in, out := filepath.Join(dir, "in.cnf"), filepath.Join(dir, "proof")
	var text bytes.Buffer
	if err := f.WriteDIMACS(&text); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(in, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	// Status 20 is the answer UNSATISFIABLE.
	log, err := exec.Command("cadical", "-q", "--no-binary", in, out).CombinedOutput()
	proof, readErr := os.ReadFile(out)
	if readErr != nil {
		t.Fatalf("cadical: %v, %v: %s", err, readErr, log)
	}
	return proof
}

// minisat's verdict is the same before and after, its models complete to models of the
// input, and cadical's refutation of the simplified formula completes the proof for the
// input.
func TestAgreesWithSolvers(t *testing.T) {
	for _, program := range []string{"minisat", "cadical"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed (scripts/install)", program)
		}
	}
	formulas := 300
	if testing.Short() {
		formulas = 50
	}
	rng := rand.New(rand.NewPCG(5, 5))
	dir := t.TempDir()
	verdicts := map[string]int{}
	for range formulas {
		f := larger(rng)
		var proof bytes.Buffer
		opt := AllTechniques()
		if rng.IntN(2) == 0 { // whatever is left undone, the rest is right
			opt.Lines, opt.Work = 1+rng.IntN(300), 1+rng.IntN(50_000)
		}
		opt.Lemma = func(lemma []int32) { writeLine(&proof, lemma) }
		opt.Delete = func(lemma []int32) {
			proof.WriteString("d ")
			writeLine(&proof, lemma)
		}
		r := Run(f, opt)
		want := minisat(t, dir, f) != nil
		model := minisat(t, dir, r.Formula)
		if got := model != nil; got != want || r.Refuted && want {
			t.Fatalf("satisfiable: %v; simplified %v, refuted: %v", want, got, r.Refuted)
		}
		switch {
		case want:
			verdicts["satisfiable"]++
			r.RestoreModel(model)
			if err := f.CheckModel(model); err != nil {
				t.Fatal(err)
			}
			continue
		case r.Refuted:
			verdicts["refuted"]++
		default:
			verdicts["unsatisfiable"]++
			proof.Write(cadicalProof(t, dir, r.Formula))
		}
		report, err := drat.Check(f.Clauses(), &proof, "proof", drat.Options{})
		if err != nil || !report.Verified {
			t.Fatalf("%v, %+v", err, report)
		}
	}
	t.Log(verdicts)
	if len(verdicts) < 3 {
		t.Errorf("too few kinds of formulas: %v", verdicts)
	}
}
