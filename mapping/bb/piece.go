package bb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"treesplit/internal/wire"
)

// A piece is a path from the root and the children beside it that change hands:
//
//	byte     pieceVersion; the end of the piece if it is the whole tree
//	uvarint  k, the number of objects placed at the deepest node that children are given of
//	uvarint  k times the processor of an object, the first of the order first
//	         and then for each of the k+1 nodes, the root first:
//	uvarint  the number of children given; at least 1 of the deepest node
//	uvarint  as many times a child's processor
//
// Bounds are not in it: they follow from the path, and a wrong one could hide a map.
const pieceVersion = 1

// openLevels is a Search's stack as a splitting function sees it.
type openLevels Search

func (o *openLevels) Levels() int { return o.depth + 1 }

func (o *openLevels) Open(level int) int {
	l := o.levels[level]
	open := int(l.hi - l.lo)
	if level == o.depth {
		open-- // the donor keeps the child that is expanded next
	}
	return open
}

func (o *openLevels) Depth(level int) int { return level + 1 }

// Split gives away some of the children along the path, as the splitting function
// chooses: of each node concerned the last, those of the greatest bounds. It takes
// O(depth·P) and allocates only what dst lacks room for.
func (s *Search) Split(dst []byte) (piece []byte, ok bool) {
	s.dropOvertaken()
	s.cuts, ok = s.split.ChooseCuts((*openLevels)(s), s.cuts[:0])
	if !ok {
		return dst, false
	}
	dst = s.appendPath(dst, s.cuts[len(s.cuts)-1].Level)
	cuts := s.cuts
	for d := 0; len(cuts) > 0; d++ {
		given := 0
		if cuts[0].Level == d {
			given, cuts = cuts[0].Count, cuts[1:]
		}
		dst = s.appendKids(dst, d, given)
	}
	return dst, true
}

// dropOvertaken forgets children at the end of each level whose bound has been overtaken, so that
// nobody is given them; the one that is expanded next stays in any case.
func (s *Search) dropOvertaken() {
	for d := range s.depth + 1 {
		l := &s.levels[d]
		keep := l.lo
		if d == s.depth {
			keep++
		}
		for l.hi > keep && s.kids[d*s.in.p+int(l.hi)-1].bound >= s.limit {
			l.hi--
			s.counts.Pruned++
		}
	}
}

// Pack gives away the whole share: all children along the path, or the tree that was not
// begun. It panics on an empty share. It takes O(depth·P) and allocates only what dst
// lacks room for.
func (s *Search) Pack(dst []byte) (piece []byte) {
	if s.Empty() {
		panic("bb: nothing to pack")
	}
	if s.atRoot {
		s.atRoot = false
		return append(dst, pieceVersion)
	}
	dst = s.appendPath(dst, s.depth)
	for d := range s.depth + 1 {
		dst = s.appendKids(dst, d, int(s.levels[d].hi-s.levels[d].lo))
	}
	s.clearStack()
	return dst
}

// clearStack makes the share empty.
func (s *Search) clearStack() {
	for s.depth >= 0 {
		s.backtrack()
	}
}

// appendPath appends what leads to the node at a depth.
func (s *Search) appendPath(dst []byte, depth int) []byte {
	dst = binary.AppendUvarint(append(dst, pieceVersion), uint64(depth))
	for _, i := range s.in.order[:depth] {
		dst = binary.AppendUvarint(dst, uint64(s.state.where[i]))
	}
	return dst
}

// appendKids appends the last count children of the node at a depth, which lose them.
func (s *Search) appendKids(dst []byte, depth, count int) []byte {
	l := &s.levels[depth]
	dst = binary.AppendUvarint(dst, uint64(count))
	for _, k := range s.kids[depth*s.in.p+int(l.hi)-count : depth*s.in.p+int(l.hi)] {
		dst = binary.AppendUvarint(dst, uint64(k.processor))
	}
	l.hi -= int32(count)
	return dst
}

