package cdcl

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"treesplit/internal/splitmix"
	"treesplit/sat"
	"treesplit/sat/ruletest"
)

// machineVariables is small enough for truth tables, and large enough for conflicts.
const machineVariables = 12

// machine is a solver beside what it must do.
type machine struct {
	solver, twin *Solver // the twin gets the same calls, and is not copied
	options      Options // of the twin
	tuning       tuning
	fault        func(*Solver) func(stage)
	record       *record
	formula      *sat.Formula
	assumed      []int32
	earlier      work // of solvers that were refuted
}

// work is what solvers have done.
type work struct{ conflicts, reductions, minimized, shrunken, vivified, sums int64 }

func (w *work) add(x work) {
	w.conflicts += x.conflicts
	w.reductions += x.reductions
	w.minimized += x.minimized
	w.shrunken += x.shrunken
	w.vivified += x.vivified
	w.sums += x.sums
}

func (w *work) addSolver(s Stats) {
	w.add(work{s.Conflicts, s.Reductions, s.Minimized, s.Shrunken, s.Vivified, s.ParityReasons})
}

// newMachine draws the options. The solver has a fault unless it is nil.
func newMachine(t *rapid.T, fault func(*Solver) func(stage)) *machine {
	m := &machine{tuning: defaultTuning, fault: fault}
	m.options = Options{Seed: rapid.Uint64Range(0, 2).Draw(t, "seed"), Parities: rapid.SampledFrom([]Parities{NoParities, ShortParities}).Draw(t, "sums")}
	if rapid.Bool().Draw(t, "hasty") {
		m.tuning = hasty
	}
	m.begin()
	return m
}

// begin begins with new solvers.
func (m *machine) begin() {
	m.record, m.formula, m.assumed = newRecord(), &sat.Formula{Variables: machineVariables}, nil
	m.twin = newTuned(m.options, m.tuning)
	m.solver = m.newProver()
}

// newProver returns a new solver with a proof.
func (m *machine) newProver() *Solver {
	o := m.options
	o.Proof, o.Hints = m.record, true
	s := newTuned(o, m.tuning)
	if m.fault != nil {
		s.fault = m.fault(s)
	}
	return s
}

// drawUniform draws a number below n. The integers of package rapid are small more often than large. With such
// literals short clauses soon contradict each other, and there are hardly any conflicts.
func drawUniform(t *rapid.T, n int32, label string) int32 {
	return int32(splitmix.Mix(rapid.Uint64().Draw(t, label)) % uint64(n))
}

var drawLiteral = rapid.Custom(func(t *rapid.T) int32 {
	l := 1 + drawUniform(t, machineVariables, "variable")
	if rapid.Bool().Draw(t, "negated") {
		l = -l
	}
	return l
})

// addClauses adds some clauses, each of them drawn. One in 24 is a unit.
func (m *machine) addClauses(t *rapid.T) {
	for range rapid.IntRange(1, 12).Draw(t, "clauses") {
		n := 2 + int(drawUniform(t, 4, "length"))
		if n == 2 {
			n -= int(drawUniform(t, 6, "unit") / 5)
		}
		m.addClause(rapid.SliceOfN(drawLiteral, n, n).Draw(t, "clause"))
	}
}

// addFormula adds uniform clauses of three literals.
func (m *machine) addFormula(t *rapid.T) {
	n := rapid.SampledFrom([]int{30, 45, 60, 15, 5}).Draw(t, "clauses")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "formula"), 0))
	for _, clause := range ruletest.RandomFormula(rng, machineVariables, n, 3).Clauses() {
		m.addClause(slices.Clone(clause))
	}
}

