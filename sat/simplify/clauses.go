package simplify

import (
	"math"

	"treesplit/sat"
)

// The clauses under simplification, and the few operations on them that all
// techniques share. Each technique builds the index it needs from this plain list and
// throws it away; building is linear, and none has to keep another's index right.

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

// span is a clause's place among the literals. Its size is −1 once it is removed.
type span struct{ start, size int32 }

// Values of a literal.
const (
	open     = int8(0)
	positive = int8(1)
	negative = int8(-1)
)

// budgets are the steps that each technique has left.
type budgets struct{ equivalent, xor, subsume, failed, pure int }

// simplifier is the state of Run.
type simplifier struct {
	opt      Options
	literals []lit // all clauses; what clauses lose stays as a gap
	clauses  []span
	value    []int8 // of each literal
	trail    []lit  // the true literals that propagation has seen or has yet to see
	settled  int    // the part of the trail that the clauses have been rid of
	refuted  bool
	changes  int    // grows with every change that a technique might use
	seen     [5]int // changes, when each technique last began
	steps    []step
	work     budgets
	stats    Stats

	stamp       []int32 // stamp[l] == now: the literal is in the current clause
	now         int32
	line        []int32 // the lemma being written
	maxVariable int
	triples     int // sums of three variables that may still be added; −1 before the first parities
	propagator  propagator
}

func newSimplifier(f *sat.Formula, opt Options) *simplifier {
	w := opt.Work
	if w == 0 {
		w = 1<<22 + 20*(f.LiteralCount()+f.Len())
	}
	if opt.Lines == 0 {
		opt.Lines = 4_000_000
	}
	return &simplifier{
		opt:         opt,
		literals:    make([]lit, 0, f.LiteralCount()),
		clauses:     make([]span, 0, f.Len()),
		value:       make([]int8, 2*f.Variables),
		stamp:       make([]int32, 2*f.Variables),
		maxVariable: f.Variables,
		triples:     -1,
		seen:        [5]int{-1, -1, -1, -1, -1},
		work:        budgets{w, w, w, w, w},
	}
}

// clauseLiterals returns the literals of clause c, which must not have been removed.
func (s *simplifier) clauseLiterals(c int) []lit {
	at := s.clauses[c]
	return s.literals[at.start : at.start+at.size : at.start+at.size]
}

// removeClause takes clause c out of the formula.
func (s *simplifier) removeClause(c int) { s.clauses[c].size = -1 }

// loadFormula takes over the clauses of f without repeated literals and tautologies. A clause
// that had repeated literals becomes a lemma, since checkers differ in what they make
// of those.
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
		if len(own) < len(clause) {
			s.writeLemma(own...)
		}
		s.enterClause(span{int32(start), int32(len(own))})
	}
}

// enterClause appends a clause that stands at the end of the literals already.
func (s *simplifier) enterClause(at span) {
	s.clauses = append(s.clauses, at)
	s.checkShrunk(len(s.clauses) - 1)
}

// addClause appends a clause, which must be a lemma or follow by unit propagation.
func (s *simplifier) addClause(clause ...lit) {
	start := len(s.literals)
	s.literals = append(s.literals, clause...)
	s.enterClause(span{int32(start), int32(len(clause))})
}

// checkShrunk looks at a clause that is new or has lost literals: an empty one refutes the
// formula and one of a single literal fixes it.
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

// dropRepeated drops repeated literals, in place and in order, and says whether two are
// opposite.
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

// clearMarks takes all literals out of the current clause.
func (s *simplifier) clearMarks() {
	if s.now == math.MaxInt32 {
		clear(s.stamp)
		s.now = 0
	}
	s.now++
}

// fixLiteral makes l true. It is a lemma, or follows from the clauses by unit propagation.
func (s *simplifier) fixLiteral(l lit) {
	switch s.value[l] {
	case open:
		s.setLiteral(l)
		s.changes++
	case negative:
		s.refuteFormula()
	}
}

// setLiteral enters l on the trail.
func (s *simplifier) setLiteral(l lit) {
	s.value[l], s.value[l.complement()] = positive, negative
	s.trail = append(s.trail, l)
}

// refuteFormula ends it: the empty clause is a lemma.
func (s *simplifier) refuteFormula() {
	s.writeLemma()
	s.refuted = true
}

// writeLemma writes a line of the proof, of which the empty clause is the last.
func (s *simplifier) writeLemma(clause ...lit) {
	if s.opt.Lemma != nil && !s.refuted {
		s.stats.Lemmas++
		s.opt.Lemma(s.dimacsClause(clause))
	}
}

// writeDeletion writes that a lemma is not needed any more. Units stay: checkers do not agree on
// what becomes of what followed from them.
func (s *simplifier) writeDeletion(clause []lit) {
	if len(clause) > 1 {
		s.opt.Delete(s.dimacsClause(clause))
	}
}

// dimacsClause is the clause in DIMACS numbers, until the next call.
func (s *simplifier) dimacsClause(clause []lit) []int32 {
	s.line = s.line[:0]
	for _, l := range clause {
		s.line = append(s.line, l.dimacsNumber())
	}
	return s.line
}

// settleUnits propagates the units and rids the clauses of all literals that have a value.
func (s *simplifier) settleUnits() {
	if s.refuted || s.settled == len(s.trail) {
		return
	}
	p := &s.propagator
	p.buildIndex(s)
	if s.refuted {
		return
	}
	if p.propagate(s, s.settled) {
		s.refuteFormula()
		return
	}
	s.cleanClauses()
}

// cleanClauses records the literals on the trail as fixed and drops them from the clauses,
// which propagation has left with at least two open literals or a true one.
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
		clause := s.clauseLiterals(c)
		kept := clause[:0]
		for _, l := range clause {
			if s.value[l] == positive {
				s.removeClause(c)
				break
			}
			if s.value[l] == open {
				kept = append(kept, l)
			}
		}
		if s.clauses[c].size >= 0 {
			s.clauses[c].size = int32(len(kept))
		}
	}
}
