package bb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"treesplit/internal/wire"
)

// A piece is a path from the root and the children beside it that are given away:
//
//	byte     pieceVersion; the end of the piece if it is the whole tree
//	uvarint  k, the number of objects placed at the deepest node that children are given of
//	uvarint  k times the processor of an object, the first of the order first
//	         and then for each of the k+1 nodes, the root first:
//	uvarint  the number of children given; at least 1 of the deepest node
//	uvarint  as many times a child's processor
//
// The piece has no bounds: they follow from the path, and a wrong bound could hide a map.
const pieceVersion = 1

// openLevels shows a Search's stack to a splitting function.
type openLevels Search

func (o *openLevels) Levels() int { return o.depth + 1 }

func (o *openLevels) Open(level int) int {
	l := o.levels[level]
	open := int(l.hi - l.lo)
	if level == o.depth {
		open-- // the donor keeps the next child
	}
	return open
}

func (o *openLevels) Depth(level int) int { return level + 1 }

// Split gives away some of the children along the path, as the splitting function chooses. At
// each node it gives the last children, which have the greatest bounds. It takes O(depth·P) and
// allocates memory only if dst is too small.
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

// dropOvertaken removes children at the end of each level whose bound is no longer below the
// limit, so that they are not given away. The next child always stays.
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

// Pack gives away the whole share: all children along the path, or the whole tree. It panics on
// an empty share. It takes O(depth·P) and allocates memory only if dst is too small.
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

// appendPath appends the path to the node at a depth.
func (s *Search) appendPath(dst []byte, depth int) []byte {
	dst = binary.AppendUvarint(append(dst, pieceVersion), uint64(depth))
	for _, i := range s.in.order[:depth] {
		dst = binary.AppendUvarint(dst, uint64(s.state.where[i]))
	}
	return dst
}

// appendKids removes the last count children of the node at a depth and appends them.
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
	errNotEmpty = errors.New("bb: a share that is not empty cannot accept a piece")
	errVersion  = fmt.Errorf("bb: the piece does not begin with version %d", pieceVersion)
	errShort    = errors.New("bb: the piece ends too early")
	errLong     = errors.New("bb: the piece has bytes after its end")
	errNothing  = errors.New("bb: the piece gives no child of its deepest node")
	errDepth    = errors.New("bb: the piece places more objects than the problem has")
	errTree     = errors.New("bb: the piece has a child that is not in the tree")
)

// Accept takes over a piece. It replays the path without counting its nodes. It returns an error
// for a child that is not in the tree: a processor that does not exist, that is equivalent to a
// lower one (symmetry), or that is named twice. The next Expand drops children whose bound is no
// longer below the limit.
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
	path := *r // read again level by level, while r reads the text after it
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

// replayKids reads the given children of the top node of the stack.
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

// compareKids orders children as generateChildren does.
func (k kid) compareKids(other kid) int {
	switch {
	case k.expandsBefore(other):
		return -1
	case other.expandsBefore(k):
		return 1
	}
	return int(k.processor - other.processor)
}

// isLegalProcessor reports whether a processor exists and is not equivalent to a lower one in the
// current state.
func (s *Search) isLegalProcessor(p uint64) bool {
	return p < uint64(s.in.p) && (s.opt.Symmetric || !s.state.interchangeable(int32(p)))
}

// hasOpenChild reports whether a child is among the unexpanded children at a depth.
func (s *Search) hasOpenChild(depth int, p uint64) bool {
	l := s.levels[depth]
	for _, k := range s.kids[depth*s.in.p+int(l.lo) : depth*s.in.p+int(l.hi)] {
		if uint64(k.processor) == p {
			return true
		}
	}
	return false
}
