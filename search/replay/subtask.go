package replay

import (
	"encoding/binary"

	"treesplit/search"
)

var _ search.Subtasker = (*Share)(nil)

// Subtask cuts off the next node at the given depth or deeper; see search.Subtasker. The piece
// is one frame with one child. In a timed tree it also cuts off a node that is a subtree and reaches the
// depth: a share of rule cubes cuts off an anchor when it has expanded the nodes above the depth in it.
func (s *Share) Subtask(dst []byte, depth, limit int) (piece []byte, expanded int, ok bool) {
	for !s.Empty() && (s.root || s.nextHeight() < depth && !s.reachesBelow(depth)) {
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

// nextHeight returns the height of the node that is expanded next, which is not the root.
func (s *Share) nextHeight() int {
	f := &s.frames[len(s.frames)-1]
	return int(s.tree.childHeight(f.family, f.height))
}
