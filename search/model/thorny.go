package model

import (
	"encoding/binary"
	"errors"
	"fmt"

	"treesplit/search"
)

// Thorny is the splitting tree of figure 3 of Sanders, "Better Algorithms for Parallel
// Backtracking" (section 6.1). A balanced tree has one branch for every two ranks. A branch has
// many small subtrees, the thorns, and at its end a large subtree, the crown, which splits evenly.
// A split gives away a thorn, with hardly any work, as long as the branch has one. An efficiency
// above 1/2 needs a split of every crown, so a scheme that splits on request must first give away
// all thorns, one in each grant.
//
// A thorn is one node here. The paths to the thorns have no nodes of their own. A share of several
// branches gives half of them. A share expands the crown of a branch, then its thorns, then the next
// branch: a search in depth-first order reaches the crown first.
type Thorny struct {
	branches, thorns, crown int64 // of the whole tree: branches, and thorns and crown nodes of each
	// whole is the number of branches that are not begun. thorn and loose are the remaining
	// thorns and crown nodes of the current branch.
	whole, thorn, loose int64
}

// NewThorny returns a tree with the given numbers of branches (1 to 2^31−1), of thorns of each branch
// (0 to 2^31−1) and of nodes of each crown (at least 1), W = branches·(thorns+crown) ≤ 2^62: all of it
// if root is set, otherwise an empty share. It returns an error for numbers out of range.
func NewThorny(branches, thorns int, crown int64, root bool) (*Thorny, error) {
	const most = 1<<31 - 1
	if branches < 1 || branches > most || thorns < 0 || thorns > most || crown < 1 || crown >= 1<<62/int64(branches)-int64(thorns) {
		return nil, fmt.Errorf("a tree cannot have %d branches with %d thorns and crowns of %d nodes: expected 1 to 2^31−1 branches, 0 to 2^31−1 thorns, at least 1 node per crown, and at most 2^62 nodes in all", branches, thorns, crown)
	}
	t := &Thorny{branches: int64(branches), thorns: int64(thorns), crown: crown}
	if root {
		t.whole = t.branches
		t.beginBranch()
	}
	return t, nil
}

// beginBranch makes a whole branch the current one, if the current one is at its end.
func (t *Thorny) beginBranch() {
	if t.thorn+t.loose == 0 && t.whole > 0 {
		t.whole, t.thorn, t.loose = t.whole-1, t.thorns, t.crown
	}
}

// Left returns the number of remaining nodes.
func (t *Thorny) Left() int64 { return t.whole*(t.thorns+t.crown) + t.thorn + t.loose }

// NodesLeft returns the same number: the order does not depend on the limits of Expand.
func (t *Thorny) NodesLeft() int64 { return t.Left() }

// Empty reports whether no node is left.
func (t *Thorny) Empty() bool { return t.whole+t.thorn+t.loose == 0 }

// Expand removes up to limit nodes. It takes O(1 + branches at their end).
func (t *Thorny) Expand(limit int) (expanded int) {
	todo := min(int64(limit), t.Left())
	expanded = int(todo)
	for todo > 0 {
		n := min(todo, t.loose)
		t.loose, todo = t.loose-n, todo-n
		n = min(todo, t.thorn)
		t.thorn, todo = t.thorn-n, todo-n
		t.beginBranch()
	}
	return expanded
}

// Split gives away half of the branches, a thorn, or half of the crown: the first of these that the
// share has besides another node.
func (t *Thorny) Split(dst []byte) (piece []byte, ok bool) {
	given := Thorny{thorns: t.thorns, crown: t.crown}
	switch {
	case t.whole > 0:
		given.whole = (t.whole + 1) / 2
		t.whole -= given.whole
	case t.thorn > 0 && t.thorn+t.loose > 1:
		given.thorn = 1
		t.thorn--
	case t.loose > 1:
		given.loose = t.loose / 2
		t.loose -= given.loose
	default:
		return dst, false
	}
	return given.appendShare(dst), true
}

// Pack gives away all remaining nodes. It panics on an empty share.
func (t *Thorny) Pack(dst []byte) (piece []byte) {
	if t.Empty() {
		panic("model: an empty share cannot be packed")
	}
	dst = t.appendShare(dst)
	t.whole, t.thorn, t.loose = 0, 0, 0
	return dst
}

// appendShare encodes the share: the number of its nodes, which NodesInPiece reads, then whole
// branches and thorns.
func (t *Thorny) appendShare(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint64(dst, uint64(t.Left()))
	dst = binary.BigEndian.AppendUint32(dst, uint32(t.whole))
	return binary.BigEndian.AppendUint32(dst, uint32(t.thorn))
}

// Accept takes over a piece.
func (t *Thorny) Accept(piece []byte) error {
	if !t.Empty() {
		return errors.New("the share is not empty: it cannot accept a piece")
	}
	if len(piece) != 16 {
		return errors.New("a piece of a thorny tree must have 16 bytes")
	}
	nodes := binary.BigEndian.Uint64(piece)
	got := *t
	got.whole = int64(binary.BigEndian.Uint32(piece[8:]))
	got.thorn = int64(binary.BigEndian.Uint32(piece[12:]))
	if got.whole > t.branches || got.whole == t.branches && got.thorn > 0 || got.thorn > t.thorns {
		return fmt.Errorf("a piece cannot have %d branches and %d thorns: the tree has %d branches with %d thorns", got.whole, got.thorn, t.branches, t.thorns)
	}
	known := uint64(got.Left())
	if nodes == 0 || nodes < known || nodes-known > uint64(t.crown) || nodes > known && got.whole == t.branches {
		return fmt.Errorf("a piece cannot have %d nodes with %d branches and %d thorns: the numbers do not add up", nodes, got.whole, got.thorn)
	}
	got.loose = int64(nodes - known)
	got.beginBranch()
	*t = got
	return nil
}

var _ search.Packer = (*Thorny)(nil)
