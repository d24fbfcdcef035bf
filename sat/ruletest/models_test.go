package ruletest

import (
	"math/rand/v2"
	"testing"
)

// The truth table agrees with the check of each assignment, for fewer and for more rows than a word has bits.
func TestCountModels(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for turn := range 300 {
		f := RandomFormula(rng, 3+turn%7, rng.IntN(30), 1, 2, 3)
		model, want := make([]bool, f.Variables), int64(0)
		for row := range 1 << f.Variables {
			for v := range model {
				model[v] = row>>v&1 == 1
			}
			if f.CheckModel(model) == nil {
				want++
			}
		}
		if got := CountModels(f); got != want {
			t.Fatalf("%d models, want %d: %v", got, want, f)
		}
	}
}
