package ruletest

import (
	"fmt"
	"math/big"
	"math/rand/v2"

	"treesplit/sat"
)

// checkModelCount compares the number of models with a truth table. Several shares search the
// tree in parts and count the models.
func (s Suite) checkModelCount(rng *rand.Rand, f *sat.Formula) error {
	if rng.IntN(20) == 0 {
		f = RandomFormula(rng, 10, 5+rng.IntN(25), 2, 3, 4, 5)
	}
	compile := s.Counting
	if compile == nil {
		compile = s.New
	}
	return s.checkSearchedParts(rng, compile(f), func(shares []*sat.Search) error {
		sum := new(big.Int)
		for _, share := range shares {
			sum.Add(sum, share.SolutionTally().CountModels(f.Variables))
		}
		if want := CountModels(f); sum.Cmp(big.NewInt(want)) != 0 {
			return fmt.Errorf("%v models, want %d", sum, want)
		}
		return nil
	})
}

// CountModels returns the number of models of a formula of few variables by trying all
// assignments.
func CountModels(f *sat.Formula) (n int64) {
	model := make([]bool, f.Variables)
	for bits := range 1 << f.Variables {
		for v := range model {
			model[v] = bits>>v&1 == 1
		}
		if f.CheckModel(model) == nil {
			n++
		}
	}
	return n
}
