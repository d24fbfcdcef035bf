package cdcl

import "iter"

// Export of what was learnt, for other solvers of the same formula. Every exported clause follows
// from the clauses of the caller alone, because assumptions are decisions. Units and clauses of two
// literals are worth giving to any solver: they make formulas shorter, and cost little. Source: Y.
// Hamadi, S. Jabbour, L. Saïs, ManySAT: a Parallel SAT Solver, JSAT 6 (2009), for the exchange of
// short clauses.

// Units yields the DIMACS literals that hold at level 0. It must not be interrupted by calls that
// change the solver.
func (s *Solver) Units() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		end := s.assigned
		if len(s.control) > 0 {
			end = s.control[0]
		}
		for _, l := range s.trail[:end] {
			if !yield(s.dimacs(l)) {
				return
			}
		}
	}
}

// Learnt yields the learnt clauses of two and more literals that the solver has now, as DIMACS
// literals, in the order of learning. Clauses that are true at level 0 are among them until the
// next reduction. The slice is valid until the next step.
func (s *Solver) Learnt() iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		for r := ref(1); int(r) < len(s.arena); r = s.after(r) {
			if s.arena[r+1]&(learntFlag|deletedFlag) == learntFlag && !yield(s.dimacsLine(s.literals(r))) {
				return
			}
		}
	}
}

// LastLemma returns the clause that the solver has learnt from the conflict with which the last Continue
// ended, as DIMACS literals, and its LBD. It returns no literals if Continue ended in another way, or the
// clause has more than most literals. So a caller that continues by one conflict at a time sees each lemma. The
// slice is valid until the next call.
func (s *Solver) LastLemma(most int) (clause []int32, lbd int) {
	if !s.taught || len(s.lemma) > most {
		return nil, 0
	}
	return s.dimacsLine(s.lemma), int(s.lemmaLBD)
}
