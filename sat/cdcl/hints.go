package cdcl

import "slices"

// Hints are the ids of the clauses that prove a lemma, in the order in which a checker propagates
// them. With them a checker need not search: this is the LRAT format. They are found after the
// lemma is complete, by one walk back along the trail from the conflict to the literals of the
// lemma. Source: L. Cruz-Filipe et al., Efficient Certified RAT Verification, CADE 2017; F.
// Pollitt, M. Fleury, A. Biere, Faster LRAT Checking than Solving with CaDiCaL, SAT 2023.

// collectHints finds the hints of the lemma.
func (s *Solver) collectHints(conflict ref) {
	for _, l := range s.lemma {
		s.markVariable(l>>1, lemmaMark)
	}
	for _, b := range s.binaries {
		s.markVariable(b.literal>>1, lemmaMark)
	}
	last := s.needClause(conflict, s.conflictPivot(conflict))
	for at := s.assigned - 1; at >= 0; at-- {
		l := s.trail[at]
		x := s.vars[l>>1]
		switch {
		case s.marks[l>>1]&(neededMark|lemmaMark) != neededMark:
		case x.reason == none: // at level 0, or it would be in the lemma
			s.hints = append(s.hints, s.unitID[l>>1])
		default:
			s.hints = append(s.hints, s.needClause(x.reason, l))
		}
	}
	for _, b := range s.binaries {
		s.hints = append(s.hints, s.clauseID(b.clause))
	}
	slices.Reverse(s.hints)
	s.hints = append(s.hints, last)
}

// conflictPivot returns the literal of the last clause that its reference does not have: the
// first literal of the lemma if it is forced, otherwise the reason of the conflict.
func (s *Solver) conflictPivot(conflict ref) lit {
	if conflict < binaryFlag {
		return noLiteral
	}
	for _, l := range s.lemma {
		if s.values[l] > 0 {
			return l
		}
	}
	return s.conflictLit
}

// needClause marks the other literals of a clause as needed, and returns its id.
func (s *Solver) needClause(r ref, pivot lit) uint64 {
	if r < binaryFlag {
		for _, l := range s.literals(r) {
			if l != pivot {
				s.markVariable(l>>1, neededMark)
			}
		}
		return s.clauseID(r)
	}
	other := lit(r &^ binaryFlag)
	s.markVariable(other>>1, neededMark)
	s.markVariable(pivot>>1, neededMark)
	for _, w := range s.watchesOf(pivot) {
		if w.blocker == other && w.clause >= binaryFlag {
			return s.clauseID(w.clause &^ binaryFlag)
		}
	}
	panic("cdcl: a reason is not watched")
}
