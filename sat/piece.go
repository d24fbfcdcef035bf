package sat

import (
	"encoding/binary"
	"errors"
	"fmt"

	"treesplit/internal/wire"
)

// A piece is a path down the tree and the alternatives beside it that change hands:
//
//	byte     pieceVersion
//	uvarint  k, the number of decisions, down to the deepest alternative given;
//	0 is the whole tree, and the end of the piece
//	2 bits each, the first in the low bits: a branch, where firstOpen says that the
//	second branch is given and firstOnly that it is not; the last one says what is
//	given there: 1 the second branch, 2 both, 3 the first; the rest of the last byte
//	is zero
//
// The branching literals are not sent: they follow from the formula. At 65
// variables a piece has at most 19 bytes.
const pieceVersion = 1

// giftBranch turns the branch that a path ends with into the last one of the piece that
// gives what is there, and back.
func giftBranch(b branch) branch { return 3 - b }

// openPath shows a share to a splitting function: a level is a decision of its
// path, with one alternative while that is open. A pointer, unlike a slice, becomes
// an interface without allocating.
type openPath Search

func (p *openPath) Levels() int { return p.depth }
func (p *openPath) Open(level int) int {
	if p.path[level].branch == firstOpen {
		return 1
	}
	return 0
}
func (p *openPath) Depth(level int) int { return level + 1 }

// Split gives away some of the second branches that are open along the path, as
// the splitting function chooses. The node to be expanded next stays. It takes
// O(depth) and allocates only what dst lacks room for.
func (s *Search) Split(dst []byte) (piece []byte, ok bool) {
	s.cuts, ok = s.opt.Splitting.ChooseCuts((*openPath)(s), s.cuts[:0])
	if !ok {
		return dst, false
	}
	given := s.cuts[len(s.cuts)-1].Level + 1
	dst = binary.AppendUvarint(append(dst, pieceVersion), uint64(given))
	bits := len(dst)
	for i, d := range s.path[:given] {
		if i%4 == 0 {
			dst = append(dst, 0)
		}
		if d.branch == second {
			dst[bits+i/4] |= byte(second) << (i % 4 * 2)
		}
	}
	for _, cut := range s.cuts {
		dst[bits+cut.Level/4] |= byte(firstOpen) << (cut.Level % 4 * 2)
		s.path[cut.Level].branch = firstOnly
	}
	return dst, true
}

// Pack gives away the whole share: the next node and all that is open along the
// path, or the tree that was not begun. It panics on an empty share. It takes O(depth)
// and allocates only what dst lacks room for.
func (s *Search) Pack(dst []byte) (piece []byte) {
	if s.Empty() {
		panic("sat: nothing to pack")
	}
	dst = s.appendNext(dst, true)
	s.atRoot = false
	s.backOutToEmpty(max(s.depth-1, 0))
	return dst
}

// appendNext appends the piece that is the next node, alone or with all that is open
// along the path.
func (s *Search) appendNext(dst []byte, open bool) []byte {
	dst = binary.AppendUvarint(append(dst, pieceVersion), uint64(s.depth))
	bits := len(dst)
	for i, d := range s.path[:s.depth] {
		if i%4 == 0 {
			dst = append(dst, 0)
		}
		b := d.branch
		if b == firstOpen && !open {
			b = firstOnly
		}
		if i == s.depth-1 {
			b = giftBranch(b)
		}
		dst[bits+i/4] |= byte(b) << (i % 4 * 2)
	}
	return dst
}

var (
	errNotEmpty = errors.New("a share that still has work cannot accept a piece")
	errVersion  = fmt.Errorf("not a piece of a formula's tree, version %d", pieceVersion)
	errLength   = errors.New("the length of the piece does not fit its number of decisions")
	errBranch   = errors.New("the piece has an undefined branch")
	errNoGift   = errors.New("the piece gives nothing at its deepest decision")
	errLeaf     = errors.New("the piece's path runs through a leaf")
)

// Accept takes over a piece. It replays the path, which counts no nodes and takes
// about as long as expanding as many, and goes on with the deepest alternative.
func (s *Search) Accept(piece []byte) error {
	if !s.Empty() {
		return errNotEmpty
	}
	k, branches, err := parsePiece(piece, s.rule.MaxDepth())
	if err != nil {
		return err
	}
	s.fresh = true
	if k == 0 {
		s.atRoot = true
		return nil
	}
	return s.replayPath(k, branches)
}

// parsePiece checks all that can be checked without the tree and returns the number of
// decisions, at most deepest, and their branches.
func parsePiece(piece []byte, deepest int) (k int, branches []byte, err error) {
	if len(piece) == 0 || piece[0] != pieceVersion {
		return 0, nil, errVersion
	}
	in := wire.NewReader(piece[1:])
	k, branches = int(in.Uvarint(uint64(deepest))), in.Rest()
	if in.Err() != nil || len(branches) != (k+3)/4 {
		return 0, nil, errLength
	}
	if used := 2 * (k % 4); used != 0 && branches[k/4]>>used != 0 {
		return 0, nil, errBranch
	}
	if k > 0 && branchOfPiece(branches, k-1) == firstOnly {
		return 0, nil, errNoGift
	}
	return k, branches, nil
}

// branchOfPiece is the i-th branch of a piece.
func branchOfPiece(branches []byte, i int) branch { return branch(branches[i/4] >> (i % 4 * 2) & 3) }

// replayPath follows k ≥ 1 branches from the root, except for the last, whose node is the next
// one. On an error the share is empty.
func (s *Search) replayPath(k int, branches []byte) error {
	literal, outcome := s.visitNode(false)
	for i := range k {
		d := decision{literal, branchOfPiece(branches, i)}
		if i == k-1 {
			d.branch = giftBranch(d.branch)
		}
		if d.branch == second {
			d.literal ^= 1
		}
		if outcome != Inner || d.branch > second {
			s.backOutToEmpty(i)
			if outcome != Inner {
				return errLeaf
			}
			return errBranch
		}
		s.path[i], s.depth = d, i+1
		if i < k-1 {
			literal, outcome = s.visitNode(false)
		}
	}
	return nil
}
