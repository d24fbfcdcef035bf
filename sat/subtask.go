package sat

import "treesplit/search"

var _ search.Subtasker = (*Search)(nil)

// Subtask cuts off the next node at the given depth or deeper; see
// search.Subtasker.
func (s *Search) Subtask(dst []byte, depth, max int) (piece []byte, expanded int, ok bool) {
	for !s.Empty() && !s.Decided() && s.depth < depth {
		if expanded == max {
			return dst, expanded, false
		}
		expanded += s.Expand(1)
	}
	if s.Empty() || s.Decided() {
		return dst, expanded, false
	}
	dst = s.appendNext(dst, false)
	s.skip()
	return dst, expanded, true
}

// skip passes over the next node, to the deepest branch that is still open.
func (s *Search) skip() {
	for s.path[s.depth-1].branch != firstOpen {
		if s.depth--; s.depth == 0 {
			return
		}
		retract(s.free, s.value, s.rule.in, s.path[s.depth-1].literal)
	}
	s.path[s.depth-1].literal ^= 1
	s.path[s.depth-1].branch = second
}
