package puzzle

import "treesplit/search"

var _ search.Subtasker = (*Search)(nil)

// Subtask cuts off the next node at the given depth or deeper; see
// search.Subtasker. Nothing is searched in bulk on the way.
func (s *Search) Subtask(dst []byte, depth, limit int) (piece []byte, expanded int, ok bool) {
	before := s.counts.Expanded
	for !s.Empty() && !s.Decided() && (s.atRoot || s.depth+1 < depth) {
		if expanded = int(s.counts.Expanded - before); expanded == limit {
			return dst, expanded, false
		}
		s.processNextNode(0)
	}
	expanded = int(s.counts.Expanded - before)
	if expanded > 0 || s.Empty() || s.Decided() {
		return dst, expanded, false
	}
	f := &s.frames[s.depth]
	dst, masks := s.appendPath(dst, s.depth)
	addGivenMoves(masks, s.depth, f.open.selectRange(0, 1))
	f.open &= f.open - 1
	s.settleStack()
	return dst, expanded, true
}
