package ruletest

import (
	"fmt"
	"iter"
	"math/big"
	"math/bits"
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

// CountModels returns the number of models of a formula of few variables by its truth table.
func CountModels(f *sat.Formula) (n int64) {
	for _, models := range truthTable(f) {
		n += int64(bits.OnesCount64(models))
	}
	return n
}

// EachModel returns an iterator over the models of a formula of few variables, by its truth table.
func EachModel(f *sat.Formula) iter.Seq[[]bool] {
	return func(yield func([]bool) bool) {
		for word, models := range truthTable(f) {
			for ; models != 0; models &= models - 1 {
				row, model := 64*word+bits.TrailingZeros64(models), make([]bool, f.Variables)
				for v := range model {
					model[v] = row>>v&1 == 1
				}
				if !yield(model) {
					return
				}
			}
		}
	}
}

// truthTable returns an iterator over the words of a formula's truth table: bit i of word w is row 64·w + i, in which
// variable v is true if bit v-1 of the number of the row is set.
func truthTable(f *sat.Formula) iter.Seq2[int, uint64] {
	return func(yield func(int, uint64) bool) {
		rows := ^uint64(0)
		if f.Variables < 6 {
			rows = 1<<(1<<f.Variables) - 1
		}
		for word := range max(1, 1<<f.Variables>>6) {
			models := rows
			for _, clause := range f.Clauses() {
				models &= truthOf(clause, word)
			}
			if !yield(word, models) {
				return
			}
		}
	}
}

// columns are the first six columns of a truth table.
var columns = [6]uint64{0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000}

// truthOf returns the truth of a clause in the rows 64·word to 64·word + 63.
func truthOf(clause []int32, word int) (rows uint64) {
	for _, l := range clause {
		v := max(l, -l) - 1
		column := -uint64(word >> max(v-6, 0) & 1)
		if v < 6 {
			column = columns[v]
		}
		if l < 0 {
			column = ^column
		}
		rows |= column
	}
	return rows
}
