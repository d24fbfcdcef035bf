package cdcl

import (
	"math/rand/v2"
	"testing"

	"treesplit/sat/ruletest"
)

func TestQuick(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		f := ruletest.MixedFormula(rng)
		s := New(Options{})
		s.AddFormula(f)
		st := s.Solve(NoLimit)
		want := ruletest.CountModels(f) > 0
		if (st == Satisfiable) != want {
			t.Fatal(i, f, st, want)
		}
		if want {
			if err := f.CheckModel(s.Model(f.Variables)); err != nil {
				t.Fatal(err)
			}
		}
	}
}
