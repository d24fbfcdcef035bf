package explore

import (
	"encoding/binary"
	"fmt"

	"treesplit/search"
)

// Toy is a search.Work over a small tree that is given by a number: a node's
// children follow from hashing it. Its open nodes stand in a plain list, the
// simplest Work there is, and so can be counted at any time.
type Toy struct {
	shape   Shape
	open    []toyNode
	decided bool
}

// Shape is a toy tree.
type Shape struct {
	Seed  uint64
	Depth int    // nodes at this depth are leaves
	Width int    // a node has at most this many children
	Find  uint64 // a node whose hash is a multiple of this is a witness; 0: none is
}

type toyNode struct {
	hash  uint64
	depth int
}

// mix is the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// NewToy returns a share of the tree: all of it, if root is set, or nothing.
func NewToy(s Shape, root bool) *Toy {
	t := &Toy{shape: s}
	if root {
		t.open = append(t.open, toyNode{mix(s.Seed), 0})
	}
	return t
}

// Fresh returns an empty share of the same tree.
func (t *Toy) Fresh() *Toy { return NewToy(t.shape, false) }

// Size counts the nodes of the tree.
func (s Shape) Size() int {
	s.Find = 0
	return NewToy(s, true).Expand(1 << 30)
}

// Expand expands the last open node, max times.
func (t *Toy) Expand(max int) int {
	n := 0
	for ; n < max && !t.Empty() && !t.decided; n++ {
		last := t.open[len(t.open)-1]
		t.open = t.open[:len(t.open)-1]
		t.decided = t.shape.Find > 0 && last.hash%t.shape.Find == 0
		if last.depth < t.shape.Depth {
			for i := range last.hash % uint64(t.shape.Width+1) {
				t.open = append(t.open, toyNode{mix(last.hash + i), last.depth + 1})
			}
		}
	}
	return n
}

// Empty says that no node is open.
func (t *Toy) Empty() bool { return len(t.open) == 0 }

// Decided says that a witness was met.
func (t *Toy) Decided() bool { return t.decided }

// Open is the number of open nodes.
func (t *Toy) Open() int { return len(t.open) }

// Split gives away every other open node.
func (t *Toy) Split(dst []byte) ([]byte, bool) {
	if len(t.open) < 2 {
		return dst, false
	}
	kept := t.open[:0]
	for i, n := range t.open {
		if i%2 == 1 {
			kept = append(kept, n)
			continue
		}
		dst = binary.BigEndian.AppendUint64(dst, n.hash)
		dst = append(dst, byte(n.depth))
	}
	t.open = kept
	return dst, true
}

// Subtask cuts off the last open node at the given depth or deeper.
func (t *Toy) Subtask(dst []byte, depth, max int) (piece []byte, expanded int, ok bool) {
	for !t.Empty() && !t.decided && t.open[len(t.open)-1].depth < depth {
		if expanded == max {
			return dst, expanded, false
		}
		expanded += t.Expand(1)
	}
	if t.Empty() || t.decided {
		return dst, expanded, false
	}
	last := t.open[len(t.open)-1]
	t.open = t.open[:len(t.open)-1]
	return append(binary.BigEndian.AppendUint64(dst, last.hash), byte(last.depth)), expanded, true
}

// Accept takes over a piece.
func (t *Toy) Accept(piece []byte) error {
	if !t.Empty() || len(piece) == 0 || len(piece)%9 != 0 {
		return fmt.Errorf("a toy piece of %d bytes: expected a positive multiple of 9, for an empty share", len(piece))
	}
	for ; len(piece) > 0; piece = piece[9:] {
		t.open = append(t.open, toyNode{binary.BigEndian.Uint64(piece), int(piece[8])})
	}
	return nil
}

var (
	_ search.Decider   = (*Toy)(nil)
	_ search.Subtasker = (*Toy)(nil)
)
