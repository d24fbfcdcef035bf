package sat

import (
	"encoding/binary"

	"treesplit/search"
)

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
	dst = s.appendNode(dst)
	s.skip()
	return dst, expanded, true
}

// appendNode appends the piece that is the next node alone.
func (s *Search) appendNode(dst []byte) []byte {
	dst = binary.AppendUvarint(append(dst, pieceVersion), uint64(s.depth))
	bits := len(dst)
	for i, d := range s.path[:s.depth] {
		if i%4 == 0 {
			dst = append(dst, 0)
		}
		b := firstOnly
		switch {
		case i < s.depth-1 && d.branch == second:
			b = second
		case i == s.depth-1 && d.branch == second:
			b = firstOpen // the receiver is given the second branch
		case i == s.depth-1:
			b = firstGiven
		}
		dst[bits+i/4] |= byte(b) << (i % 4 * 2)
	}
	return dst
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
