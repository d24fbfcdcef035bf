package model

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"

	"treesplit/internal/splitmix"
	"treesplit/search"
)

// Law is a distribution of x, the fraction that a halving gives to the first half. It is
// symmetric about 1/2 and has the standard deviation σ.
type Law uint8

const (
	// Uniform draws x from [1/2−√3σ, 1/2+√3σ]; σ ≤ 1/√12.
	Uniform Law = iota
	// TwoPoint draws 1/2−σ or 1/2+σ. After k halvings the largest part is exactly (1/2+σ)^k of
	// the whole.
	TwoPoint
	// Beta draws from the symmetric Beta law with deviation σ. Its density approaches a bell
	// as σ approaches 0, is flat at 1/√12 and has peaks at 0 and 1 for larger σ. Machines that
	// round powers and cosines differently may compute an x that differs in the last bits.
	Beta
)

// String returns the law's name.
func (l Law) String() string {
	if int(l) < len(laws) {
		return laws[l]
	}
	return fmt.Sprintf("Law(%d)", uint8(l))
}

var laws = [...]string{"uniform", "two-point", "beta"}

// Halving holds the size of a Binary and the parameters of its splits.
type Halving struct {
	Nodes int64   // of the whole, 1 to 2^62
	Sigma float64 // σ of x, 0 ≤ σ ≤ 1/2, under Uniform at most 1/√12
	Law   Law
	// Grain is the number of nodes in an atom; 0 means 1. Cuts fall between atoms, and a piece
	// of less than two atoms is not split. So h, the number of successive splits that lead to
	// a piece that cannot be split, depends on Nodes/Grain and not on Nodes.
	Grain int64
	Seed  uint64

	memo *memo // nil: there is one share of the work, or x takes no time
}

// memo holds values of x. Deals of 2^k parts halve the pieces near the root again and again, and x
// takes long under Beta. It is a table with one place for each name, so that a newer value can
// displace an older one.
type memo [1 << 13]struct {
	id uint64 // 0: no value
	x  float64
}

// betaFraction returns x of a piece under Beta.
func (h *Halving) betaFraction(id uint64) float64 {
	if h.memo == nil || id == 0 {
		return drawBeta(h.Sigma, id)
	}
	at := &h.memo[id%uint64(len(h.memo))]
	if at.id != id {
		at.id, at.x = id, drawBeta(h.Sigma, id)
	}
	return at.x
}

// checkHalving returns h with its grain set, or an error if a field is out of range.
func (h Halving) checkHalving() (*Halving, error) {
	if h.Grain == 0 {
		h.Grain = 1
	}
	widest := 0.5
	if h.Law == Uniform {
		widest = math.Sqrt(1. / 12)
	}
	switch {
	case int(h.Law) >= len(laws):
		return nil, fmt.Errorf("a halving cannot use %v: expected uniform, two-point or beta", h.Law)
	case !(h.Sigma >= 0 && h.Sigma <= widest+1e-9):
		return nil, fmt.Errorf("a %v halving cannot have the standard deviation %v: expected 0 to %.4f", h.Law, h.Sigma, widest)
	case h.Nodes < 1 || h.Nodes > 1<<62 || h.Grain < 1 || h.Grain > 1<<61:
		return nil, fmt.Errorf("a halving cannot have %d nodes in atoms of %d: expected 1 to 2^62, and 1 to 2^61", h.Nodes, h.Grain)
	}
	return &h, nil
}

// wholeName returns the name of the whole. firstHalfName and secondHalfName return the names
// of the halves of a piece.
func (h *Halving) wholeName() uint64  { return splitmix.Next(h.Seed) }
func firstHalfName(id uint64) uint64  { return splitmix.Next(id) }
func secondHalfName(id uint64) uint64 { return splitmix.Next(id ^ 0x5851f42d4c957f2d) }

// unitFraction returns a number in [0, 1) computed from a name.
func unitFraction(id uint64) float64 { return float64(id>>11) / (1 << 53) }

// givenFraction returns x of the piece with the given name. The conversions prevent the
// compiler from fusing a product with a sum, which not all machines can do.
func (h *Halving) givenFraction(id uint64) float64 {
	switch h.Law {
	case TwoPoint:
		if id>>63 == 0 {
			return 0.5 - h.Sigma
		}
		return 0.5 + h.Sigma
	case Beta:
		return h.betaFraction(id)
	}
	return 0.5 + float64(math.Sqrt(3)*h.Sigma*(2*unitFraction(id)-1))
}

