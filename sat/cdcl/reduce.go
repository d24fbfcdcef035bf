package cdcl

import "slices"

// Reduction of the learnt clauses. Propagation gets slower with every clause. Clauses are in three
// tiers by their LBD, which is computed again whenever a conflict uses the clause. Tier 1 (up to 2)
// stays for ever; tier 2 (up to 6) stays as long as it was used since the reduction before the
// last; of the rest, those not used since the last reduction are candidates, and three quarters of
// them are deleted, those of high LBD first. Sources: Audemard, Simon 2009; C. Oh, Between SAT and
// UNSAT, SAT 2015; CaDiCaL's reduce.cpp.

const (
	tier1LBD = 2
	tier2LBD = 6
)

// noteUse records that a conflict used a learnt clause, all of whose literals have values.
func (s *Solver) noteUse(r ref) {
	state := s.arena[r+1]
	lbd := state & lbdMask
	if lbd > tier1LBD {
		lbd = min(lbd, s.computeLBD(s.literals(r)))
	}
	used := uint32(1)
	if lbd <= tier2LBD {
		used = 2
	}
	s.arena[r+1] = state&^(lbdMask|usedMask) | lbd | used<<usedShift
}

// reduce deletes learnt clauses and compacts the arena. It returns false if it refutes the
// formula.
func (s *Solver) reduce() bool {
	s.backtrack(0)
	s.stats.Reductions++
	candidates := s.listCandidates()
	slices.Sort(candidates)
	for _, c := range candidates[len(candidates)/4:] {
		s.deleteClause(ref(c))
	}
	s.compactArena()
	s.reduceAt = s.stats.Conflicts + s.tuning.reduce*(s.stats.Reductions+1)
	return s.vivify()
}

// listCandidates returns the learnt clauses that may be deleted, with LBD, size and reference in
// one number, so that they sort quickly. It ages all clauses.
func (s *Solver) listCandidates() (candidates []uint64) {
	for r := ref(1); int(r) < len(s.arena); r = s.after(r) {
		state := s.arena[r+1]
		switch {
		case state&learntFlag == 0 || state&deletedFlag != 0:
		case state&usedMask != 0:
			s.arena[r+1] -= 1 << usedShift
		case state&lbdMask > tier1LBD && s.arena[r] > 2:
			lbd, size := min(state&lbdMask, 1<<16-1), min(s.arena[r], 1<<16-1)
			candidates = append(candidates, uint64(lbd)<<48|uint64(size)<<32|uint64(r))
		}
	}
	return candidates
}
