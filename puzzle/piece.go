package puzzle

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"treesplit/internal/wire"
)

// A piece is a path from the root and the alternatives beside it that are given away. So a rank
// that finds a solution knows its complete path:
//
//	byte     pieceVersion
//	uvarint  the bound of the iteration; the end of the piece if it is the whole tree
//	uvarint  k, the number of moves to the deepest node that alternatives are given of
//	2 bits   for each of the k moves, the first in the low bits
//	4 bits   for each of the k+1 nodes the moves given: bit m for Move m
//
// The remaining bits of a byte are zero. At 30 moves a piece has at most 27 bytes.
const pieceVersion = 1

// openFrames shows a Search's stack to a splitting function: a level is a node on the path with
// its open moves. Children that will be searched in bulk are alternatives too.
type openFrames Search

func (o *openFrames) Levels() int { return o.depth + 1 }

func (o *openFrames) Open(level int) int {
	open := o.frames[level].open.countMoves()
	if level == o.depth {
		open-- // the donor keeps the next child
	}
	return open
}

func (o *openFrames) Depth(level int) int { return level + 1 }

// Split gives away some of the open moves along the path, as the splitting function chooses: the
// last ones of each node. The next node stays. It takes O(depth) and allocates memory only if dst
// is too small.
func (s *Search) Split(dst []byte) (piece []byte, ok bool) {
	s.cuts, ok = s.opt.Splitting.ChooseCuts((*openFrames)(s), s.cuts[:0])
	if !ok {
		return dst, false
	}
	deepest := s.cuts[len(s.cuts)-1].Level
	dst, masks := s.appendPath(dst, deepest)
	for _, c := range s.cuts {
		f := &s.frames[c.Level]
		n := f.open.countMoves()
		given := f.open.selectRange(n-c.Count, n)
		f.open &^= given
		addGivenMoves(masks, c.Level, given)
	}
	return dst, true
}

// Pack gives away the whole share: all open moves along the path, or the whole tree. It panics on
// an empty share. It takes O(depth) and allocates memory only if dst is too small.
func (s *Search) Pack(dst []byte) (piece []byte) {
	if s.Empty() {
		panic("puzzle: nothing to pack")
	}
	if s.atRoot {
		s.atRoot = false
		return s.appendBound(dst)
	}
	dst, masks := s.appendPath(dst, s.depth)
	for d := range s.depth + 1 {
		addGivenMoves(masks, d, s.frames[d].open)
	}
	s.depth = -1
	return dst
}

// appendBound appends the first part of every piece.
func (s *Search) appendBound(dst []byte) []byte {
	return binary.AppendUvarint(append(dst, pieceVersion), uint64(s.bound))
}

// appendPath appends a piece that leads to the node at a depth and gives no moves. It also
// returns the part of the piece that lists the given moves.
func (s *Search) appendPath(dst []byte, depth int) (piece, masks []byte) {
	dst = binary.AppendUvarint(s.appendBound(dst), uint64(depth))
	for d := range depth {
		if d%4 == 0 {
			dst = append(dst, 0)
		}
		dst[len(dst)-1] |= byte(s.frames[d+1].last) << (d % 4 * 2)
	}
	from := len(dst)
	for range (depth + 2) / 2 {
		dst = append(dst, 0)
	}
	return dst, dst[from:]
}

// addGivenMoves adds moves of the node at a depth to the given moves.
func addGivenMoves(masks []byte, depth int, given moves) {
	masks[depth/2] |= byte(given) << (depth % 2 * 4)
}

// givenMoves returns the given moves of the node at a depth.
func givenMoves(masks []byte, depth int) moves {
	return moves(masks[depth/2] >> (depth % 2 * 4) & 15)
}

var (
	errNotEmpty = errors.New("puzzle: a share that is not empty cannot accept a piece")
	errVersion  = fmt.Errorf("puzzle: the piece does not begin with version %d", pieceVersion)
	errShort    = errors.New("puzzle: the piece ends too early")
	errLength   = errors.New("puzzle: the length of the piece does not fit its number of moves")
	errPadding  = errors.New("puzzle: the piece gives moves beyond its path")
	errNothing  = errors.New("puzzle: the piece gives no move of its deepest node")
	errTree     = errors.New("puzzle: the piece has moves that are not in the tree")
)

// Accept takes over a piece. It replays the path without counting its nodes. It returns an error
// for moves that are not in the tree of this iteration, because they are pruned or solve the
// board, and for a piece of another bound.
func (s *Search) Accept(piece []byte) error {
	if !s.Empty() {
		return errNotEmpty
	}
	if len(piece) == 0 || piece[0] != pieceVersion {
		return errVersion
	}
	in := wire.NewReader(piece[1:])
	bound := in.Uvarint(math.MaxUint64)
	switch {
	case in.Err() != nil:
		return errShort
	case bound != uint64(s.bound):
		return fmt.Errorf("puzzle: the piece is of the iteration with bound %d: expected %d", bound, s.bound)
	case len(in.Rest()) == 0:
		s.atRoot = true
		return nil
	}
	depth := in.Uvarint(math.MaxUint64)
	switch {
	case in.Err() != nil:
		return errShort
	case depth > uint64(s.bound):
		return errTree
	}
	path, masks, err := splitPathAndMasks(in.Rest(), int(depth))
	if err != nil {
		return err
	}
	if s.problem.start.IsGoalBoard() || !s.replayPath(int(depth), path, masks) {
		s.depth = -1
		return errTree
	}
	return nil
}

// splitPathAndMasks splits the rest of a piece after the number of moves. It checks the length,
// that no moves are given beyond the path, and that some are given at its end.
func splitPathAndMasks(rest []byte, depth int) (path, masks []byte, err error) {
	n := (depth + 3) / 4
	if len(rest) != n+(depth+2)/2 {
		return nil, nil, errLength
	}
	path, masks = rest[:n], rest[n:]
	if used := 2 * (depth % 4); used != 0 && path[n-1]>>used != 0 {
		return nil, nil, errPadding
	}
	if depth%2 == 0 && masks[depth/2]>>4 != 0 {
		return nil, nil, errPadding
	}
	if givenMoves(masks, depth) == 0 {
		return nil, nil, errNothing
	}
	return path, masks, nil
}

// replayPath follows a path from the root and makes it the stack. It reports whether the path and
// all given moves are in the tree.
func (s *Search) replayPath(depth int, path, masks []byte) bool {
	for d := 0; ; d++ {
		f := &s.frames[d]
		s.depth = d
		s.expandTop(false)
		open := f.open
		f.open = givenMoves(masks, d)
		if f.open&^open != 0 {
			return false
		}
		if d == depth {
			return true
		}
		m := Move(path[d/4] >> (d % 4 * 2) & 3)
		if !open.containsMove(m) || f.open.containsMove(m) {
			return false
		}
		s.enterChild(d, m)
	}
}
