package explore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"treesplit/internal/splitmix"
	"treesplit/search"
)

// Toy is a search.Work over a small tree that is given by a number: a node's
// children follow from hashing it. Its open nodes stand in a plain list, the
// simplest Work there is, and so can be counted at any time. The tree is the same
// with witnesses and without: a witness has children like any other node.
type Toy struct {
	shape   Shape
	open    []toyNode
	decided bool
	bound   int64 // the least value of an expanded node, or passed to Tighten
}

// Shape is a toy tree.
type Shape struct {
	Seed  uint64
	Depth int    // nodes at this depth are leaves
	Width int    // a node has at most this many children
	Find  uint64 // a node whose hash is a multiple of this is a witness; 0: none is
	// Values gives each node a value. The search looks for the least value and prunes nothing.
	// Without Values no node has a value.
	Values bool
}

type toyNode struct {
	hash   uint64
	depth  int
	weight float64 // search.Sizer's
}

// A piece is a byte for the version of the format and then the nodes, each as its
// hash and its weight, big-endian, and its depth, one byte.
const (
	toyVersion = 2
	toyNodeLen = 17
)

// values is the number of different values: enough for several improvements in a tree.
const values = 1000

// NewToy returns a share of the tree: all of it, if root is set, or nothing.
func NewToy(s Shape, root bool) *Toy {
	t := &Toy{shape: s, bound: search.NoBound}
	if root {
		t.open = append(t.open, toyNode{splitmix.Next(s.Seed), 0, 1})
	}
	return t
}

// EmptyShare returns an empty share of the same tree.
func (t *Toy) EmptyShare() *Toy { return NewToy(t.shape, false) }

// CountNodes counts the nodes of the tree.
func (s Shape) CountNodes() int {
	s.Find = 0
	return NewToy(s, true).Expand(1 << 30)
}

// LeastValue is the least value of the tree's nodes, or search.NoBound.
func (s Shape) LeastValue() int64 {
	s.Find = 0
	t := NewToy(s, true)
	t.Expand(1 << 30)
	return t.bound
}

// Expand expands the last open node, limit times.
func (t *Toy) Expand(limit int) int {
	n := 0
	for ; n < limit && !t.Empty() && !t.decided; n++ {
		t.decided = t.expandLast()
	}
	return n
}

// expandLast replaces the last open node by its children. It reports whether the node is a
// witness.
func (t *Toy) expandLast() (witness bool) {
	last := t.open[len(t.open)-1]
	t.open = t.open[:len(t.open)-1]
	if t.shape.Values {
		t.bound = min(t.bound, int64(last.hash>>32%values))
	}
	if last.depth < t.shape.Depth {
		children := last.hash % uint64(t.shape.Width+1)
		for i := range children {
			t.open = append(t.open, toyNode{splitmix.Next(last.hash + i), last.depth + 1, last.weight / float64(children)})
		}
	}
	return t.shape.Find > 0 && last.hash%t.shape.Find == 0
}

// Bisect makes the share one of 2^k parts of the tree; see search.Bisecter. The run of siblings
// is the list of open nodes. A witness on the way decides the share if it belongs to the part.
// The way continues to its end in any case, so that every part is the same with and without
// witnesses. A part that is not empty has the weight 2^−k.
func (t *Toy) Bisect(k int, part uint64) (expanded, redundant int) {
	t.open = append(t.open[:0], toyNode{splitmix.Next(t.shape.Seed), 0, 1})
	for way := search.NewWay(k, part); !way.IsFinished() && !t.Empty(); {
		if m := len(t.open); m > 1 {
			from, to := way.HalveSiblings(0, m)
			t.open = t.open[:copy(t.open, t.open[from:to])]
			continue
		}
		witness := t.expandLast()
		if way.OwnsCurrentNode() {
			expanded++
			t.decided = t.decided || witness
		} else {
			redundant++
		}
	}
	for i := range t.open {
		t.open[i].weight = math.Ldexp(1, -k) / float64(len(t.open))
	}
	return expanded, redundant
}

// Empty reports whether no node is open.
func (t *Toy) Empty() bool { return len(t.open) == 0 }

// Decided reports whether a witness was met.
func (t *Toy) Decided() bool { return t.decided }

// Bound returns the least value found or passed to Tighten.
func (t *Toy) Bound() int64 { return t.bound }

// Tighten lowers the bound to value.
func (t *Toy) Tighten(value int64) { t.bound = min(t.bound, value) }

// Weight returns the weight of the open nodes; see search.Sizer.
func (t *Toy) Weight() (left float64) {
	for _, n := range t.open {
		left += n.weight
	}
	return left
}

// Open returns the number of open nodes.
func (t *Toy) Open() int { return len(t.open) }

// Split gives away every other open node.
func (t *Toy) Split(dst []byte) ([]byte, bool) {
	if len(t.open) < 2 {
		return dst, false
	}
	dst = append(dst, toyVersion)
	kept := t.open[:0]
	for i, n := range t.open {
		if i%2 == 1 {
			kept = append(kept, n)
			continue
		}
		dst = n.appendEncoding(dst)
	}
	t.open = kept
	return dst, true
}

// Pack gives away every open node.
func (t *Toy) Pack(dst []byte) []byte {
	dst = append(dst, toyVersion)
	for _, n := range t.open {
		dst = n.appendEncoding(dst)
	}
	t.open = t.open[:0]
	return dst
}

// appendEncoding appends the encoding of a node, toyNodeLen bytes.
func (n toyNode) appendEncoding(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(dst, n.hash), math.Float64bits(n.weight))
	return append(dst, byte(n.depth))
}

// Subtask cuts off the last open node at the given depth or deeper.
func (t *Toy) Subtask(dst []byte, depth, limit int) (piece []byte, expanded int, ok bool) {
	for !t.Empty() && !t.decided && t.open[len(t.open)-1].depth < depth {
		if expanded == limit {
			return dst, expanded, false
		}
		expanded += t.Expand(1)
	}
	if expanded > 0 || t.Empty() || t.decided {
		return dst, expanded, false
	}
	last := t.open[len(t.open)-1]
	t.open = t.open[:len(t.open)-1]
	return last.appendEncoding(append(dst, toyVersion)), expanded, true
}

// Accept takes over a piece.
func (t *Toy) Accept(piece []byte) error {
	if !t.Empty() {
		return errors.New("a toy share that is not empty cannot accept a piece")
	}
	if len(piece) <= 1 || piece[0] != toyVersion || (len(piece)-1)%toyNodeLen != 0 {
		return fmt.Errorf("a toy piece of %d bytes: expected version %d and then one or more nodes of %d bytes", len(piece), toyVersion, toyNodeLen)
	}
	all := 0.0
	for nodes := piece[1:]; len(nodes) > 0; nodes = nodes[toyNodeLen:] {
		weight := math.Float64frombits(binary.BigEndian.Uint64(nodes[8:]))
		if all += weight; !search.IsSoundWeight(weight) || !search.IsSoundWeight(all) {
			t.open = t.open[:0]
			return fmt.Errorf("a toy piece with a node of weight %v: expected 0 to 1, and no more in all", weight)
		}
		t.open = append(t.open, toyNode{binary.BigEndian.Uint64(nodes), int(nodes[16]), weight})
	}
	return nil
}

var (
	_ search.Decider   = (*Toy)(nil)
	_ search.Subtasker = (*Toy)(nil)
	_ search.Bisecter  = (*Toy)(nil)
	_ search.Packer    = (*Toy)(nil)
	_ search.Optimiser = (*Toy)(nil)
	_ search.Sizer     = (*Toy)(nil)
)
