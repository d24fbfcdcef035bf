package cdcl

// Unit propagation by two watched literals. When a literal becomes false, each clause in its list
// is true already, finds another literal to watch, forces its last literal, or is a conflict. The
// loop takes most of the time of the solver: it has no call in the common cases, allocates
// nothing unless a list grows, and keeps the slices in local variables. Source: Moskewicz et al.,
// Chaff, DAC 2001; I. Gent, Optimal Implementation of Watched Literals, JAIR 48 (2013), for the
// order of the tests.

// propagate propagates the trail. It returns the clause that became false, or none. For a clause
// of two literals the reference has binaryFlag and one literal, and conflictLit is the other one.
func (s *Solver) propagate() ref {
	start := s.head
	conflict := none
	for conflict == none && s.head < s.assigned {
		l := s.trail[s.head] ^ 1
		s.head++
		conflict = s.visitWatches(l)
	}
	s.stats.Propagations += int64(s.head - start)
	return conflict
}

// visitWatches visits the list of a literal that became false.
func (s *Solver) visitWatches(falsified lit) (conflict ref) {
	h := s.lists[falsified]
	values, arena := s.values, s.arena
	ws := s.pool[h.start:][:h.size]
	ticks := 1 + len(ws)>>3
	kept, i := 0, 0
	for i < len(ws) {
		w := ws[i]
		i++
		ws[kept] = w
		kept++
		b := values[w.blocker]
		if b > 0 {
			continue
		}
		if w.clause >= binaryFlag {
			if b < 0 {
				s.conflictLit, conflict = falsified, binaryFlag|ref(w.blocker)
				break
			}
			s.assign(w.blocker, binaryFlag|ref(falsified))
			continue
		}
		ticks++
		clause := arena[w.clause+header:][:arena[w.clause]]
		other := clause[0] ^ clause[1] ^ falsified
		v := values[other]
		if v > 0 {
			ws[kept-1].blocker = other
			continue
		}
		k := 2
		for k < len(clause) && values[clause[k]] < 0 {
			k++
		}
		switch {
		case k < len(clause) && values[clause[k]] > 0: // true: a good blocker, no need to move
			ws[kept-1].blocker = clause[k]
		case k < len(clause):
			l := clause[k]
			clause[0], clause[1], clause[k] = other, l, falsified
			kept--
			if g := &s.lists[l]; g.size == g.room {
				s.growList(g)
				ws = s.pool[h.start:][:h.size]
			}
			g := &s.lists[l]
			s.pool[g.start+g.size] = watch{other, w.clause}
			g.size++
		case v < 0:
			conflict = w.clause
		default:
			s.assign(other, w.clause)
		}
		if conflict != none {
			break
		}
	}
	s.stats.Ticks += int64(ticks)
	kept += copy(ws[kept:], ws[i:])
	s.lists[falsified].size = uint32(kept)
	return conflict
}
