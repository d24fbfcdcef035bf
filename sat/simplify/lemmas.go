package simplify

// The lines of the proof. Each clause knows whether it is a lemma (span.written), so that the lemma
// can be deleted when elimination or a shorter clause makes it superfluous. A clause that loses
// literals without a line, because units make them false, keeps them after its end, so that the
// deletion can name the lemma as it was written.

// writeLemma writes a line of the proof. The empty clause is the last line.
func (s *simplifier) writeLemma(clause ...lit) {
	if s.opt.Lemma != nil && !s.refuted {
		s.stats.Lemmas++
		s.opt.Lemma(s.dimacsClause(clause))
	}
}

// keepMarked removes the literals that are not in the current clause from clause c, which becomes
// a lemma. If the longer clause was a lemma, it is deleted. The other literals keep their order.
func (s *simplifier) keepMarked(c int) {
	clause := s.clauseLiterals(c)
	kept := s.moveMarked(clause)
	s.writeLemma(clause[:kept]...)
	s.deleteLemma(c)
	s.clauses[c].size, s.clauses[c].written = int32(kept), int32(kept)
}

// moveMarked moves the literals of the current clause to the front, and returns their number. It
// keeps the order of the literals in both parts.
func (s *simplifier) moveMarked(clause []lit) (kept int) {
	s.lost = s.lost[:0]
	for _, l := range clause {
		if s.stamp[l] == s.now {
			clause[kept] = l
			kept++
		} else {
			s.lost = append(s.lost, l)
		}
	}
	copy(clause[kept:], s.lost)
	return kept
}

// deleteLemma deletes clause c from the proof if it is a lemma there.
func (s *simplifier) deleteLemma(c int) {
	if at := s.clauses[c]; at.written > 0 && s.opt.Delete != nil && !s.refuted {
		s.writeDeletion(s.literals[at.start : at.start+at.written])
	}
}

// writeDeletion writes that a lemma is no longer needed. It keeps units, because checkers
// disagree about the consequences of a deleted unit.
func (s *simplifier) writeDeletion(clause []lit) {
	if len(clause) > 1 {
		s.opt.Delete(s.dimacsClause(clause))
	}
}

// dimacsClause returns the clause in DIMACS numbers. The result is valid until the next call.
func (s *simplifier) dimacsClause(clause []lit) []int32 {
	s.line = s.line[:0]
	for _, l := range clause {
		s.line = append(s.line, l.dimacsNumber())
	}
	return s.line
}