// addClause adds a clause. After a refutation it begins with new solvers.
func (m *machine) addClause(clause []int32) {
	if m.solver.refuted {
		m.earlier.addSolver(m.solver.Stats())
		m.begin()
	}
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

// advance compares a part of a search with a truth table. The assumptions hold until the next Solve or
// Conclude.
func (m *machine) advance(t *rapid.T) {
	l := Limit{rapid.SampledFrom([]int64{NoLimit, 0, 1, 5}).Draw(t, "conflicts"), rapid.SampledFrom([]int64{NoLimit, 0, 20, 200}).Draw(t, "ticks")}
	status := m.solver.Continue(l)
	if other := m.twin.Continue(l); other != status || m.twin.Stats() != m.solver.Stats() {
		t.Fatalf("the same calls gave %v and %v, %+v and %+v", status, other, m.solver.Stats(), m.twin.Stats())
	}
	if err := m.judge(status, min(l.Conflicts, l.Ticks)); err != nil {
		t.Fatalf("%v under %d: %v: %v", m.formula, m.assumed, status, err)
	}
}

// conclude ends a search in parts.
func (m *machine) conclude(*rapid.T) {
	m.solver.Conclude()
	m.twin.Conclude()
	m.assumed = nil
}

// copySolver continues with a copy of the solver.
func (m *machine) copySolver(*rapid.T) {
	fresh := m.newProver()
	fault := fresh.fault
	fresh.CopyFrom(m.solver)
	fresh.fault = fault
	m.solver = fresh
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

// actions returns the calls among which a test draws.
func (m *machine) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"add": m.addClauses, "formula": m.addFormula, "parities": m.addParities, "assume": m.assume, "solve": m.solve,
		"advance": m.advance, "conclude": m.conclude, "copy": m.copySolver,
	}
}

// checkCalls checks sequences of calls, of solvers with a fault unless it is nil. It returns what they have done.
func checkCalls(t rapid.TB, fault func(*Solver) func(stage)) (done work) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		m := newMachine(t, fault)
		defer func() {
			done.addSolver(m.solver.Stats())
			done.add(m.earlier)
		}()
		t.Repeat(m.actions())
	})
	return done
}

// Random sequences of calls give what truth tables say. A failing sequence is made shorter.
func TestRandomCalls(t *testing.T) {
	done := work{}
	for range 8 {
		done.add(checkCalls(t, nil))
	}
	for n := 0; done.conflicts < 300 || done.reductions == 0 || done.minimized == 0 || done.shrunken == 0 || done.vivified == 0 || done.sums == 0; n++ {
		if n == 100 {
			t.Fatalf("the calls reach too little: %+v", done)
		}
		done.add(checkCalls(t, nil))
	}
}

// witness takes the outcome of a check that is expected to fail.
type witness struct {
	*testing.T
	failed bool
}

func (w *witness) Failed() bool          { return w.failed }
func (w *witness) Fail()                 { w.failed = true }
func (w *witness) FailNow()              { w.failed = true; runtime.Goexit() }
func (w *witness) Errorf(string, ...any) { w.Fail() }
func (w *witness) Error(...any)          { w.Fail() }
func (w *witness) Fatalf(string, ...any) { w.FailNow() }
func (w *witness) Fatal(...any)          { w.FailNow() }
func (w *witness) Logf(string, ...any)   {}
func (w *witness) Log(...any)            {}

// Random sequences of calls find the mistakes of the engine that random formulas find.
func TestRandomCallsFindMutants(t *testing.T) {
	setFlag(t, "rapid.nofailfile", "true")
	setFlag(t, "rapid.shrinktime", "0s")
	setFlag(t, "rapid.checks", "4000")
	for name, fault := range mutants {
		t.Run(name, func(t *testing.T) {
			w, over := &witness{T: t}, make(chan struct{})
			go func() {
				defer close(over)
				checkCalls(w, fault)
			}()
			<-over
			if !w.failed {
				t.Error("not found")
			}
		})
	}
}

// setFlag sets a flag of package rapid for one test.
func setFlag(t *testing.T, name, value string) {
	f := flag.Lookup(name)
	before := f.Value.String()
	t.Cleanup(func() { f.Value.Set(before) })
	if err := f.Value.Set(value); err != nil {
		t.Fatal(err)
	}
}
