package uts

import (
	"encoding/binary"

	"treesplit/search"
)

var _ search.Subtasker = (*Tree)(nil)

// Subtask cuts off the next node at the given depth or deeper; see search.Subtasker. The piece
// has one frame with one child.
func (t *Tree) Subtask(dst []byte, depth, limit int) (piece []byte, expanded int, ok bool) {
	for !t.Empty() && (t.root || int(t.frames[len(t.frames)-1].height)+1 < depth) {
		if expanded == limit {
			return dst, expanded, false
		}
		expanded += t.Expand(1)
	}
	if expanded > 0 || t.Empty() {
		return dst, expanded, false
	}
	f := &t.frames[len(t.frames)-1]
	dst = binary.AppendUvarint(append(dst, pieceVersion), 1)
	dst = f.appendFrame(dst, 0, f.lo, f.lo+1)
	if f.lo++; f.lo == f.hi {
		t.frames = t.frames[:len(t.frames)-1]
	}
	return dst, expanded, true
}
