package ruletest

import (
	"math/rand/v2"

	"treesplit/sat"
)

// MixedFormula draws a formula of up to 8 variables. It has clauses of any length, including
// empty and unit clauses, repeated and complementary literals, and variables that do not occur.
func MixedFormula(rng *rand.Rand) *sat.Formula {
	f := &sat.Formula{Variables: rng.IntN(9)}
	if f.Variables == 0 {
		return f
	}
	longest := 1 + rng.IntN(7)
	for range rng.IntN(40) {
		length := 1 + rng.IntN(longest)
		if rng.IntN(200) == 0 {
			length = 0
		} else if rng.IntN(2) == 0 {
			length = longest // too many unit clauses would decide every formula
		}
		clause := make([]int32, length)
		for i := range clause {
			clause[i] = randomSign(rng, 1+rng.IntN(f.Variables))
		}
		f.AddClause(clause...)
	}
	return f
}

// RandomFormula draws clauses of distinct variables uniformly. The lengths are drawn uniformly
// from the given lengths.
func RandomFormula(rng *rand.Rand, variables, clauses int, lengths ...int) *sat.Formula {
	f := &sat.Formula{Variables: variables}
	for range clauses {
		clause := make([]int32, lengths[rng.IntN(len(lengths))])
		for i, v := range rng.Perm(variables)[:len(clause)] {
			clause[i] = randomSign(rng, v+1)
		}
		f.AddClause(clause...)
	}
	return f
}

// randomSign negates a variable with probability ½.
func randomSign(rng *rand.Rand, variable int) int32 { return int32(variable) * int32(2*rng.IntN(2)-1) }
