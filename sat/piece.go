package sat

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"treesplit/internal/wire"
)

// A piece is a path down the tree and the alternatives beside it that are given away:
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
//
// A piece whose deepest alternative is an anchor, of which a part is expanded (cube.go), has the
// version pieceOfAnchor. After the version follow a repetition and then k:
//
//	uvarint  the number of nodes and steps that are expanded from the anchor on, at least 1
//	uvarint  how many of them precede the current cube
//	8 bytes  the weight of the remaining nodes, as a fraction of the anchor's weight: a
//	floating-point number, its high byte first
//	uvarint  the number of the remaining nodes that are open, at least 1
const (
	pieceVersion  = 1
	pieceOfAnchor = 2
)

// giftBranch converts between the last branch of a path and the last branch of a piece, which
// encodes the given alternatives. It is its own inverse.
func giftBranch(b branch) branch { return 3 - b }

// openPath shows a share to a splitting function. A level is a decision of the path, with one
// alternative while the decision is open. It is a pointer type, because a conversion from a
// pointer to an interface allocates nothing.
type openPath Search

func (p *openPath) Levels() int { return p.depth }
func (p *openPath) Open(level int) int {
	if p.path[level].branch == firstOpen && !(*Search)(p).isWithinAnchor(level) {
		return 1
	}
	return 0
}
func (p *openPath) Depth(level int) int { return level + 1 }

// Split gives away some of the open second branches along the path, as the splitting function
// chooses. The next node stays. It takes O(depth) and allocates memory only if dst is too small.
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

// Pack gives away the whole share: the next node and all open branches along the path, or the
// whole tree. It panics on an empty share. It takes O(depth) and allocates memory only if dst is
// too small.
func (s *Search) Pack(dst []byte) (piece []byte) {
	if s.Empty() {
		panic("sat: nothing to pack")
	}
	done := s.retreat()
	dst = s.appendNext(dst, done, true)
	s.atRoot = false
	s.emptyShare()
	return dst
}

// appendNext appends the piece of the next node, alone or with all open branches along the path. The
// next node is an anchor if a part below it is done.
func (s *Search) appendNext(dst []byte, done repetition, open bool) []byte {
	if done.all > 0 {
		dst = done.appendBytes(append(dst, pieceOfAnchor))
	} else {
		dst = append(dst, pieceVersion)
	}
	dst = binary.AppendUvarint(dst, uint64(s.depth))
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
	errVersion  = fmt.Errorf("this is not a piece of a formula's tree: expected version %d or %d", pieceVersion, pieceOfAnchor)
	errLength   = errors.New("the length of the piece does not fit its number of decisions")
	errBranch   = errors.New("the piece has an undefined branch")
	errNoGift   = errors.New("the piece gives nothing at its deepest decision")
	errLeaf     = errors.New("the piece's path runs through a leaf")
	errAnchor   = errors.New("the piece has nodes below an anchor that the tree does not have")
)

// Accept takes over a piece and continues with its deepest alternative. It replays the path
// without counting its nodes. The replay takes about the time of expanding these nodes. Nodes below
// an anchor are repeated by the next calls of Expand.
func (s *Search) Accept(piece []byte) error {
	if !s.Empty() {
		return errNotEmpty
	}
	k, branches, done, err := parsePiece(piece, s.rule.MaxDepth())
	if err != nil {
		return err
	}
	if done.all > 0 && (s.conqueror == nil || !s.conqueror.HasAnchors()) {
		return errAnchor
	}
	s.fresh = true
	if k == 0 {
		s.atRoot = true
		return nil
	}
	if err := s.replayPath(k, branches); err != nil {
		return err
	}
	done.anchor = k
	s.owed, s.progress, s.settledAt = done, progress{}, 0
	return nil
}

// parsePiece checks the properties of a piece that do not depend on the tree. It returns the
// number of decisions, at most deepest, and their branches.
func parsePiece(piece []byte, deepest int) (k int, branches []byte, done repetition, err error) {
	if len(piece) == 0 || piece[0] != pieceVersion && piece[0] != pieceOfAnchor {
		return 0, nil, done, errVersion
	}
	in := wire.NewReader(piece[1:])
	if piece[0] == pieceOfAnchor {
		done = takeRepetition(&in, deepest)
	}
	k, branches = int(in.Uvarint(uint64(deepest))), in.Rest()
	if in.Err() != nil || len(branches) != (k+3)/4 {
		return 0, nil, done, errLength
	}
	if piece[0] == pieceOfAnchor && (k == 0 || !done.isSound()) {
		return 0, nil, done, errAnchor
	}
	if used := 2 * (k % 4); used != 0 && branches[k/4]>>used != 0 {
		return 0, nil, done, errBranch
	}
	if k > 0 && branchOfPiece(branches, k-1) == firstOnly {
		return 0, nil, done, errNoGift
	}
	return k, branches, done, nil
}

// appendBytes appends the repetition as it stands in a piece.
func (r repetition) appendBytes(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(r.all))
	dst = binary.AppendUvarint(dst, uint64(r.whole))
	dst = binary.BigEndian.AppendUint64(dst, math.Float64bits(r.weight))
	return binary.AppendUvarint(dst, uint64(r.open))
}

// takeRepetition reads a repetition of a tree that is at most deepest nodes deep.
func takeRepetition(in *wire.Reader, deepest int) (r repetition) {
	r.all = int64(in.Uvarint(mostRepeated))
	r.whole = int64(in.Uvarint(uint64(r.all)))
	r.weight = math.Float64frombits(in.BigEndian())
	r.open = int(in.Uvarint(uint64(deepest) + 1))
	return r
}

// mostRepeated bounds the number of nodes of a repetition.
const mostRepeated = 1 << 60

// isSound reports whether the numbers of a repetition can be right.
func (r repetition) isSound() bool {
	return r.all > 0 && r.open > 0 && r.weight >= 0 && r.weight <= 1
}

// branchOfPiece returns the i-th branch of a piece.
func branchOfPiece(branches []byte, i int) branch { return branch(branches[i/4] >> (i % 4 * 2) & 3) }

// replayPath visits k ≥ 1 branches from the root, except the last, whose node is the next node.
// On an error the share is empty.
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
			if literal, outcome = s.visitNode(false); outcome == Cube {
				literal, outcome = s.conqueror.GiveUp(nil)
			}
		}
	}
	return nil
}
