package cdcl

import (
	"math/rand/v2"
	"slices"
	"testing"

	"treesplit/sat"
	"treesplit/sat/ruletest"
)

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
		f := ruletest.ParityFormula(rng, 5+rng.IntN(10))
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

// hardParities has parities that contradict each other. They share variables, so that clauses alone
// take thousands of conflicts.
func hardParities(t *testing.T) *sat.Formula {
	return ruletest.MakeFamily(t, "tseitin-regular", 1, "n=24 d=4")
}

// Sums of parities refute what clauses refute only with many conflicts, and the proof is accepted.
func TestSumsSaveConflicts(t *testing.T) {
	f := hardParities(t)
	for _, sums := range []Parities{NoParities, ShortParities, AllParities} {
		r := newRecord()
		r.addFormula(f)
		s := New(Options{Proof: r, Hints: true, Parities: sums})
		if sums == AllParities {
			s = New(Options{Parities: sums})
		}
		s.AddFormula(f)
		if status := s.Solve(NoLimit); status != Unsatisfiable {
			t.Fatalf("%v", status)
		}
		if n := s.Stats().Conflicts; (n > 1000) != (sums == NoParities) {
			t.Errorf("parities %d: %d conflicts", sums, n)
		}
		if err := r.check(f); sums == ShortParities && err != nil {
			t.Error(err)
		}
	}
}

// A matrix that no conflict needs is dropped after a bounded number of steps: each parity has a variable
// of its own, which no other clause has, so that the parities exclude nothing.
func TestUselessMatrixIsDropped(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	hard := ruletest.RandomFormula(rng, 150, 640, 3)
	f := withUnits(hard, nil)
	f.Variables += 60
	for i := range int32(60) {
		variables := []int32{151 + i}
		for _, v := range rng.Perm(150)[:3] {
			variables = append(variables, int32(1+v))
		}
		ruletest.AddParity(f, rng, false, variables)
	}
	const few = 1 << 13
	for _, with := range []int64{few, NoLimit / 2} {
		tuned := defaultTuning
		tuned.freeSteps = with
		s := newTuned(Options{Parities: AllParities}, tuned)
		s.AddFormula(f)
		s.Solve(4000)
		x := s.Stats()
		bound := few + freeOfWord*60*5 + stepsOfUse*x.ParityReasons
		if x.Matrices != 1 || (x.Dropped == 1) != (with != NoLimit/2) || x.Dropped == 1 && x.ParitySteps > bound+few {
			t.Errorf("freeSteps %d: %+v", with, x)
		}
		if with == NoLimit/2 && x.ParitySteps < 6*few {
			t.Errorf("a matrix that stays takes only %d steps: %+v", x.ParitySteps, x)
		}
	}
}

// The elimination with which a matrix begins does not count as its use: it takes more steps here than a useless
// matrix may take. With the matrix the formula is easy.
func TestLargeMatrixIsUsed(t *testing.T) {
	const n = 1000
	rng := rand.New(rand.NewPCG(1, 7))
	model := []bool{false}
	for range n {
		model = append(model, rng.IntN(2) == 0)
	}
	draw := func(size int) (variables []int32) {
		for _, v := range rng.Perm(n)[:size] {
			variables = append(variables, int32(1+v))
		}
		return variables
	}
	f := &sat.Formula{Variables: n}
	for range 970 {
		odd, variables := false, draw(4)
		for _, v := range variables {
			odd = odd != model[v]
		}
		ruletest.AddParity(f, nil, odd, variables)
	}
	for f.Len() < 970*8+2000 {
		clause, holds := draw(3), false
		for i, v := range clause {
			positive := rng.IntN(2) == 0
			if holds = holds || positive == model[v]; !positive {
				clause[i] = -v
			}
		}
		if holds {
			f.AddClause(clause...)
		}
	}
	s := New(Options{Parities: AllParities})
	s.AddFormula(f)
	if status, x := s.Solve(500), s.Stats(); status != Satisfiable || x.Dropped > 0 || x.Matrices != 1 {
		t.Errorf("%v, %+v", status, x)
	}
}

// A formula without parities is searched in the same steps.
func TestNothingChangesWithoutParities(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	for i := range fewer(60) {
		f := drawHard(rng)
		var before Stats
		var lines []string
		for _, sums := range []Parities{NoParities, ShortParities, AllParities} {
			log := new(steps)
			s := newTuned(Options{Proof: log, Seed: uint64(i % 3), Parities: sums}, hasty)
			s.AddFormula(f)
			s.Solve(300)
			if sums == NoParities {
				before, lines = s.Stats(), log.lines
			} else if s.Stats() != before || !slices.Equal(lines, log.lines) {
				t.Fatalf("formula %d, parities %d: %+v, without: %+v", i, sums, s.Stats(), before)
			}
		}
	}
}

// Under assumptions, verdicts and failed assumptions are right, and the proof has their clause.
func TestParitiesUnderAssumptions(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	failed := 0
	for i := range fewer(600) {
		f := ruletest.ParityFormula(rng, 6+rng.IntN(20))
		r := newRecord()
		r.addFormula(f)
		s := newTuned(Options{Proof: r, Hints: true, Parities: ShortParities}, []tuning{defaultTuning, hasty}[i%2])
		s.AddFormula(f)
		for range 6 {
			units := []int32{}
			for range 1 + rng.IntN(4) {
				units = append(units, anyLiteral(rng, f.Variables))
			}
			s.Assume(units...)
			status := s.Solve(NoLimit)
			if want := isSatisfiable(withUnits(f, units)); want != (status == Satisfiable) {
				t.Fatalf("formula %d under %d: %v", i, units, status)
			}
			if status == Satisfiable {
				if err := withUnits(f, units).CheckModel(s.Model(f.Variables)); err != nil {
					t.Fatal(err)
				}
				continue
			}
			failed += len(s.Failed())
			if err := r.check(f, s.Failed()...); err != nil {
				t.Fatalf("formula %d under %d: %v", i, units, err)
			}
		}
	}
	if failed == 0 {
		t.Error("no assumption has failed")
	}
}
