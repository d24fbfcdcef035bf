package ruletest

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// The models of the truth table are the models that the check of each assignment finds, for fewer and for more rows
// than a word has bits.
func TestModels(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for turn := range 300 {
		f := RandomFormula(rng, 3+turn%7, rng.IntN(30), 1, 2, 3)
		var want, got [][]bool
		for row := range 1 << f.Variables {
			model := make([]bool, f.Variables)
			for v := range model {
				model[v] = row>>v&1 == 1
			}
			if f.CheckModel(model) == nil {
				want = append(want, model)
			}
		}
		for model := range EachModel(f) {
			got = append(got, model)
		}
		if n := CountModels(f); n != int64(len(want)) || !reflect.DeepEqual(got, want) {
			t.Fatalf("%d models %v, want %v: %v", n, got, want, f)
		}
	}
}
