package simplify

// Removed clauses and lost literals leave gaps in the lists. Techniques that add clauses remove the
// gaps, so that the memory stays in proportion to the formula.

// compactClauses removes the gaps in the lists of clauses and of literals. Clauses keep their
// order and change their numbers.
func (s *simplifier) compactClauses() {
	clauses := s.clauses[:0]
	for _, at := range s.clauses {
		if at.size >= 0 {
			clauses = append(clauses, at)
		}
	}
	s.clauses = clauses
	s.compactLiterals()
}

// compactLiterals removes the gaps in the list of literals. Clauses are in the order of their
// places, and keep their numbers.
func (s *simplifier) compactLiterals() {
	end := int32(0)
	for c, at := range s.clauses {
		if at.size < 0 {
			continue
		}
		n := max(at.size, at.written)
		copy(s.literals[end:], s.literals[at.start:at.start+n])
		s.clauses[c].start = end
		end += n
	}
	s.literals = s.literals[:end]
}
