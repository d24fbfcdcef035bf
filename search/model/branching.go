package model

import (
	"encoding/binary"
	"errors"
	"fmt"

	"treesplit/search"
)

// Branching is a binary tree whose subtrees have the sizes of a Halving. It models trees for the
// schemes that cut off subtasks at a depth (Kumar et al., section 6), which Binary cannot: a node
// with T nodes below it has two subtrees, of about (1−x)T and xT nodes. With less than two atoms
// below it a node has one subtree. So a node at depth d has about the size of a piece of Binary
// after d halvings, and cutting it off costs the expansion of the d nodes above it.
//
// A share is a list of subtrees. Expand removes nodes from the last one, without a search of the
// subtree: the rest splits in the same proportion.
type Branching struct {
	h    *Halving
	open []subtree // the next one last
}

// subtree is a subtree of a Branching.
type subtree struct {
	nodes int64
	id    uint64 // as of a Binary
	depth int64  // of its root
}

// NewBranching returns the whole if root is set, otherwise an empty share. It returns an error if a
// field of h is out of range.
func NewBranching(h Halving, root bool) (*Branching, error) {
	checked, err := h.checkHalving()
	if err != nil {
		return nil, err
	}
	b := &Branching{h: checked}
	if root {
		b.open = append(b.open, subtree{nodes: checked.Nodes, id: checked.wholeName()})
	}
	return b, nil
}

// Empty reports whether no node is left.
func (b *Branching) Empty() bool { return len(b.open) == 0 }

// Left returns the number of remaining nodes. O(subtrees).
func (b *Branching) Left() (nodes int64) {
	for _, s := range b.open {
		nodes += s.nodes
	}
	return nodes
}

// Expand removes up to limit nodes. O(1 + subtrees at their end).
func (b *Branching) Expand(limit int) (expanded int) {
	for expanded < limit && len(b.open) > 0 {
		s := &b.open[len(b.open)-1]
		n := min(int64(limit-expanded), s.nodes)
		s.nodes -= n
		expanded += int(n)
		if s.nodes == 0 {
			b.open = b.open[:len(b.open)-1]
		}
	}
	return expanded
}

// Subtask cuts off the next node at the given depth or deeper; see search.Subtasker.
func (b *Branching) Subtask(dst []byte, depth, limit int) (piece []byte, expanded int, ok bool) {
	for len(b.open) > 0 && b.open[len(b.open)-1].depth < int64(depth) {
		if expanded == limit {
			return dst, expanded, false
		}
		expanded++
		b.expandRoot()
	}
	if expanded > 0 || len(b.open) == 0 {
		return dst, expanded, false
	}
	return appendSubtree(dst, b.takeLast()), 0, true
}

// takeLast removes the last subtree and returns it.
func (b *Branching) takeLast() subtree {
	s := b.open[len(b.open)-1]
	b.open = b.open[:len(b.open)-1]
	return s
}

// expandRoot replaces the last subtree by the subtrees below its root.
func (b *Branching) expandRoot() {
	s := b.takeLast()
	if s.nodes == 1 {
		return
	}
	kept, given := b.h.halveNodes(s.nodes-1, s.id)
	if given > 0 {
		b.open = append(b.open, subtree{given, secondHalfName(s.id), s.depth + 1})
	}
	b.open = append(b.open, subtree{kept, firstHalfName(s.id), s.depth + 1})
}

// Split gives away the first subtree, or half of the only one. It refuses less than two atoms.
func (b *Branching) Split(dst []byte) (piece []byte, ok bool) {
	switch len(b.open) {
	case 0:
		return dst, false
	case 1:
		s := &b.open[0]
		kept, given := b.h.halveNodes(s.nodes, s.id)
		if given == 0 {
			return dst, false
		}
		dst = appendSubtree(dst, subtree{given, secondHalfName(s.id), s.depth})
		s.nodes, s.id = kept, firstHalfName(s.id)
		return dst, true
	}
	dst = appendSubtree(dst, b.open[0])
	b.open = append(b.open[:0], b.open[1:]...)
	return dst, true
}

// appendSubtree encodes a subtree: its nodes and its name as appendPiece does, then its depth.
func appendSubtree(dst []byte, s subtree) []byte {
	return binary.BigEndian.AppendUint64(appendPiece(dst, s.nodes, s.id), uint64(s.depth))
}

// Accept takes over a piece.
func (b *Branching) Accept(piece []byte) error {
	if len(b.open) > 0 {
		return errors.New("the share is not empty: it cannot accept a piece")
	}
	if len(piece) != 24 {
		return errors.New("a piece of a branching tree must have 24 bytes")
	}
	nodes, depth := binary.BigEndian.Uint64(piece), binary.BigEndian.Uint64(piece[16:])
	if whole := uint64(b.h.Nodes); nodes == 0 || nodes > whole || depth > whole-nodes {
		return fmt.Errorf("a piece cannot have %d nodes at depth %d: the tree has %d nodes", nodes, depth, b.h.Nodes)
	}
	b.open = append(b.open, subtree{int64(nodes), binary.BigEndian.Uint64(piece[8:]), int64(depth)})
	return nil
}

var _ search.Subtasker = (*Branching)(nil)
