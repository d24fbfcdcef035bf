// Package model holds workloads without a tree: amounts of work that split as the
// papers' analyses suppose. They expand any number of nodes in no time, so that a
// simulation can take problem sizes that no search would end on.
package model

import (
	"encoding/binary"
	"errors"
	"math"

	"treesplit/internal/splitmix"
	"treesplit/search"
)

// Divisible is work under the α-splitting assumption (Kumar et al., section 3): a
// split gives away a share drawn uniformly from α to 1/2 of what is left, and
// less than Least nodes are not split. Which share it is follows from the seed and
// the splits that led to the piece, so that a run can be repeated.
type Divisible struct {
	left  int64
	id    uint64 // names the piece
	alpha float64
	least int64
}

// Splitting says how a Divisible splits.
type Splitting struct {
	Alpha float64 // the worst share of a split, 0 < α ≤ 1/2
	Least int64   // smaller amounts are not split; at least 2
	Seed  uint64
}

// New returns nodes nodes of work, none for an empty share.
func New(nodes int64, s Splitting) *Divisible {
	return &Divisible{left: nodes, id: splitmix.Next(s.Seed), alpha: s.Alpha, least: max(s.Least, 2)}
}

// Expand takes off up to limit nodes.
func (d *Divisible) Expand(limit int) (expanded int) {
	expanded = int(min(int64(limit), d.left))
	d.left -= int64(expanded)
	return expanded
}

// Empty reports whether nothing is left.
func (d *Divisible) Empty() bool { return d.left == 0 }

// Split gives away between α and 1/2 of what is left.
func (d *Divisible) Split(dst []byte) (piece []byte, ok bool) {
	if d.left < d.least {
		return dst, false
	}
	d.id = splitmix.Next(d.id)
	unit := float64(d.id>>11) / (1 << 53)
	given := max(1, int64(math.Round(float64(d.left)*(d.alpha+unit*(0.5-d.alpha)))))
	d.left -= given
	dst = binary.BigEndian.AppendUint64(dst, uint64(given))
	return binary.BigEndian.AppendUint64(dst, splitmix.Next(d.id^0x5851f42d4c957f2d)), true
}

// Pack gives away all that is left, with its name, so that it splits elsewhere as it
// would have split here.
func (d *Divisible) Pack(dst []byte) (piece []byte) {
	dst = binary.BigEndian.AppendUint64(dst, uint64(d.left))
	d.left = 0
	return binary.BigEndian.AppendUint64(dst, d.id)
}

// Accept takes over a piece.
func (d *Divisible) Accept(piece []byte) error {
	if d.left > 0 {
		return errors.New("a piece for a share that is not empty")
	}
	if len(piece) != 16 {
		return errors.New("a piece of divisible work has 16 bytes")
	}
	left := binary.BigEndian.Uint64(piece)
	if left == 0 || left > math.MaxInt64 {
		return errors.New("a piece of divisible work has a positive number of nodes")
	}
	d.left, d.id = int64(left), binary.BigEndian.Uint64(piece[8:])
	return nil
}

var _ search.Packer = (*Divisible)(nil)

// NodesInPiece is the number of nodes of a piece.
func NodesInPiece(piece []byte) int64 {
	if len(piece) != 16 {
		return 0
	}
	return int64(binary.BigEndian.Uint64(piece))
}
