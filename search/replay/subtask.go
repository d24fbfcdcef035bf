package replay

import (
	"encoding/binary"

	"treesplit/search"
)

var _ search.Subtasker = (*Share)(nil)

// Subtask cuts off the next node at the given depth or deeper; see search.Subtasker. The piece
// is one frame with one child.
func (s *Share) Subtask(dst []byte, depth, limit int) (piece []byte, expanded int, ok bool) {
	for !s.Empty() && (s.root || int(s.frames[len(s.frames)-1].height)+1 < depth) {
		if expanded == limit {
			return dst, expanded, false
		}
		expanded += s.Expand(1)
	}
	if expanded > 0 || s.Empty() {
		return dst, expanded, false
	}
	f := &s.frames[len(s.frames)-1]
	s.left -= s.tree.countNodes(f.family, f.lo, f.lo+1)
	dst = appendFrame(binary.AppendUvarint(append(dst, pieceVersion), 1), *f, f.lo, 1)
	if f.lo++; f.lo == f.hi {
		s.frames = s.frames[:len(s.frames)-1]
	}
	return dst, expanded, true
}
