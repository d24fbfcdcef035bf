package simplify

import (
	"math"

	"treesplit/sat"
)

// The clauses under simplification, and the few operations that all techniques share. Each
// technique builds the index that it needs from this plain list and then drops it. Building an
// index takes linear time, and no technique has to maintain the index of another.

// lit is a literal: 2·(v − 1) for variable v, plus 1 if it is negated.
type lit int32

func fromDIMACS(l int32) lit {
	if l < 0 {
		return lit(-2*l - 1)
	}
	return lit(2*l - 2)
}

func (l lit) dimacsNumber() int32 {
	v := int32(l)>>1 + 1
	if l&1 == 1 {
		return -v
	}
	return v
}

func (l lit) complement() lit { return l ^ 1 }

// span is the place of a clause in the literals. The size of a removed clause is −1. In the proof the
// clause is a lemma or a clause of the input with the literals literals[start:start+written], in any
// order. Literals that the clause has lost since then are the last ones. If written is 0, the proof
// keeps the clause.
type span struct {
	start, size, written int32
	input                bool // it is a clause of the input
}

// Values of a literal.
const (
	open     = int8(0)
	positive = int8(1)
	negative = int8(-1)
)

// budgets are the remaining steps of each technique.
type budgets struct{ equivalent, xor, subsume, failed, pure, eliminate, vivify int }

// simplifier is the state of Run.
type simplifier struct {
	opt      Options
	literals []lit // all clauses; literals that clauses lose stay as gaps
	clauses  []span
	value    []int8 // of each literal
	trail    []lit  // the true literals, both propagated and not yet propagated
	settled  int    // trail[:settled] was removed from the clauses
	refuted  bool
	changes  int    // number of changes that may give a technique new work
	seen     [7]int // changes at the last start of each technique
	steps    []step
	kept     []lit // the clauses that restore eliminated variables, see restore.go
	obsolete []lit // clauses of the input, see lemmas.go
	work     budgets
	stats    Stats

	stamp       []int32 // stamp[l] == now: the literal l is in the current clause
	now         int32
	line        []int32 // the lemma being written
	lost        []lit   // literals that a clause loses
	maxVariable int
	triples     int // number of sums of three variables that may still be added; −1 before the first parities
	propagator  propagator
	eliminator  eliminator
	vivifier    vivifier
	fault       func(stage) // nil, except in tests of mistakes
}

// stage is a point at which a test can damage the state.
type stage int8

const (
	gateFound       stage = iota // a variable is tried: its gate is known
	variableRemoved              // a variable was eliminated
	lemmaDerived                 // vivification has derived a lemma
)

// inject calls the function that a test has set.
func (s *simplifier) inject(at stage) {
	if s.fault != nil {
		s.fault(at)
	}
}

// newBudgets returns the steps for a formula, or the given number of steps for each technique if it
// is not 0. A step of vivification visits a place in memory that is not in a cache.
func newBudgets(f *sat.Formula, w int) budgets {
	if w != 0 {
		return budgets{w, w, w, w, w, w, w}
	}
	size := f.LiteralCount() + f.Len()
	w = 1<<22 + 20*size
	return budgets{w, w, w, w, w, 1<<23 + 10*size, 1<<22 + 2*size}
}

func newSimplifier(f *sat.Formula, opt Options) *simplifier {
	if opt.Lines == 0 {
		opt.Lines = 4_000_000
	}
	return &simplifier{
		opt:         opt,
		literals:    make([]lit, 0, f.LiteralCount()),
		clauses:     make([]span, 0, f.Len()),
		value:       make([]int8, 2*f.Variables),
		stamp:       make([]int32, 2*f.Variables),
		maxVariable: max(f.Variables, opt.MaxVariable),
		triples:     -1,
		seen:        [7]int{-1, -1, -1, -1, -1, -1, -1},
		work:        newBudgets(f, opt.Work),
	}
}

// clauseLiterals returns the literals of clause c, which must not have been removed.
func (s *simplifier) clauseLiterals(c int) []lit {
	at := s.clauses[c]
	return s.literals[at.start : at.start+at.size : at.start+at.size]
}

// removeClause removes clause c from the formula.
func (s *simplifier) removeClause(c int) { s.clauses[c].size = -1 }

