package uts

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"treesplit/internal/wire"
	"treesplit/search"
)

// A piece is a byte for the version of the format, the number of frames as a uvarint, 0 for the
// whole tree, and then the frames in the order of the stack, each as
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

// maxHeight is the greatest height in a piece. It is far beyond every published tree, and heights
// below it cannot overflow.
const maxHeight = 1 << 30

// openFrames shows a Tree's stack to a splitting function. Every frame of the stack has unvisited
// children, so Choose cannot distinguish the frames nearest to the root from the whole stack. A
// split takes time proportional to search.MaxLevels, for every depth of the tree.
type openFrames Tree

func (o *openFrames) Levels() int {
	return min(len(o.frames)-o.base, max(search.MaxLevels, o.split.MinOpen))
}

func (o *openFrames) Open(level int) int {
	f := &o.frames[o.base+level]
	open := int(f.hi - f.lo)
	if o.base+level == len(o.frames)-1 {
		open-- // the donor keeps the next child
	}
	return open
}

func (o *openFrames) Depth(level int) int { return int(o.frames[o.base+level].height) + 1 }

// Split cuts off the part that the splitting function chooses. At each frame the last children
// are given away, and the donor keeps the others. It takes O(search.MaxLevels) amortised time and
// allocates memory only if dst is too small.
func (t *Tree) Split(dst []byte) (piece []byte, ok bool) {
	t.cuts, ok = t.split.ChooseCuts((*openFrames)(t), t.cuts[:0])
	if !ok {
		return dst, false
	}
	dst = beginPiece(dst, len(t.cuts))
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

// Pack gives away the whole stack, or the whole tree. It panics on an empty share. It takes
// O(frames) and allocates memory only if dst is too small.
func (t *Tree) Pack(dst []byte) (piece []byte) {
	if t.Empty() {
		panic("uts: nothing to pack")
	}
	stack := t.frames[t.base:]
	dst = beginPiece(dst, len(stack))
	height := int32(0)
	for i := range stack {
		f := &stack[i]
		dst = f.appendFrame(dst, height, f.lo, f.hi)
		height = f.height
	}
	t.root, t.frames, t.base = false, t.frames[:0], 0
	return dst
}

// beginPiece appends the start of a piece of the given number of frames, and makes room for frames of the usual
// size.
func beginPiece(dst []byte, frames int) []byte {
	const usual = 32 // bytes of a frame
	dst = slices.Grow(dst, (frames+1)*usual)
	return binary.AppendUvarint(append(dst, pieceVersion), uint64(frames))
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

// dropEmptied removes the frames up to the given level that have no child left. It moves the
// frames below the level up, not the rest of the stack down. It reclaims the freed memory when
// that is larger than the stack.
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

// Accept takes over a piece that another share of the same tree has split off. The share must be
// empty. It returns an error for a piece that these parameters cannot give: each frame's children
// must exist, by its own state and height. Accept cannot check that the state occurs in the tree.
func (t *Tree) Accept(piece []byte) error {
	if !t.Empty() {
		return errors.New("uts: a share that is not empty cannot accept a piece")
	}
	if len(piece) == 0 || piece[0] != pieceVersion {
		return fmt.Errorf("uts: the piece does not begin with version %d", pieceVersion)
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

// decodeFrames pushes all frames of a piece whose version has been read. The stack grows with the
// bytes read, not with the announced number of frames.
func (t *Tree) decodeFrames(in wire.Reader) error {
	count, height, weight := in.Uvarint(most), uint64(0), 0.0
	if in.Err() != nil {
		return fmt.Errorf("the number of frames cannot be read: %w", in.Err())
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
		return fmt.Errorf("%d frames have the weight %v: expected at most 1", count, weight)
	}
	return nil
}

// decodeFrame reads a frame whose height has been read.
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
		return f, fmt.Errorf("the weight is %v: expected 0 to 1", f.weight)
	case height > maxHeight:
		return f, fmt.Errorf("the height is %d: expected at most %d", height, maxHeight)
	}
	f.height = int32(height)
	children := uint64(t.counter.countChildren(int(height), f.state.randomValue()))
	if lo >= children || count == 0 || count > children-lo {
		return f, fmt.Errorf("children %d and the %d from it on: expected some of the node's %d", lo, count, children)
	}
	f.lo, f.hi = int32(lo), int32(lo+count)
	return f, nil
}
