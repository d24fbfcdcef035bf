package ruletest

import (
	"math/bits"
	"math/rand/v2"

	"treesplit/sat"
)

// AddParity adds the clauses of a parity. With rng the literals are shuffled, and some clauses lose one:
// they exclude more assignments.
func AddParity(f *sat.Formula, rng *rand.Rand, odd bool, variables []int32) {
	for truths := range 1 << len(variables) {
		if bits.OnesCount(uint(truths))&1 == 1 == odd {
			continue
		}
		clause := make([]int32, 0, len(variables))
		for i, v := range variables {
			l := v
			if truths>>i&1 != 0 {
				l = -v
			}
			clause = append(clause, l)
		}
		if rng != nil {
			rng.Shuffle(len(clause), func(i, j int) { clause[i], clause[j] = clause[j], clause[i] })
			if len(clause) > 2 && rng.IntN(60) == 0 {
				clause = clause[1:]
			}
		}
		f.AddClause(clause...)
	}
}

// ParityFormula draws a formula of parities and other clauses, about half of which are satisfiable.
func ParityFormula(rng *rand.Rand, n int) *sat.Formula {
	f := &sat.Formula{Variables: n}
	planted := rng.Uint64()
	for range n/2 + rng.IntN(n/2+2) {
		size := min(2+rng.IntN(3)+rng.IntN(2)*rng.IntN(3), n)
		variables := make([]int32, size)
		odd := false
		for i, v := range rng.Perm(n)[:size] {
			variables[i] = int32(v + 1)
			odd = odd != (planted>>v&1 != 0)
		}
		AddParity(f, rng, odd != (rng.IntN(2*n) == 0), variables)
	}
	for range rng.IntN(2 * n) {
		clause := []int32{}
		for _, v := range rng.Perm(n)[:2+rng.IntN(2)] {
			l := int32(v + 1)
			if rng.IntN(2) == 0 {
				l = -l
			}
			clause = append(clause, l)
		}
		f.AddClause(clause...)
	}
	return f
}
