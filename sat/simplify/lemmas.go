package simplify

import "iter"

// The lines of the proof. Each clause knows its form in the proof (span.written), so that the proof
// can delete it when elimination or a shorter clause makes it superfluous. A clause that loses
// literals without a line, because units make them false, keeps them after its end, so that the
// deletion can name the clause as it was written.
//
// Lemmas are deleted at once. Clauses of the input are only listed: the caller may simplify the input
// in two ways, and search one of the results.

// writeLemma writes a line of the proof. The empty clause is the last line.
func (s *simplifier) writeLemma(clause ...lit) {
	if s.opt.Lemma != nil && !s.refuted {
		s.stats.Lemmas++
		s.opt.Lemma(s.dimacsClause(clause))
	}
}

// keepMarked removes the literals that are not in the current clause from clause c, which becomes
// a lemma. The longer clause is superfluous. The other literals keep their order.
func (s *simplifier) keepMarked(c int) {
	clause := s.clauseLiterals(c)
	kept := s.moveMarked(clause)
	s.writeLemma(clause[:kept]...)
	s.deleteWritten(c)
	s.becomeLemma(c, kept)
}

// becomeLemma notes that the first n literals of clause c are a lemma.
func (s *simplifier) becomeLemma(c, n int) {
	at := &s.clauses[c]
	at.size, at.written, at.input = int32(n), int32(n), false
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

// deleteWritten deletes clause c from the proof, or lists it as obsolete.
func (s *simplifier) deleteWritten(c int) {
	at := s.clauses[c]
	switch {
	case s.opt.Delete == nil || s.refuted:
	case at.input:
		s.listObsolete(c)
	default:
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

// listObsolete lists clause c, if it is a clause of the input: the number of its literals and the literals.
func (s *simplifier) listObsolete(c int) {
	if at := s.clauses[c]; at.input && at.written > 1 && s.opt.Delete != nil {
		s.obsolete = append(s.obsolete, lit(at.written))
		s.obsolete = append(s.obsolete, s.literals[at.start:at.start+at.written]...)
	}
}

// Obsolete yields clauses of the input that a refutation of the simplified formula does not need, in DIMACS
// numbers. Elimination or subsumption has removed them, or a shorter or rewritten clause is a lemma. The
// list is empty without Options.Delete. Each slice is valid until the next one. A proof may
// delete these clauses after all lemmas that were made from the input, by this simplification or another one.
func (r *Result) Obsolete() iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		var clause []int32
		for list := r.obsolete; len(list) > 0; {
			n := 1 + int(list[0])
			clause = clause[:0]
			for _, l := range list[1:n] {
				clause = append(clause, r.inputNumber(l))
			}
			if !yield(clause) {
				return
			}
			list = list[n:]
		}
	}
}

// inputNumber returns the DIMACS number of a literal in the input.
func (r *Result) inputNumber(l lit) int32 {
	x := l.dimacsNumber()
	switch {
	case r.names == nil:
		return x
	case x < 0:
		return -r.names[-x-1]
	}
	return r.names[x-1]
}

// dimacsClause returns the clause in DIMACS numbers. The result is valid until the next call.
func (s *simplifier) dimacsClause(clause []lit) []int32 {
	s.line = s.line[:0]
	for _, l := range clause {
		s.line = append(s.line, l.dimacsNumber())
	}
	return s.line
}
