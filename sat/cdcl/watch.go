package cdcl

// Watches. Each clause is in the lists of its first two literals. A list is visited when its
// literal becomes false. A watch has another literal of the clause, the blocker: if that is true,
// the clause need not be looked at. A clause of two literals is complete in its watches, so
// propagation never touches it in the arena. All lists lie in one slice, without pointers. A full
// list moves to the end of the slice with twice the room. Sources: M. Moskewicz et al., Chaff,
// DAC 2001; N. Sörensson, N. Eén, MiniSat 2.1 and MiniSat++ 1.0 (blockers), 2008.

// watch is an entry of a list.
type watch struct {
	blocker lit
	clause  ref // with binaryFlag if the clause has no other literals than these two
}

// list is the part pool[start:start+size] of the pool, with room to pool[start+room].
type list struct{ start, size, room uint32 }

// watchesOf returns the list of a literal. It is valid until a list grows.
func (s *Solver) watchesOf(l lit) []watch {
	h := s.lists[l]
	return s.pool[h.start:][:h.size]
}

// watchClause enters a clause of the arena into the lists of its first two literals.
func (s *Solver) watchClause(r ref) {
	a, b := s.arena[r+header], s.arena[r+header+1]
	name := r
	if s.arena[r] == 2 {
		name |= binaryFlag
	}
	s.pushWatch(a, watch{b, name})
	s.pushWatch(b, watch{a, name})
}

// pushWatch appends to a list.
func (s *Solver) pushWatch(l lit, w watch) {
	if h := &s.lists[l]; h.size == h.room {
		s.growList(h)
	}
	h := &s.lists[l]
	s.pool[h.start+h.size] = w
	h.size++
}

// growList moves a list to the end of the pool with more room.
func (s *Solver) growList(h *list) {
	start, room := uint32(len(s.pool)), max(4, 2*h.room)
	s.pool = append(s.pool, s.pool[h.start:][:h.size]...)
	for uint32(len(s.pool)) < start+room {
		s.pool = append(s.pool, watch{})
	}
	h.start, h.room = start, room
}

// unwatchClause removes a clause from the lists of its first two literals.
func (s *Solver) unwatchClause(r ref) {
	s.removeWatch(s.arena[r+header], r)
	s.removeWatch(s.arena[r+header+1], r)
}

// removeWatch removes a clause from a list and keeps the order of the others.
func (s *Solver) removeWatch(l lit, r ref) {
	ws := s.watchesOf(l)
	for i := range ws {
		if ws[i].clause&^binaryFlag == r {
			copy(ws[i:], ws[i+1:])
			s.lists[l].size--
			return
		}
	}
}

// rebuildWatches makes all lists from the arena, clauses of two literals first in each list,
// because they are the cheapest to visit.
func (s *Solver) rebuildWatches() {
	for l := range s.lists {
		s.lists[l] = list{}
	}
	for r := ref(1); int(r) < len(s.arena); r = s.after(r) {
		s.lists[s.arena[r+header]].room++
		s.lists[s.arena[r+header+1]].room++
	}
	s.carveLists()
	for _, binary := range [...]bool{true, false} {
		for r := ref(1); int(r) < len(s.arena); r = s.after(r) {
			if (s.arena[r] == 2) == binary {
				s.watchClause(r)
			}
		}
	}
}

// carveLists gives each list its place in the pool, with a third more room than it needs now.
func (s *Solver) carveLists() {
	start := uint32(0)
	for l := range s.lists {
		h := &s.lists[l]
		h.start, h.room = start, h.room+h.room/3+2
		start += h.room
	}
	if int(start) > cap(s.pool) {
		s.pool = make([]watch, start, start+start/4)
	}
	s.pool = s.pool[:start]
}
