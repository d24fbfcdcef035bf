package cdcl

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"treesplit/sat"
	"treesplit/sat/ruletest"
)

// addParity adds the clauses of a parity, in which some are shortened if shorten is set: they exclude
// more assignments.
func addParity(f *sat.Formula, rng *rand.Rand, odd bool, variables []int32) {
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
		rng.Shuffle(len(clause), func(i, j int) { clause[i], clause[j] = clause[j], clause[i] })
		if len(clause) > 2 && rng.IntN(60) == 0 {
			clause = clause[1:]
		}
		f.AddClause(clause...)
	}
}

// drawParities draws a formula of parities and other clauses, about half of which are satisfiable.
func drawParities(rng *rand.Rand, n int) *sat.Formula {
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
		addParity(f, rng, odd != (rng.IntN(2*n) == 0), variables)
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

// isSatisfiable decides a formula by a truth table if it is small, otherwise without parities.
func isSatisfiable(f *sat.Formula) bool {
	if f.Variables <= 9 {
		return ruletest.CountModels(f) > 0
	}
	s := New(Options{})
	s.AddFormula(f)
	return s.Solve(NoLimit) == Satisfiable
}

// Verdicts with sums of parities agree with truth tables; models satisfy the formula, and proofs
// with their hints are accepted.
func TestParitiesTruthTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var total Stats
	refuted := 0
	for i := range fewer(5000) {
		f := drawParities(rng, 5+rng.IntN(10))
		want := isSatisfiable(f)
		if !want {
			refuted++
		}
		for _, with := range []tuning{defaultTuning, hasty} {
			r := newRecord()
			r.addFormula(f)
			s := newTuned(Options{Proof: r, Hints: true, Seed: uint64(i % 3), Parities: ShortParities}, with)
			got, err := decideWith(s, r, f)
			if err != nil || got != want {
				t.Fatalf("formula %d: satisfiable %v, want %v, %v: %v", i, got, want, err, f)
			}
			x := s.Stats()
			total.ParityImplied += x.ParityImplied
			total.ParityConflicts += x.ParityConflicts
			total.ParityReasons += x.ParityReasons
			total.ParityLines += x.ParityLines
			total.Matrices += x.Matrices
			s = newTuned(Options{Seed: uint64(i % 3), Parities: AllParities}, with)
			s.AddFormula(f)
			status := s.Solve(NoLimit)
			if status == Satisfiable {
				if err := f.CheckModel(s.Model(f.Variables)); err != nil {
					t.Fatal(err)
				}
			}
			if (status == Satisfiable) != want {
				t.Fatalf("formula %d: %v, want %v: %v", i, status, want, f)
			}
		}
	}
	t.Logf("%d refuted, %+v", refuted, total)
}