// drawBeta returns x of the piece with the given name under Beta.
func drawBeta(sigma float64, id uint64) float64 {
	return sampleBeta(sigma, 1-unitFraction(id), unitFraction(splitmix.Next(id^0x2545f4914f6cdd1d)))
}

// sampleBeta returns a number of the symmetric Beta law with deviation σ, computed from u in
// (0, 1] and v in [0, 1). Beta(a, a) has the variance 1/(4(2a+1)). It is the law of 1/2 +
// T/(2√(2a+T²)) for T with Student's law of 2a degrees of freedom, which the polar method
// generates for every a > 0 (Bailey, "Polar generation of random variates with the
// t-distribution", 1994).
func sampleBeta(sigma, u, v float64) float64 {
	a := (1/float64(4*sigma*sigma) - 1) / 2
	switch {
	case sigma == 0:
		return 0.5
	case a <= 0:
		return math.Round(v)
	}
	t := math.Sqrt(math.Pow(u, -1/a)-1) * math.Cos(2*math.Pi*v)
	if math.IsInf(t, 0) {
		return (1 + math.Copysign(1, t)) / 2
	}
	return 0.5 + t/float64(2*math.Hypot(1, t))
}

// halveNodes returns the sizes of the halves of a piece with left nodes and the given name.
// Both have at least one atom. An incomplete atom belongs to the first half. If there are less
// than two atoms, given is 0.
func (h *Halving) halveNodes(left int64, id uint64) (kept, given int64) {
	atoms := left / h.Grain
	if atoms < 2 {
		return left, 0
	}
	given = int64(math.Round(float64(atoms) * h.givenFraction(id)))
	given = h.Grain * min(max(given, 1), atoms-1)
	return left - given, given
}

// Binary is work that splits as the analysis of static load balancing assumes (Sanders,
// "Randomized Static Load Balancing for Tree-Shaped Computations"). A piece of T nodes is
// bisected into (1−x)T and xT, with x drawn independently for every piece. x depends only on
// the seed and the halvings that led to the piece, so that a run can be repeated. Sizes are
// whole numbers that add up.
//
// Expanding nodes of a piece does not change its x: the rest splits in the same proportion.
// Only Split and Bisect halve a piece; Expand does not.
type Binary struct {
	h    *Halving
	left int64
	id   uint64 // the name of the piece
}

// NewBinary returns the whole if root is set, otherwise an empty share. It returns an error if
// a field of h is out of range.
func NewBinary(h Halving, root bool) (*Binary, error) {
	checked, err := h.checkHalving()
	if err != nil {
		return nil, err
	}
	b := &Binary{h: checked}
	if root {
		b.left, b.id = checked.Nodes, checked.wholeName()
	}
	return b, nil
}

// Fresh returns another share of the same work: the whole if root is set, otherwise an empty share. The
// shares remember halvings for one another. So they are for one goroutine, and many ranks take less
// time and memory than with NewBinary.
func (b *Binary) Fresh(root bool) *Binary {
	if b.h.Law == Beta && b.h.memo == nil {
		b.h.memo = new(memo)
	}
	f := &Binary{h: b.h}
	if root {
		f.left, f.id = b.h.Nodes, b.h.wholeName()
	}
	return f
}

// Expand removes up to limit nodes. O(1).
func (b *Binary) Expand(limit int) (expanded int) {
	expanded = int(min(int64(limit), b.left))
	b.left -= int64(expanded)
	return expanded
}

// Empty reports whether no node is left.
func (b *Binary) Empty() bool { return b.left == 0 }

// Left returns the number of remaining nodes.
func (b *Binary) Left() int64 { return b.left }

// NodesLeft returns the same number: the order does not depend on the limits of Expand.
func (b *Binary) NodesLeft() int64 { return b.left }

