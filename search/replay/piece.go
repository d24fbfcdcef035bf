package replay

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"treesplit/internal/wire"
	"treesplit/search"
)

// A piece is one byte for the version of the format, the number of its frames (0 for the whole
// tree), and the frames in the order of the stack, each as
//
//	uvarint  index of the family
//	uvarint  height of the node
//	uvarint  lo
//	uvarint  hi − lo, at least 1
//
// The indices are valid only for the same Tree: pieces do not leave the process.
const pieceVersion = 1

// maxHeight is the greatest height that a piece may contain, so that depths do not overflow.
const maxHeight = 1 << 30

// openFrames is a Share's stack as a splitting function uses it: a level is a frame. Every
// frame has unexpanded children. So ChooseCuts makes the same choice from the frames nearest
// to the root as from the whole stack, and a split takes time proportional to search.MaxLevels
// for any depth of the tree.
type openFrames Share

func (o *openFrames) Levels() int {
	return min(len(o.frames)-o.base, max(search.MaxLevels, o.split.MinOpen))
}

func (o *openFrames) Open(level int) int {
	f := &o.frames[o.base+level]
	open := int(f.hi - f.lo)
	if o.base+level == len(o.frames)-1 {
		open-- // the donor keeps the child that is expanded next
	}
	return open
}

func (o *openFrames) Depth(level int) int {
	f := &o.frames[o.base+level]
	return int(o.tree.childHeight(f.family, f.height))
}

// Split cuts off the children that the splitting function chooses: the last children of each
// frame concerned.
func (s *Share) Split(dst []byte) (piece []byte, ok bool) {
	s.cuts, ok = s.split.ChooseCuts((*openFrames)(s), s.cuts[:0])
	if !ok {
		return dst, false
	}
	dst = slices.Grow(dst, 2+8*len(s.cuts)) // enough except for large trees
	dst = binary.AppendUvarint(append(dst, pieceVersion), uint64(len(s.cuts)))
	for _, c := range s.cuts {
		f := &s.frames[s.base+c.Level]
		f.hi -= uint32(c.Count)
		s.left -= s.tree.countNodes(f.family, f.hi, f.hi+uint32(c.Count))
		dst = appendFrame(dst, *f, f.hi, uint32(c.Count))
	}
	s.dropEmptied(s.cuts[len(s.cuts)-1].Level)
	return dst, true
}

// Pack gives away the whole stack, or the whole tree if no node was expanded. It panics on an
// empty share.
func (s *Share) Pack(dst []byte) (piece []byte) {
	if s.Empty() {
		panic("replay: an empty share cannot be packed")
	}
	stack := s.frames[s.base:]
	dst = binary.AppendUvarint(append(dst, pieceVersion), uint64(len(stack)))
	for _, f := range stack {
		dst = appendFrame(dst, f, f.lo, f.hi-f.lo)
	}
	s.root, s.frames, s.base, s.left = false, s.frames[:0], 0, 0
	return dst
}

// appendFrame appends count children of a frame, from lo on, to a piece.
func appendFrame(dst []byte, f frame, lo, count uint32) []byte {
	dst = binary.AppendUvarint(dst, uint64(f.family))
	dst = binary.AppendUvarint(dst, uint64(f.height))
	dst = binary.AppendUvarint(dst, uint64(lo))
	return binary.AppendUvarint(dst, uint64(count))
}

// dropEmptied removes the frames up to the given level that have no children left. It moves
// the other frames below the level up, not the rest of the stack down. It reclaims the free
// space at the root end when this is larger than the stack itself.
func (s *Share) dropEmptied(level int) {
	kept := s.base + level + 1
	for l := s.base + level; l >= s.base; l-- {
		if f := s.frames[l]; f.lo < f.hi {
			kept--
			s.frames[kept] = f
		}
	}
	s.base = kept
	if live := s.frames[s.base:]; s.base > len(live) {
		s.frames = s.frames[:copy(s.frames, live)]
		s.base = 0
	}
}

// Accept takes over a piece that another share of the same tree has split off. It refuses a
// piece that is impossible for this tree.
func (s *Share) Accept(piece []byte) error {
	if !s.Empty() {
		return errors.New("replay: the share is not empty: it cannot accept a piece")
	}
	frames, err := s.tree.decodePiece(piece, s.frames[:0])
	if err != nil {
		return fmt.Errorf("replay: a piece of %d bytes is invalid: %w", len(piece), err)
	}
	s.root, s.frames, s.base = len(frames) == 0, frames, 0
	s.left = s.Left()
	return nil
}

// NodesInPiece returns the number of nodes of a piece, or 0 if it is no piece of this tree.
func (t *Tree) NodesInPiece(piece []byte) (nodes int64) {
	frames, err := t.decodePiece(piece, nil)
	if err != nil {
		return 0
	}
	if len(frames) == 0 {
		return t.nodes
	}
	for _, f := range frames {
		nodes += t.countNodes(f.family, f.lo, f.hi)
	}
	return nodes
}

// most is the largest number in a frame.
const most = math.MaxUint32

// decodePiece appends the frames of a piece to dst: none for the whole tree.
func (t *Tree) decodePiece(piece []byte, dst []frame) ([]frame, error) {
	if len(piece) == 0 || piece[0] != pieceVersion {
		return nil, fmt.Errorf("the piece does not begin with version %d", pieceVersion)
	}
	in := wire.NewReader(piece[1:])
	count := in.Uvarint(math.MaxUint64)
	if in.Err() != nil {
		return nil, fmt.Errorf("the number of frames is invalid: %w", in.Err())
	}
	for i := range count {
		family, height, lo, n := in.Uvarint(most), in.Uvarint(most), in.Uvarint(most), in.Uvarint(most)
		switch {
		case in.Err() != nil:
			return nil, fmt.Errorf("frame %d of %d is invalid: %w", i, count, in.Err())
		case family >= uint64(len(t.words)) || t.words[family]&familyFlag == 0:
			return nil, fmt.Errorf("frame %d: there is no family at index %d", i, family)
		case height > maxHeight:
			return nil, fmt.Errorf("frame %d: height %d is too large: expected at most %d", i, height, maxHeight)
		}
		children := uint64(t.countChildren(uint32(family)))
		if lo >= children || n == 0 || n > children-lo {
			return nil, fmt.Errorf("frame %d: it has %[3]d children from child %[2]d on: expected some of the node's %[4]d", i, lo, n, children)
		}
		dst = append(dst, frame{family: uint32(family), lo: uint32(lo), hi: uint32(lo + n), height: int32(height)})
	}
	if left := len(in.Rest()); left > 0 {
		return nil, fmt.Errorf("%d bytes follow the last of %d frames: expected none", left, count)
	}
	return dst, nil
}
