package ruletest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"treesplit/sat"
)

// Of formulas together all are satisfiable, or one is, as a truth table says.
func TestFormulasTogether(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		formulas := []*sat.Formula{RandomFormula(rng, 4, 1+rng.IntN(30), 1, 2, 3), RandomFormula(rng, 4, 1+rng.IntN(30), 1, 2, 3)}
		a, b := CountModels(formulas[0]) > 0, CountModels(formulas[1]) > 0
		if all, some := CountModels(conjunctionOf(formulas)) > 0, CountModels(disjunctionOf(formulas)) > 0; all != (a && b) || some != (a || b) {
			t.Fatalf("satisfiable %v and %v, but all %v, any %v: %v", a, b, all, some, formulas)
		}
	}
}

// One wrong verdict among right ones is found and named.
func TestJudgesFindWrongVerdict(t *testing.T) {
	for _, wrong := range []bool{true, false} {
		j := NewJudges(t)
		if len(j.programs) == 0 {
			t.Skip("neither minisat nor cadical is installed (scripts/install)")
		}
		rng := rand.New(rand.NewPCG(4, 5))
		for range 200 {
			f := RandomFormula(rng, 6, 1+rng.IntN(60), 2, 3)
			if err := j.ExpectVerdict(f, CountModels(f) > 0); err != nil {
				t.Fatal(err)
			}
		}
		odd := &sat.Formula{Variables: 77}
		odd.AddClause(1)
		if !wrong {
			odd.AddClause(-1)
		}
		err := j.ExpectVerdict(odd, !wrong)
		if err == nil {
			err = j.FinishJudging()
		}
		if err == nil || !strings.Contains(err.Error(), fmt.Sprint(odd)) {
			t.Errorf("a formula is expected to be satisfiable: %v: %v", !wrong, err)
		}
	}
}
