package cdcl

import "slices"

// Reduction of the learnt clauses. Propagation gets slower with every clause. Clauses are in three
// tiers by their LBD, which is computed again whenever a conflict uses the clause. Tier 1 (up to 2)
// stays for ever; tier 2 (up to 6) stays if a conflict used it since the last reduction; of the
// rest, three quarters are deleted, beginning with the clauses that were not used for the longest time. That
// keeps the database small, which is worth more here than the better choice by LBD: clauses fit
// the cache. Sources: Audemard, Simon 2009; C. Oh, Between SAT and UNSAT, SAT 2015; E. Goldberg, Y.
// Novikov, BerkMin, DATE 2002 (by age).

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
	s.arena[r+1] = state&^lbdMask | lbd | usedFlag
	s.arena[r+2] = uint32(s.stats.Conflicts)
}

// reduce deletes learnt clauses and compacts the arena. It returns false if it refutes the
// formula.
func (s *Solver) reduce() bool {
	s.backtrack(0)
	s.stats.Reductions++
	candidates := s.listCandidates()
	slices.Sort(candidates)
	for _, c := range candidates[len(candidates)/4:] {
		s.deleteClause(ref(uint32(c)))
	}
	s.compactArena()
	s.reduceAt = s.stats.Conflicts + s.tuning.reduce*(s.stats.Reductions+1)
	return s.vivify()
}

// listCandidates returns the learnt clauses that may be deleted, with the conflicts since their
// last use and the reference in one number, so that they sort quickly. It begins a new interval
// of use.
func (s *Solver) listCandidates() []uint64 {
	candidates := s.candidates[:0]
	now := uint32(s.stats.Conflicts)
	for r := ref(1); int(r) < len(s.arena); r = s.after(r) {
		state := s.arena[r+1]
		lbd, used := state&lbdMask, state&usedFlag != 0
		s.arena[r+1] &^= usedFlag
		if state&(learntFlag|deletedFlag) == learntFlag && lbd > tier1LBD && !(used && lbd <= tier2LBD) && s.arena[r] > 2 {
			candidates = append(candidates, uint64(now-s.arena[r+2])<<32|uint64(r))
		}
	}
	s.candidates = candidates
	return candidates
}
