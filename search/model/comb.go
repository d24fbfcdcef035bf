package model

import (
	"encoding/binary"
	"errors"
	"fmt"

	"treesplit/search"
)

// Comb is work that random polling distributes slowly. A bush hangs from every node of a
// spine. Each split of the share that holds the spine gives away one bush, the one nearest to
// the root. Although a bush is split evenly, only the fraction 1/Teeth of the W nodes leaves
// this share at a time.
//
// The construction is our own. Thorny is the tree of figure 3 of Sanders, "Better Algorithms for
// Parallel Backtracking".
//
// The tree: a node of the spine has the next spine node as its first child and a bush as its
// last. A bush of n nodes is a node with two bushes of ⌈(n−1)/2⌉ and ⌊(n−1)/2⌋ nodes. A share
// expands the spine first, in depth-first order, then the bushes from the lowest to the
// highest.
type Comb struct {
	teeth, bush int64 // of the whole tree
	// spine is the number of spine nodes that are not expanded; each has its bush. bushes is
	// the number of bushes whose spine node is expanded and that are not begun. loose is the
	// number of remaining nodes of the current bush, 0 as long as there is a spine.
	spine, bushes, loose int64
}

// NewComb returns a comb with the given number of teeth (1 to 2^31−1) and bush nodes in each
// bush (at least 1), W = teeth·(1+bush) ≤ 2^62: all of it if root is set, otherwise an empty
// share. It returns an error for numbers out of range.
func NewComb(teeth int, bush int64, root bool) (*Comb, error) {
	if teeth < 1 || teeth > 1<<31-1 || bush < 1 || bush >= 1<<62/int64(teeth) {
		return nil, fmt.Errorf("a comb cannot have %d teeth with bushes of %d nodes: expected 1 to 2^31−1 teeth, at least 1 node per bush, and at most 2^62 nodes in all", teeth, bush)
	}
	c := &Comb{teeth: int64(teeth), bush: bush}
	if root {
		c.spine = c.teeth
	}
	return c, nil
}

// Left returns the number of remaining nodes.
func (c *Comb) Left() int64 { return c.spine*(1+c.bush) + c.bushes*c.bush + c.loose }

// NodesLeft returns the same number: the order does not depend on the limits of Expand.
func (c *Comb) NodesLeft() int64 { return c.Left() }

// Empty reports whether no node is left.
func (c *Comb) Empty() bool { return c.spine+c.bushes+c.loose == 0 }

// Expand removes up to limit nodes. O(1).
func (c *Comb) Expand(limit int) (expanded int) {
	todo := min(int64(limit), c.Left())
	expanded = int(todo)
	down := min(todo, c.spine)
	c.spine, c.bushes = c.spine-down, c.bushes+down
	if todo -= down; todo == 0 {
		return expanded
	}
	left := c.Left() - todo // of bushes alone
	c.bushes, c.loose = left/c.bush, left%c.bush
	return expanded
}

// Split gives away a bush whose spine node is expanded, or half of the only remaining bush.
func (c *Comb) Split(dst []byte) (piece []byte, ok bool) {
	if c.spine == 0 && c.loose == 0 && c.bushes == 1 {
		c.bushes, c.loose = 0, c.bush
	}
	given := c.bush
	switch {
	case c.bushes > 0:
		c.bushes--
	case c.loose > 1:
		given = c.loose / 2
		c.loose -= given
	default:
		return dst, false
	}
	return (&Comb{loose: given}).appendShare(dst), true
}

// Pack gives away all remaining nodes. It panics on an empty share.
func (c *Comb) Pack(dst []byte) (piece []byte) {
	if c.Empty() {
		panic("model: an empty share cannot be packed")
	}
	dst = c.appendShare(dst)
	c.spine, c.bushes, c.loose = 0, 0, 0
	return dst
}

// appendShare encodes the share: the number of its nodes, which NodesInPiece reads, then spine
// and bushes.
func (c *Comb) appendShare(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint64(dst, uint64(c.Left()))
	dst = binary.BigEndian.AppendUint32(dst, uint32(c.spine))
	return binary.BigEndian.AppendUint32(dst, uint32(c.bushes))
}

// Accept takes over a piece.
func (c *Comb) Accept(piece []byte) error {
	if !c.Empty() {
		return errors.New("the share is not empty: it cannot accept a piece")
	}
	if len(piece) != 16 {
		return errors.New("a piece of a comb must have 16 bytes")
	}
	nodes := binary.BigEndian.Uint64(piece)
	got := Comb{teeth: c.teeth, bush: c.bush}
	got.spine = int64(binary.BigEndian.Uint32(piece[8:]))
	got.bushes = int64(binary.BigEndian.Uint32(piece[12:]))
	if got.spine+got.bushes > c.teeth {
		return fmt.Errorf("a piece cannot have %d nodes of the spine and %d bushes: the comb has %d teeth", got.spine, got.bushes, c.teeth)
	}
	whole := uint64(got.Left())
	begun := nodes > whole && (got.spine > 0 || got.bushes == c.teeth || nodes-whole > uint64(c.bush))
	if nodes == 0 || nodes < whole || begun {
		return fmt.Errorf("a piece cannot have %d nodes with %d on the spine and %d bushes: the numbers do not add up", nodes, got.spine, got.bushes)
	}
	got.loose = int64(nodes - whole)
	*c = got
	return nil
}

// Bisect makes the share part of 2^k. The bits of a part are zeros along the spine, then a one
// that leads into a bush. O(k).
func (c *Comb) Bisect(k int, part uint64) (expanded, redundant int) {
	if !c.Empty() && c.spine != c.teeth {
		panic("model: a share with expanded nodes cannot be bisected: expected an empty share or the whole")
	}
	way := search.NewWay(k, part)
	spine, bush := c.teeth, int64(0) // the run of one sibling: the rest of the spine, or a bush
	for !way.IsFinished() && spine+bush > 0 {
		if way.OwnsCurrentNode() {
			expanded++
		} else {
			redundant++
		}
		// The children, in nodes; the spine below is the first child of the spine.
		first, last := bush/2, max(bush-1, 0)/2
		if spine > 0 {
			spine--
			first, last = spine, c.bush
		}
		if first == 0 || last > 0 && takesSecond(&way) {
			spine, bush = 0, last
		} else if spine == 0 {
			bush = first
		}
	}
	c.spine, c.bushes, c.loose = spine, 0, bush
	return expanded, redundant
}

var (
	_ search.Bisecter = (*Comb)(nil)
	_ search.Packer   = (*Comb)(nil)
)
