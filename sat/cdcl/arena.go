package cdcl

// The arena. All clauses lie in one slice of 32-bit words, one after the other, so that a
// reference takes 32 bits, clauses that were learnt together lie together, and the garbage
// collector of Go has no pointer to follow. A clause is
//
//	size      number of literals
//	state     LBD and flags, below
//	use       number of conflicts when a conflict used it last, modulo 2^32
//	literals  the first two are watched
//	id        two words, only if hints are requested
//
// Deleted clauses are marked, and removed when the arena is compacted at level 0, where no
// reason needs a reference. Compaction also removes the clauses that are true at level 0 and the
// literals that are false there. Source: MiniSat 2.2 (RegionAllocator); Eén, Sörensson 2003.

const header = 3 // words before the literals

// The word "state" of a clause.
const (
	lbdMask      = 1<<20 - 1
	usedFlag     = 1 << 20 // a conflict used it since the last reduction
	learntFlag   = 1 << 22
	deletedFlag  = 1 << 23
	vivifiedFlag = 1 << 24 // vivification has tried it
)

// storeClause appends a clause to the arena. state is 0 for a clause of the formula.
func (s *Solver) storeClause(clause []lit, state uint32, id uint64) ref {
	r := ref(len(s.arena))
	if len(s.arena)+len(clause)+header+s.extra >= int(binaryFlag) {
		panic("cdcl: the clauses take more than 8 GiB")
	}
	s.arena = append(s.arena, uint32(len(clause)), state, uint32(s.stats.Conflicts))
	s.arena = append(s.arena, clause...)
	if s.extra != 0 {
		s.arena = append(s.arena, uint32(id), uint32(id>>32))
	}
	return r
}

// literals returns the literals of a clause in the arena, as words.
func (s *Solver) literals(r ref) []lit {
	return s.arena[r+header:][:s.arena[r]]
}

// clauseID returns the id of a clause in the arena, 0 if hints are not requested.
func (s *Solver) clauseID(r ref) uint64 {
	if s.extra == 0 {
		return 0
	}
	at := int(r) + header + int(s.arena[r])
	return uint64(s.arena[at]) | uint64(s.arena[at+1])<<32
}

// after returns the reference of the clause after r, or len(arena).
func (s *Solver) after(r ref) ref { return r + header + ref(s.arena[r]) + ref(s.extra) }

// deleteClause marks a learnt clause as deleted. Its watches remain until compactArena.
func (s *Solver) deleteClause(r ref) {
	s.arena[r+1] |= deletedFlag
	s.stats.Deleted++
	s.logDeletion(r)
}

// compactArena removes clauses that are deleted or true, and makes all watches again. The trail
// must be at level 0 and propagated.
func (s *Solver) compactArena() {
	s.dropReasons()
	s.garbage = 0
	to := ref(1)
	for r, next := ref(1), ref(0); int(r) < len(s.arena); r = next {
		next = s.after(r)
		if s.arena[r+1]&deletedFlag == 0 && s.isTrueAtRoot(r) {
			s.dropTrue(r)
		}
		if s.arena[r+1]&deletedFlag == 0 {
			to = s.moveClause(r, to)
		}
	}
	s.arena = s.arena[:to]
	s.rebuildWatches()
}

// isTrueAtRoot reports whether a literal of the clause is true. The trail is at level 0.
func (s *Solver) isTrueAtRoot(r ref) bool {
	for _, l := range s.literals(r) {
		if s.values[l] > 0 {
			return true
		}
	}
	return false
}

// dropTrue marks a clause that is true at level 0 as deleted.
func (s *Solver) dropTrue(r ref) {
	if s.arena[r+1]&learntFlag != 0 {
		s.logDeletion(r)
	}
	s.arena[r+1] |= deletedFlag
}

// moveClause moves a clause down to index to, without its false literals, and returns the index
// after it. A shortened clause is a lemma. A shortened clause of the formula stays part of the
// formula here, but the proof does not delete it.
func (s *Solver) moveClause(r, to ref) ref {
	clause := s.literals(r)
	short := s.short[:0]
	for _, l := range clause {
		if s.values[l] == 0 {
			short = append(short, l)
		}
	}
	s.short = short
	id, state := s.clauseID(r), s.arena[r+1]
	if len(short) < len(clause) {
		id = s.logShortened(short, clause, id)
		if state&learntFlag != 0 {
			s.logDeletion(r)
		}
		state = state&^lbdMask | min(state&lbdMask, uint32(len(short)))
	}
	s.arena[to], s.arena[to+1], s.arena[to+2] = uint32(len(short)), state, s.arena[r+2]
	copy(s.arena[to+header:], short)
	end := to + header + ref(len(short))
	if s.extra != 0 {
		s.arena[end], s.arena[end+1] = uint32(id), uint32(id>>32)
	}
	return end + ref(s.extra)
}
