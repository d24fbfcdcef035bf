package sat

import "treesplit/search"

var _ search.Subtasker = (*Search)(nil)

// Subtask cuts off the next node at the given depth or deeper; see search.Subtasker.
func (s *Search) Subtask(dst []byte, depth, limit int) (piece []byte, expanded int, ok bool) {
	for !s.Empty() && !s.Decided() && s.depth < depth {
		if expanded == limit {
			return dst, expanded, false
		}
		expanded += s.Expand(1)
	}
	if expanded > 0 || s.Empty() || s.Decided() {
		return dst, expanded, false
	}
	done := s.retreat()
	dst = s.appendNext(dst, done, false)
	s.advanceToOpen()
	return dst, expanded, true
}
