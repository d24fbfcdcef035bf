package cdcl

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"treesplit/sat"
	"treesplit/sat/ruletest"
)

// steps records the lemmas and deletions of a solver as text.
type steps struct{ lines []string }

func (s *steps) AddLemma(_ uint64, clause []int32, _ []uint64) {
	s.lines = append(s.lines, fmt.Sprint("a", clause))
}
func (s *steps) DeleteClause(_ uint64, clause []int32) {
	s.lines = append(s.lines, fmt.Sprint("d", clause))
}

// drawHard draws a formula that takes some hundred conflicts.
func drawHard(rng *rand.Rand) *sat.Formula { return ruletest.RandomFormula(rng, 70, 330, 3) }

// A search in parts of any size takes the same steps as a search in one part.
func TestContinueTakesTheSameSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	parts, refuted := 0, 0
	for i := range fewer(200) {
		f, sums := drawHard(rng), NoParities
		if i%4 == 3 {
			f, sums = ruletest.ParityFormula(rng, 30), ShortParities+Parities(i/4%2)
		}
		with := []tuning{defaultTuning, hasty}[i%2]
		whole, cut := new(steps), new(steps)
		a := newTuned(Options{Proof: whole, Seed: uint64(i % 3), Parities: sums}, with)
		b := newTuned(Options{Proof: cut, Seed: uint64(i % 3), Parities: sums}, with)
		a.AddFormula(f)
		b.AddFormula(f)
		want, got := a.Solve(NoLimit), Unknown
		for got == Unknown {
			got = b.Continue(Limit{1 + rng.Int64N(4), 1 + rng.Int64N(500)})
			parts++
		}
		if got != want || a.Stats() != b.Stats() || !slices.Equal(whole.lines, cut.lines) {
			t.Fatalf("formula %d: %v, %+v in parts; %v, %+v in one part", i, got, b.Stats(), want, a.Stats())
		}
		if want == Satisfiable && !slices.Equal(a.Model(f.Variables), b.Model(f.Variables)) {
			t.Fatalf("formula %d: different models", i)
		}
		if want == Unsatisfiable {
			refuted++
		}
	}
	if refuted == 0 || parts < 500 {
		t.Errorf("%d formulas refuted, %d parts: expected more", refuted, parts)
	}
}

// The limits hold: one conflict more is learnt at most, and the ticks exceed their limit by one
// propagation at most.
func TestLimitsOfContinue(t *testing.T) {
	f := drawHard(rand.New(rand.NewPCG(3, 3)))
	s := New(Options{})
	s.AddFormula(f)
	for before := s.Stats(); s.Continue(Limit{Conflicts: 1, Ticks: NoLimit}) == Unknown; before = s.Stats() {
		if n := s.Stats().Conflicts - before.Conflicts; n != 1 {
			t.Fatalf("%d conflicts in a part, want 1", n)
		}
	}
	s = New(Options{})
	s.AddFormula(f)
	one := int64(2 * f.LiteralCount())
	for before := s.Stats(); s.Continue(Limit{Conflicts: NoLimit, Ticks: 20}) == Unknown; before = s.Stats() {
		if n := s.Stats().Ticks - before.Ticks; n < 20 || n > 20+one {
			t.Fatalf("%d ticks in a part, want 20 to %d", n, 20+one)
		}
	}
}

// Exported clauses follow from the formula: no model violates one.
func TestExportedClausesFollow(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 9))
	exported := 0
	for range fewer(300) {
		f := ruletest.RandomFormula(rng, 12, 52, 3)
		s := newTuned(Options{}, hasty)
		s.AddFormula(f)
		s.Continue(Limit{Conflicts: 4, Ticks: NoLimit})
		longer := &sat.Formula{Variables: f.Variables}
		for _, clause := range f.Clauses() {
			longer.AddClause(clause...)
		}
		for l := range s.Units() {
			longer.AddClause(l)
			exported++
		}
		for clause := range s.Learnt() {
			longer.AddClause(clause...)
			exported++
		}
		if want, got := ruletest.CountModels(f), ruletest.CountModels(longer); got != want {
			t.Fatalf("%d models with the exported clauses, want %d: %v", got, want, f)
		}
	}
	if exported < 20 {
		t.Errorf("%d clauses exported: expected more", exported)
	}
}