var (
	errNotEmpty = errors.New("bb: a piece for a share that is not empty")
	errVersion  = fmt.Errorf("bb: a piece that does not begin with version %d", pieceVersion)
	errShort    = errors.New("bb: a piece that breaks off")
	errLong     = errors.New("bb: a piece with something after its end")
	errNothing  = errors.New("bb: a piece that gives nothing of its deepest node")
	errDepth    = errors.New("bb: a piece that places more objects than there are")
	errTree     = errors.New("bb: a piece with a child that is not in the tree")
)

// Accept takes over a piece. It replays the path, which counts no nodes, and refuses what
// is not in the tree: a processor that does not exist, that stands for another (symmetry),
// or that is named twice. Children whose bound has been overtaken meanwhile are dropped
// by the next Expand.
func (s *Search) Accept(piece []byte) error {
	if !s.Empty() {
		return errNotEmpty
	}
	if len(piece) == 0 || piece[0] != pieceVersion {
		return errVersion
	}
	if len(piece) == 1 {
		s.atRoot = true
		return nil
	}
	r := wire.NewReader(piece[1:])
	if err := s.replayPath(&r); err != nil {
		s.clearStack()
		return err
	}
	return nil
}

// replayPath makes a path and its children the stack.
func (s *Search) replayPath(r *wire.Reader) error {
	depth := r.Uvarint(math.MaxUint64)
	if depth >= uint64(len(s.in.order)) {
		return errDepth
	}
	path := *r // to be read again level by level, while r goes on behind it
	for range depth {
		r.Uvarint(math.MaxUint64)
	}
	for d := range int(depth) + 1 {
		s.depth = d
		if err := s.replayKids(r); err != nil {
			return err
		}
		if d == int(depth) {
			break
		}
		next := path.Uvarint(math.MaxUint64)
		if !s.isLegalProcessor(next) || s.hasOpenChild(d, next) {
			s.levels[d] = level{}
			return errTree
		}
		s.state.placeObject(s.in.order[d], int32(next))
	}
	switch {
	case r.Err() != nil:
		return errShort
	case len(r.Rest()) > 0:
		return errLong
	case s.levels[depth].hi == 0:
		return errNothing
	}
	return nil
}

// replayKids reads the children given of the node on top of the stack.
func (s *Search) replayKids(r *wire.Reader) error {
	count := r.Uvarint(math.MaxUint64)
	if count > uint64(s.in.p) {
		return errTree
	}
	from := s.depth * s.in.p
	s.levels[s.depth] = level{of: s.countChoices()}
	for n := range int(count) {
		p := r.Uvarint(math.MaxUint64)
		if r.Err() != nil {
			return errShort
		}
		if !s.isLegalProcessor(p) || s.hasOpenChild(s.depth, p) {
			return errTree
		}
		s.kids[from+n] = s.tryPlacement(s.in.order[s.depth], int32(p))
		s.levels[s.depth].hi++
	}
	if !s.opt.Numbered {
		slices.SortFunc(s.kids[from:from+int(count)], kid.compareKids)
	}
	return nil
}

// compareKids orders children as generate does.
func (k kid) compareKids(other kid) int {
	switch {
	case k.expandsBefore(other):
		return -1
	case other.expandsBefore(k):
		return 1
	}
	return int(k.processor - other.processor)
}

// isLegalProcessor reports whether a processor is one and stands for itself where the state is.
func (s *Search) isLegalProcessor(p uint64) bool {
	return p < uint64(s.in.p) && (s.opt.Symmetric || !s.state.interchangeable(int32(p)))
}

// hasOpenChild reports whether a child is among those at a depth that are not expanded.
func (s *Search) hasOpenChild(depth int, p uint64) bool {
	l := s.levels[depth]
	for _, k := range s.kids[depth*s.in.p+int(l.lo) : depth*s.in.p+int(l.hi)] {
		if uint64(k.processor) == p {
			return true
		}
	}
	return false
}
