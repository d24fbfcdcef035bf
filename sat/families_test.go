package sat

import "math/rand/v2"

// Formulas for the tests of this package. The generators proper are package gen's;
// these share no code with them.

// php is the pigeonhole formula: n+1 pigeons in n holes, unsatisfiable.
func php(n int) *Formula {
	f := new(Formula)
	at := func(pigeon, hole int) int32 { return int32(pigeon*n + hole + 1) }
	for p := range n + 1 {
		var somewhere []int32
		for h := range n {
			somewhere = append(somewhere, at(p, h))
		}
		f.AddClause(somewhere...)
	}
	for h := range n {
		for q := range n + 1 {
			for p := range q {
				f.AddClause(-at(p, h), -at(q, h))
			}
		}
	}
	return f
}

// random3SAT draws clauses of three different variables uniformly.
func random3SAT(seed uint64, variables, clauses int) *Formula {
	rng := rand.New(rand.NewPCG(seed, 3))
	f := &Formula{Variables: variables}
	for range clauses {
		var clause [3]int32
		for i, v := range rng.Perm(variables)[:3] {
			clause[i] = literal(rng, v+1)
		}
		f.AddClause(clause[:]...)
	}
	return f
}

// mixed draws a small formula of clauses of any length, with empty and unit
// clauses, repeated and complementary literals, and variables that do not occur.
func mixed(rng *rand.Rand) *Formula {
	f := &Formula{Variables: rng.IntN(9)}
	if f.Variables == 0 {
		return f
	}
	longest := 1 + rng.IntN(5)
	for range rng.IntN(25) {
		length := 1 + rng.IntN(longest)
		if rng.IntN(100) == 0 {
			length = 0
		}
		clause := make([]int32, length)
		for i := range clause {
			clause[i] = literal(rng, 1+rng.IntN(f.Variables))
		}
		f.AddClause(clause...)
	}
	return f
}

// literal gives the variable a random sign.
func literal(rng *rand.Rand, variable int) int32 {
	return int32(variable) * int32(2*rng.IntN(2)-1)
}
