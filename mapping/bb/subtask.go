package bb

// Subtask cuts off the next node at the given depth or deeper; see search.Subtasker. It
// is a piece with one child.
func (s *Search) Subtask(dst []byte, depth, limit int) (piece []byte, expanded int, ok bool) {
	s.settleStack()
	for !s.Empty() && (s.atRoot || s.depth+1 < depth) {
		if expanded == limit {
			return dst, expanded, false
		}
		expanded += s.Expand(1)
	}
	if expanded > 0 || s.Empty() {
		return dst, expanded, false
	}
	dst = s.appendPath(dst, s.depth)
	for range s.depth {
		dst = append(dst, 0)
	}
	// The first child changes places with the last, which appendKids gives.
	l := &s.levels[s.depth]
	row := s.kids[s.depth*s.in.p:]
	first := row[l.lo]
	copy(row[l.lo:l.hi-1], row[l.lo+1:l.hi])
	row[l.hi-1] = first
	dst = s.appendKids(dst, s.depth, 1)
	s.settleStack()
	return dst, expanded, true
}
