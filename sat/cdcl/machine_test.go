package cdcl

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"treesplit/sat"
	"treesplit/sat/ruletest"
)

// machineVariables is small enough for truth tables.
const machineVariables = 6

// machine is a solver beside what it must do.
type machine struct {
	solver, twin *Solver // the twin gets the same calls
	record       *record
	formula      *sat.Formula
	assumed      []int32
}

// newMachine draws the options.
func newMachine(t *rapid.T) *machine {
	seed := rapid.Uint64Range(0, 2).Draw(t, "seed")
	with := defaultTuning
	if rapid.Bool().Draw(t, "hasty") {
		with = hasty
	}
	m := &machine{record: newRecord(), formula: &sat.Formula{Variables: machineVariables}}
	sums := rapid.SampledFrom([]Parities{NoParities, ShortParities}).Draw(t, "sums")
	m.solver = newTuned(Options{Proof: m.record, Hints: true, Seed: seed, Parities: sums}, with)
	m.twin = newTuned(Options{Seed: seed, Parities: sums}, with)
	return m
}

var drawLiteral = rapid.Custom(func(t *rapid.T) int32 {
	l := rapid.Int32Range(1, machineVariables).Draw(t, "variable")
	if rapid.Bool().Draw(t, "negated") {
		l = -l
	}
	return l
})

// addClauses adds some clauses.
func (m *machine) addClauses(t *rapid.T) {
	for range rapid.IntRange(1, 12).Draw(t, "clauses") {
		m.addClause(rapid.SliceOfN(drawLiteral, 1, 5).Draw(t, "clause"))
	}
}

// addClause adds a clause.
func (m *machine) addClause(clause []int32) {
	m.formula.AddClause(clause...)
	m.record.clauses[m.solver.nextID+1] = clause
	m.solver.AddClause(clause...)
	m.twin.AddClause(clause...)
}

// addParities adds the clauses of some parities.
func (m *machine) addParities(t *rapid.T) {
	for range rapid.IntRange(1, 4).Draw(t, "parities") {
		variables := rapid.SliceOfNDistinct(rapid.Int32Range(1, machineVariables), 2, 4, rapid.ID[int32]).Draw(t, "variables")
		f := &sat.Formula{}
		ruletest.AddParity(f, nil, rapid.Bool().Draw(t, "odd"), variables)
		for _, clause := range f.Clauses() {
			m.addClause(slices.Clone(clause))
		}
	}
}

// assume adds assumptions, some of them twice or with their negations.
func (m *machine) assume(t *rapid.T) {
	literals := rapid.SliceOfN(drawLiteral, 1, 4).Draw(t, "assumptions")
	m.assumed = append(m.assumed, literals...)
	m.solver.Assume(literals...)
	m.twin.Assume(literals...)
}

// solve compares a call with a truth table.
func (m *machine) solve(t *rapid.T) {
	limit := rapid.SampledFrom([]int64{NoLimit, NoLimit, 0, 1, 3, 20}).Draw(t, "limit")
	status := m.solver.Solve(limit)
	if other := m.twin.Solve(limit); other != status || m.twin.Stats() != m.solver.Stats() {
		t.Fatalf("the same calls gave %v and %v, %+v and %+v", status, other, m.solver.Stats(), m.twin.Stats())
	}
	if err := m.judge(status, limit); err != nil {
		t.Fatalf("%v under %d: %v: %v", m.formula, m.assumed, status, err)
	}
	m.assumed = nil
}

// judge returns an error if the result of a call is wrong.
func (m *machine) judge(status Status, limit int64) error {
	switch status {
	case Satisfiable:
		return withUnits(m.formula, m.assumed).CheckModel(m.solver.Model(machineVariables))
	case Unsatisfiable:
		return m.judgeFailed(m.solver.Failed())
	}
	if limit == NoLimit {
		return fmt.Errorf("the search ended without a limit")
	}
	return m.record.err
}

// judgeFailed returns an error unless the failed assumptions are a sufficient subset, with a proof.
func (m *machine) judgeFailed(failed []int32) error {
	for _, l := range failed {
		if !slices.Contains(m.assumed, l) {
			return fmt.Errorf("%d failed, but is not assumed", l)
		}
	}
	if n := ruletest.CountModels(withUnits(m.formula, failed)); n > 0 {
		return fmt.Errorf("there are %d models with the failed assumptions %d", n, failed)
	}
	return m.record.check(m.formula, failed...)
}

// withUnits returns the formula with more unit clauses.
func withUnits(f *sat.Formula, units []int32) *sat.Formula {
	with := &sat.Formula{Variables: f.Variables}
	for _, c := range f.Clauses() {
		with.AddClause(c...)
	}
	for _, l := range units {
		with.AddClause(l)
	}
	return with
}

// Random sequences of calls give what truth tables say. A failing sequence is made shorter.
func TestRandomCalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newMachine(t)
		t.Repeat(map[string]func(*rapid.T){"add": m.addClauses, "parities": m.addParities, "assume": m.assume, "solve": m.solve})
	})
}
