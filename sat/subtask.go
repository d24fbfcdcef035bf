package sat

import "treesplit/search"

var _ search.Subtasker = (*Search)(nil)

// Subtask cuts off the next node at the given depth or deeper; see search.Subtasker. It cuts off an anchor
// below which nodes are to be repeated at any depth, so that the receivers of several anchors repeat at the
// same time.
func (s *Search) Subtask(dst []byte, depth, limit int) (piece []byte, expanded int, ok bool) {
	for !s.Empty() && !s.Decided() && s.depth < depth && s.owed.all == 0 {
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
