package simplify

// Failed literals: if unit propagation finds a conflict after l is assumed, ¬l holds, and ¬l is a
// lemma. Only literals that imply another literal by a binary clause can fail. Literals that no
// other literal implies come first: if a literal does not fail, its consequences cannot fail
// either and need not be tried.
//
// Source: J. Freeman, Improvements to Propositional Satisfiability Search Algorithms, thesis,
// University of Pennsylvania, 1995; D. Le Berre, Exploiting the Real Power of Unit Propagation
// Lookahead, SAT 2001, for skipping the consequences.

// probeLiterals tries every literal until the steps are used up.
func (s *simplifier) probeLiterals() {
	p := &s.propagator
	p.buildIndex(s)
	if len(p.implied.items) == 0 {
		return
	}
	safe := make([]bool, len(s.value))
	for _, roots := range [...]bool{true, false} {
		for l := range s.value {
			l := lit(l)
			root := len(p.implied.itemsOfList(l.complement())) == 0
			if root != roots || safe[l] || s.value[l] != open || len(p.implied.itemsOfList(l)) == 0 {
				continue
			}
			if s.work.failed <= 0 || s.refuted {
				return
			}
			s.tryLiteral(l, safe)
		}
	}
}

// tryLiteral assumes l, and fixes its negation if that fails.
func (s *simplifier) tryLiteral(l lit, safe []bool) {
	p := &s.propagator
	n := len(s.trail)
	s.setLiteral(l)
	failed := p.propagate(s, n)
	if !failed {
		for _, x := range s.trail[n:] {
			safe[x] = true
		}
	}
	s.undoTrail(n)
	s.work.failed -= p.takeSteps()
	if !failed {
		return
	}
	s.stats.Failed++
	s.writeLemma(l.complement())
	s.fixLiteral(l.complement())
	if p.propagate(s, n) {
		s.refuteFormula()
	}
	s.work.failed -= p.takeSteps()
}
