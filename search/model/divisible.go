// Package model implements workloads without a tree: amounts of work that split as the
// analyses of the papers assume. They expand any number of nodes in constant time, so that a
// simulation can use problem sizes that no real search could finish.
package model

import (
	"encoding/binary"
	"errors"
	"math"

	"treesplit/internal/splitmix"
	"treesplit/search"
)

// Divisible is work under the α-splitting assumption (Kumar et al., section 3). A split gives
// away a fraction of the remaining nodes, drawn uniformly from α to 1/2. Less than Least nodes
// are not split. The fraction depends only on the seed and the splits that led to the piece,
// so that a run can be repeated.
type Divisible struct {
	left  int64
	id    uint64 // the name of the piece
	alpha float64
	least int64
}

// Splitting holds the parameters of the splits of a Divisible.
type Splitting struct {
	Alpha float64 // the smallest fraction that a split gives away, 0 < α ≤ 1/2
	Least int64   // smaller amounts are not split; at least 2
	Seed  uint64
}

// New returns a share of the given number of nodes; 0 gives an empty share.
func New(nodes int64, s Splitting) *Divisible {
	return &Divisible{left: nodes, id: splitmix.Next(s.Seed), alpha: s.Alpha, least: max(s.Least, 2)}
}

// Expand removes up to limit nodes. O(1).
func (d *Divisible) Expand(limit int) (expanded int) {
	expanded = int(min(int64(limit), d.left))
	d.left -= int64(expanded)
	return expanded
}

// Empty reports whether no node is left.
func (d *Divisible) Empty() bool { return d.left == 0 }

// NodesLeft returns the number of remaining nodes.
func (d *Divisible) NodesLeft() int64 { return d.left }

// Split gives away a fraction between α and 1/2 of the remaining nodes.
func (d *Divisible) Split(dst []byte) (piece []byte, ok bool) {
	if d.left < d.least {
		return dst, false
	}
	d.id = splitmix.Next(d.id)
	unit := float64(d.id>>11) / (1 << 53)
	given := max(1, int64(math.Round(float64(d.left)*(d.alpha+float64(unit*(0.5-d.alpha))))))
	d.left -= given
	dst = binary.BigEndian.AppendUint64(dst, uint64(given))
	return binary.BigEndian.AppendUint64(dst, splitmix.Next(d.id^0x5851f42d4c957f2d)), true
}

// Pack gives away all remaining nodes with their name, so that they split elsewhere as they
// would have split here.
func (d *Divisible) Pack(dst []byte) (piece []byte) {
	dst = binary.BigEndian.AppendUint64(dst, uint64(d.left))
	d.left = 0
	return binary.BigEndian.AppendUint64(dst, d.id)
}

// Accept takes over a piece.
func (d *Divisible) Accept(piece []byte) error {
	if d.left > 0 {
		return errors.New("the share is not empty: it cannot accept a piece")
	}
	if len(piece) != 16 {
		return errors.New("a piece of divisible work must have 16 bytes")
	}
	left := binary.BigEndian.Uint64(piece)
	if left == 0 || left > math.MaxInt64 {
		return errors.New("a piece of divisible work must have 1 to 2^63−1 nodes")
	}
	d.left, d.id = int64(left), binary.BigEndian.Uint64(piece[8:])
	return nil
}

var _ search.Packer = (*Divisible)(nil)

// NodesInPiece returns the number of nodes of a piece of this package, or 0 if it is none.
func NodesInPiece(piece []byte) int64 {
	if len(piece) != 16 {
		return 0
	}
	return int64(binary.BigEndian.Uint64(piece))
}
