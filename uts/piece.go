package uts

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"treesplit/internal/wire"
	"treesplit/search"
)

// A piece is a byte for the version of the format, the number of frames cut off as a
// uvarint, 0 for the whole tree, and then these frames in the order of the stack, each
// as
//
//	uvarint  height less that of the frame before (the first: height)
//	20 bytes state
//	uvarint  lo
//	uvarint  hi − lo, at least 1
//	8 bytes  the weight of each child, IEEE 754, big-endian
//
// Children lo ≤ i < hi of the node with that state are given. A frame takes about 31
// bytes; search.MaxLevels bounds their number in a piece that was split off.
const pieceVersion = 2

// maxHeight is the greatest height that a piece may name: far beyond every published
// tree, and so low that the heights below it cannot overflow.
const maxHeight = 1 << 30

// openFrames is a Tree's stack as a splitting function sees it. Every frame of the
// stack has unvisited children, so ChooseCuts cannot tell a view of the frames nearest
// to the root from the whole stack, and a split takes time in proportion to
// search.MaxLevels however deep the tree is.
type openFrames Tree

func (o *openFrames) Levels() int {
	return min(len(o.frames)-o.base, max(search.MaxLevels, o.split.MinOpen))
}

func (o *openFrames) Open(level int) int {
	f := &o.frames[o.base+level]
	open := int(f.hi - f.lo)
	if o.base+level == len(o.frames)-1 {
		open-- // the donor keeps the child that is visited next
	}
	return open
}

func (o *openFrames) Depth(level int) int { return int(o.frames[o.base+level].height) + 1 }

// Split cuts off what the splitting function chooses. Of each frame concerned the
// last children are given, and the donor goes on with the others. It takes
// O(search.MaxLevels) amortised and allocates only where dst has no room.
func (t *Tree) Split(dst []byte) (piece []byte, ok bool) {
	t.cuts, ok = t.split.ChooseCuts((*openFrames)(t), t.cuts[:0])
	if !ok {
		return dst, false
	}
	dst = binary.AppendUvarint(append(dst, pieceVersion), uint64(len(t.cuts)))
	height := int32(0)
	for _, c := range t.cuts {
		f := &t.frames[t.base+c.Level]
		hi := f.hi
		f.hi -= int32(c.Count)
		dst = f.appendFrame(dst, height, f.hi, hi)
		height = f.height
	}
	t.dropEmptied(t.cuts[len(t.cuts)-1].Level)
	return dst, true
}

// Pack gives away the whole stack, or the tree that was not begun. It panics on an
// empty share. It takes O(frames) and allocates only where dst has no room.
func (t *Tree) Pack(dst []byte) (piece []byte) {
	if t.Empty() {
		panic("uts: nothing to pack")
	}
	stack := t.frames[t.base:]
	dst = binary.AppendUvarint(append(dst, pieceVersion), uint64(len(stack)))
	height := int32(0)
	for i := range stack {
		f := &stack[i]
		dst = f.appendFrame(dst, height, f.lo, f.hi)
		height = f.height
	}
	t.root, t.frames, t.base = false, t.frames[:0], 0
	return dst
}

// appendFrame appends children lo ≤ i < hi of a frame to a piece in which the frame before
// has the given height.
func (f *frame) appendFrame(dst []byte, height, lo, hi int32) []byte {
	dst = binary.AppendUvarint(dst, uint64(f.height-height))
	bytes := f.state.encodeBytes()
	dst = append(dst, bytes[:]...)
	dst = binary.AppendUvarint(dst, uint64(lo))
	dst = binary.AppendUvarint(dst, uint64(hi-lo))
	return binary.BigEndian.AppendUint64(dst, math.Float64bits(f.weight))
}

// dropEmptied removes the frames up to the given level that have nothing left. It
// moves those below the level up, not the rest of the stack down, and takes up the
// room so lost once it is more than the stack itself.
func (t *Tree) dropEmptied(level int) {
	kept := t.base + level + 1
	for l := t.base + level; l >= t.base; l-- {
		if f := t.frames[l]; f.lo < f.hi {
			kept--
			t.frames[kept] = f
		}
	}
	t.base = kept
	if live := t.frames[t.base:]; t.base > len(live) {
		t.frames = t.frames[:copy(t.frames, live)]
		t.base = 0
	}
}

// Accept takes over a piece that another share of the same tree has split off. The
// share must be empty. A piece that could not come from this tree's parameters is
// refused: each frame's children must exist, by its own state and height. Whether the
// state itself occurs in the tree only the sender knows.
func (t *Tree) Accept(piece []byte) error {
	if !t.Empty() {
		return errors.New("uts: a piece for a share that is not empty")
	}
	if len(piece) == 0 || piece[0] != pieceVersion {
		return fmt.Errorf("uts: a piece that does not begin with version %d", pieceVersion)
	}
	t.frames, t.base = t.frames[:0], 0
	if err := t.decodeFrames(wire.NewReader(piece[1:])); err != nil {
		t.frames = t.frames[:0]
		return fmt.Errorf("uts: piece of %d bytes: %w", len(piece), err)
	}
	t.root = len(t.frames) == 0
	return nil
}

// most bounds the numbers of a piece, so that sums and differences of a few of them cannot
// overflow.
const most = 1 << 32

// decodeFrames pushes all frames of a piece, of which the version has been read. The
// stack grows with what is read, not with what the piece announces.
func (t *Tree) decodeFrames(in wire.Reader) error {
	count, height, weight := in.Uvarint(most), uint64(0), 0.0
	if in.Err() != nil {
		return fmt.Errorf("the number of frames: %w", in.Err())
	}
	for i := range count {
		height += in.Uvarint(most)
		f, err := t.decodeFrame(&in, height)
		if err != nil {
			return fmt.Errorf("frame %d of %d: %w", i, count, err)
		}
		t.frames = append(t.frames, f)
		weight += f.weight * float64(f.hi-f.lo)
	}
	if left := len(in.Rest()); left > 0 {
		return fmt.Errorf("%d bytes after the last of %d frames", left, count)
	}
	if !search.IsSoundWeight(weight) {
		return fmt.Errorf("%d frames of weight %v: expected at most 1", count, weight)
	}
	return nil
}

// decodeFrame reads a frame, of which the height has been read.
func (t *Tree) decodeFrame(in *wire.Reader, height uint64) (f frame, err error) {
	const size = 4 * len(f.state)
	if state := in.Bytes(uint64(size)); state != nil {
		f.state.decodeBytes((*[size]byte)(state))
	}
	lo, count := in.Uvarint(most), in.Uvarint(most)
	f.weight = math.Float64frombits(in.BigEndian())
	switch {
	case in.Err() != nil:
		return f, in.Err()
	case !search.IsSoundWeight(f.weight):
		return f, fmt.Errorf("a weight of %v: expected 0 to 1", f.weight)
	case height > maxHeight:
		return f, fmt.Errorf("height %d: expected at most %d", height, maxHeight)
	}
	f.height = int32(height)
	children := uint64(t.counter.countChildren(int(height), f.state.randomValue()))
	if lo >= children || count == 0 || count > children-lo {
		return f, fmt.Errorf("children %d and the %d from it on: expected some of the node's %d", lo, count, children)
	}
	f.lo, f.hi = int32(lo), int32(lo+count)
	return f, nil
}