// Split bisects the remaining nodes and gives away the second half; the law is symmetric. It
// refuses less than two atoms.
func (b *Binary) Split(dst []byte) (piece []byte, ok bool) {
	kept, given := b.h.halveNodes(b.left, b.id)
	if given == 0 {
		return dst, false
	}
	dst = appendPiece(dst, given, secondHalfName(b.id))
	b.left, b.id = kept, firstHalfName(b.id)
	return dst, true
}

// Pack gives away all remaining nodes. It panics on an empty share.
func (b *Binary) Pack(dst []byte) (piece []byte) {
	if b.left == 0 {
		panic("model: an empty share cannot be packed")
	}
	dst = appendPiece(dst, b.left, b.id)
	b.left = 0
	return dst
}

// appendPiece encodes a piece in the format of Divisible, so that NodesInPiece can read it.
func appendPiece(dst []byte, nodes int64, id uint64) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(dst, uint64(nodes)), id)
}

// Accept takes over a piece.
func (b *Binary) Accept(piece []byte) error {
	if b.left > 0 {
		return errors.New("the share is not empty: it cannot accept a piece")
	}
	if len(piece) != 16 {
		return errors.New("a piece of binary work must have 16 bytes")
	}
	nodes := binary.BigEndian.Uint64(piece)
	if nodes == 0 || nodes > uint64(b.h.Nodes) {
		return fmt.Errorf("a piece cannot have %d nodes: expected 1 to the whole's %d", nodes, b.h.Nodes)
	}
	b.left, b.id = int64(nodes), binary.BigEndian.Uint64(piece[8:])
	return nil
}

// Bisect makes the share part of 2^k by k halvings of the whole; bit 0 takes the first half.
// An atom belongs to the part whose remaining bits are all zero.
//
// Departure from search.Bisecter: there is no run of siblings. A halving takes the time of one
// node but is none of the W nodes: it counts as redundant in every part.
func (b *Binary) Bisect(k int, part uint64) (expanded, redundant int) {
	way := search.NewWay(k, part)
	if b.left > 0 && (b.left != b.h.Nodes || b.id != b.h.wholeName()) {
		panic("model: a share with expanded nodes cannot be bisected: expected an empty share or the whole")
	}
	left, id := b.h.Nodes, b.h.wholeName()
	for !way.IsFinished() && left > 0 {
		kept, given := b.h.halveNodes(left, id)
		if given > 0 {
			redundant++
		}
		if takesSecond(&way) {
			left, id = given, secondHalfName(id)
		} else {
			left, id = kept, firstHalfName(id)
		}
	}
	b.left, b.id = left, id
	return 0, redundant
}

// PartSizes yields the sizes of all 2^k parts in order, 0 ≤ k ≤ search.MaxSplits, in O(2^k)
// for all. They equal the sizes that Bisect gives one by one. They do not depend on the nodes
// that the share holds.
func (b *Binary) PartSizes(k int) iter.Seq[int64] {
	search.NewWay(k, 0)
	return func(yield func(int64) bool) { b.h.yieldParts(k, b.h.Nodes, b.h.wholeName(), yield) }
}

// yieldParts yields the sizes of the 2^k parts of a piece, until yield returns false.
func (h *Halving) yieldParts(k int, left int64, id uint64, yield func(int64) bool) bool {
	if k == 0 {
		return yield(left)
	}
	kept, given := h.halveNodes(left, id)
	return h.yieldParts(k-1, kept, firstHalfName(id), yield) && h.yieldParts(k-1, given, secondHalfName(id), yield)
}

// SplitHeight returns h, the largest number of successive splits from the whole to an atom
// with no node expanded. It takes O(Nodes/Grain) time, and as much stack at worst.
func (b *Binary) SplitHeight() int { return b.h.splitHeight(b.h.Nodes, b.h.wholeName()) }

func (h *Halving) splitHeight(left int64, id uint64) int {
	kept, given := h.halveNodes(left, id)
	if given == 0 {
		return 0
	}
	return 1 + max(h.splitHeight(kept, firstHalfName(id)), h.splitHeight(given, secondHalfName(id)))
}

// takesSecond uses a bit of the way and reports whether it leads to the second of two
// siblings.
func takesSecond(w *search.Way) bool {
	from, _ := w.HalveSiblings(0, 2)
	return from == 1
}

var (
	_ search.Bisecter = (*Binary)(nil)
	_ search.Packer   = (*Binary)(nil)
)
