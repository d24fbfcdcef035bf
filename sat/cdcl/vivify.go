package cdcl

import "slices"

// Vivification shortens learnt clauses. The literals of a clause are made false one after the
// other and propagated, without the clause itself. If that leads to a conflict or makes another
// literal of the clause true, the decisions that are needed for it form a shorter clause. A
// literal that becomes false by itself can be dropped. Only clauses of low LBD are tried, each
// once after it was learnt, within a share of the ticks of the search. Sources: C. Piette, Y.
// Hamadi, L. Saïs, Vivifying Propositional Clausal Formulae, ECAI 2008; M. Luo et al., An
// Effective Learnt Clause Minimization Approach for CDCL SAT Solvers, IJCAI 2017; C.-M. Li et
// al., Clause Vivification by Unit Propagation in CDCL SAT Solvers, AIJ 279 (2020).

// vivify tries learnt clauses of tiers 1 and 2 until its ticks are spent. It returns false if it
// refutes the formula.
func (s *Solver) vivify() bool {
	budget := s.stats.Ticks*s.tuning.vivifyShare/100 - s.vivifyDone
	if budget <= 0 {
		return true
	}
	start := s.stats.Ticks
	s.probing = true
	candidates := s.listVivifiable()
	count := s.countLiterals(candidates)
	for _, c := range candidates {
		if s.refuted || s.stats.Ticks-start > budget {
			break
		}
		s.vivifyClause(ref(uint32(c)), count)
	}
	s.probing = false
	s.vivifyDone += s.stats.Ticks - start
	s.stats.Ticks = start // the modes and this budget count the search alone
	return !s.refuted
}

// listVivifiable returns the clauses to try, low LBD first, as LBD, size and reference in one
// number.
func (s *Solver) listVivifiable() []uint64 {
	candidates := s.candidates[:0]
	for r := ref(1); int(r) < len(s.arena); r = s.after(r) {
		state := s.arena[r+1]
		if lbd := state & lbdMask; state&(learntFlag|vivifiedFlag|deletedFlag) == learntFlag && lbd <= tier2LBD && s.arena[r] > 2 {
			candidates = append(candidates, uint64(lbd)<<48|uint64(min(s.arena[r], 1<<16-1))<<32|uint64(r))
		}
	}
	slices.Sort(candidates)
	s.candidates = candidates
	return candidates
}

// countLiterals counts how often each literal occurs in the clauses.
func (s *Solver) countLiterals(candidates []uint64) []int32 {
	for len(s.occurrences) < len(s.values) {
		s.occurrences = append(s.occurrences, 0)
	}
	count := s.occurrences
	clear(count)
	for _, c := range candidates {
		for _, l := range s.literals(ref(uint32(c))) {
			count[l]++
		}
	}
	return count
}

// vivifyClause tries one clause. Frequent literals come first, because their negations imply more.
func (s *Solver) vivifyClause(r ref, count []int32) {
	s.arena[r+1] |= vivifiedFlag
	if s.isTrueAtRoot(r) {
		return // the next compaction removes it
	}
	s.short = append(s.short[:0], s.literals(r)...)
	slices.SortFunc(s.short, func(a, b lit) int {
		if count[a] != count[b] {
			return int(count[b]) - int(count[a])
		}
		return int(int32(a) - int32(b))
	})
	s.unwatchClause(r)
	conflict, pivot := s.falsifyLiterals(r)
	s.deriveShorter(conflict, pivot)
	if len(s.lemma) < len(s.short) {
		s.replaceClause(r, conflict)
		return
	}
	s.clearMarks()
	s.backtrack(0)
	s.watchClause(r)
}

// falsifyLiterals makes the literals of short false, one after the other. It returns the clause
// that is the last step of the proof of a shorter clause, and the literal that became true by it,
// or no literal in a conflict. If neither happens, that is the clause r itself.
func (s *Solver) falsifyLiterals(r ref) (conflict ref, pivot lit) {
	for _, l := range s.short {
		switch v := s.values[l]; {
		case v > 0:
			return s.vars[l>>1].reason, l
		case v == 0:
			s.decideLiteral(l ^ 1)
			if conflict := s.propagate(); conflict != none {
				return conflict, noLiteral
			}
		}
	}
	return r, noLiteral
}

const noLiteral = ^lit(0)

// deriveShorter computes the lemma: the negated decisions from which the conflict or the pivot
// follows, and the pivot.
func (s *Solver) deriveShorter(conflict ref, pivot lit) {
	s.lemma = s.lemma[:0]
	if pivot != noLiteral {
		s.lemma = append(s.lemma, pivot)
	}
	s.markAntecedents(conflict, pivot)
	for at := s.assigned - 1; at >= 0 && s.vars[s.trail[at]>>1].level > 0; at-- {
		l := s.trail[at]
		switch x := s.vars[l>>1]; {
		case s.marks[l>>1]&seenMark == 0:
		case x.reason == none:
			s.lemma = append(s.lemma, l^1)
		default:
			s.markAntecedents(s.reasonOf(l), l)
		}
	}
}

// markAntecedents marks the literals of a clause except the pivot. In a conflict of two literals
// conflictLit is one of them.
func (s *Solver) markAntecedents(clause ref, pivot lit) {
	if clause >= binaryFlag && pivot == noLiteral {
		s.markVariable(s.conflictLit>>1, seenMark)
	}
	for l := range s.clauseLiterals(clause) {
		if l != pivot {
			s.markVariable(l>>1, seenMark)
		}
	}
}

// replaceClause replaces the clause by the lemma, at level 0.
func (s *Solver) replaceClause(r, conflict ref) {
	s.stats.Vivified++
	s.binaries = s.binaries[:0]
	id := s.logLemma(conflict)
	s.clearMarks()
	s.backtrack(0)
	state := s.arena[r+1]
	s.deleteClause(r)
	if len(s.lemma) > 1 {
		lbd := min(state&lbdMask, uint32(len(s.lemma)-1))
		s.watchClause(s.storeClause(s.lemma, state&^lbdMask|lbd, id))
		return
	}
	s.assign(s.lemma[0], none)
	s.noteUnit(s.lemma[0], id)
	if conflict := s.propagate(); conflict != none {
		s.refuteAtRoot(conflict)
	} else {
		s.settleRoot()
	}
}