// loadFormula copies the clauses of f without repeated literals and tautologies. A clause that
// had repeated literals becomes a lemma, because checkers treat repeated literals differently.
func (s *simplifier) loadFormula(f *sat.Formula) {
	for _, clause := range f.Clauses() {
		start := len(s.literals)
		for _, l := range clause {
			s.literals = append(s.literals, fromDIMACS(l))
		}
		own, tautology := s.dropRepeated(s.literals[start:])
		s.literals = s.literals[:start+len(own)]
		if tautology {
			s.literals = s.literals[:start]
			s.stats.Tautologies++
			continue
		}
		n, repeats := int32(len(own)), len(own) < len(clause)
		if repeats {
			s.writeLemma(own...)
		}
		s.enterClause(span{int32(start), n, n, !repeats})
	}
}

// enterClause appends a clause that is already at the end of the literals.
func (s *simplifier) enterClause(at span) {
	s.clauses = append(s.clauses, at)
	s.checkShrunk(len(s.clauses) - 1)
}

// addClause appends a clause, which must be a lemma.
func (s *simplifier) addClause(clause ...lit) {
	start, n := len(s.literals), int32(len(clause))
	s.literals = append(s.literals, clause...)
	s.enterClause(span{int32(start), n, n, false})
}

// checkShrunk examines a clause that is new or has lost literals. An empty clause refutes the
// formula; a clause of one literal fixes it.
func (s *simplifier) checkShrunk(c int) {
	switch s.clauses[c].size {
	case 0:
		s.refuteFormula()
	case 1:
		l := s.clauseLiterals(c)[0]
		s.removeClause(c)
		s.fixLiteral(l)
	}
}

// dropRepeated removes repeated literals, in place and in order. tautology reports whether two
// literals are opposite.
func (s *simplifier) dropRepeated(clause []lit) (own []lit, tautology bool) {
	s.clearMarks()
	own = clause[:0]
	for _, l := range clause {
		if s.stamp[l.complement()] == s.now {
			return nil, true
		}
		if s.stamp[l] != s.now {
			s.stamp[l] = s.now
			own = append(own, l)
		}
	}
	return own, false
}

// clearMarks removes all literals from the current clause.
func (s *simplifier) clearMarks() {
	if s.now == math.MaxInt32 {
		clear(s.stamp)
		s.now = 0
	}
	s.now++
}

// fixLiteral makes l true. It must be a lemma or follow from the clauses by unit propagation.
func (s *simplifier) fixLiteral(l lit) {
	switch s.value[l] {
	case open:
		s.setLiteral(l)
		s.changes++
	case negative:
		s.refuteFormula()
	}
}

// setLiteral appends l to the trail.
func (s *simplifier) setLiteral(l lit) {
	s.value[l], s.value[l.complement()] = positive, negative
	s.trail = append(s.trail, l)
}

// refuteFormula ends the simplification: the empty clause is a lemma.
func (s *simplifier) refuteFormula() {
	s.writeLemma()
	s.refuted = true
}

// settleUnits propagates the units and removes all assigned literals from the clauses.
func (s *simplifier) settleUnits() {
	if s.refuted || s.settled == len(s.trail) {
		return
	}
	p := &s.propagator
	p.buildIndex(s)
	if s.refuted {
		return
	}
	conflict := p.propagate(s, s.settled)
	s.work.failed -= p.takeSteps()
	if conflict {
		s.refuteFormula()
		return
	}
	s.cleanClauses()
}

// cleanClauses records the literals on the trail as fixed and removes them from the clauses.
// After propagation each clause has at least two open literals or a true one.
func (s *simplifier) cleanClauses() {
	for _, l := range s.trail[s.settled:] {
		s.steps = append(s.steps, step{l, always})
		s.stats.Units++
	}
	s.changes += len(s.trail) - s.settled
	s.settled = len(s.trail)
	for c := range s.clauses {
		if s.clauses[c].size < 0 {
			continue
		}
		if s.removeFalse(c) {
			s.removeClause(c)
		}
	}
}

// removeFalse removes the false literals of clause c, unless the clause is true.
func (s *simplifier) removeFalse(c int) (isTrue bool) {
	clause := s.clauseLiterals(c)
	s.clearMarks()
	for _, l := range clause {
		if s.value[l] == positive {
			return true
		}
		if s.value[l] == open {
			s.stamp[l] = s.now
		}
	}
	s.clauses[c].size = int32(s.moveMarked(clause))
	return false
}
