// Package stack makes a search.Work with all facets but those of answers out of a tree
// whose nodes are small values: whoever brings a problem writes what a node is and which
// children it has, and every scheme can balance it. docs/own-problem.md shows one whole.
//
// It is for first versions and for trees whose nodes cost more than a copy of some tens of
// bytes. The project's own workloads keep stacks of their own, with less in them.
package stack

import (
	"encoding/binary"
	"fmt"
	"slices"

	"treesplit/search"
)

// Tree is what a Share knows of a search. N is a node: a value of fixed size (a struct of
// numbers of fixed size, or arrays of such), all that is needed to expand it.
//
// Each Share has a Tree of its own, which may count and remember what it likes in Visit.
type Tree[N any] interface {
	// Root is the node at depth 0.
	Root() N
	// Visit is called once in the whole search for each node, by the share that expands it.
	Visit(n N)
	// Children appends the children of a node to dst, the one to be expanded first before
	// the others. They must be the same for every share, whatever it has visited, and it
	// may ask more than once: nothing is to be counted here. Branch and bound (see
	// search.Optimiser) gives a node that can lead to nothing better no children, and any
	// other all of them.
	Children(dst []N, n N) []N
	// Check refuses a node from a piece that can be none of the tree: pieces are untrusted.
	Check(n N) error
}

// open is a node that is yet to be expanded.
type open[N any] struct {
	node   N
	depth  int32
	weight float64 // see search.Sizer
}

// Share is one rank's share: a stack of open nodes, depths not decreasing from its root end
// to its top, which is expanded next.
type Share[N any] struct {
	tree     Tree[N]
	split    search.Splitting
	stack    []open[N]
	children []N
	cuts     []search.Cut
}

// New returns a share of a tree: all of it, if root is set, or an empty one. It panics
// where N has no fixed size.
func New[N any](tree Tree[N], split search.Splitting, root bool) *Share[N] {
	if n := *new(N); binary.Size(n) < 0 {
		panic(fmt.Sprintf("stack: a node of type %T has no fixed size", n))
	}
	s := &Share[N]{tree: tree, split: split}
	if root {
		s.pushRoot()
	}
	return s
}

func (s *Share[N]) pushRoot() {
	s.stack = append(s.stack[:0], open[N]{node: s.tree.Root(), weight: 1})
}

// Empty reports whether no node is left.
func (s *Share[N]) Empty() bool { return len(s.stack) == 0 }

// Expand expands up to limit nodes, depth first.
func (s *Share[N]) Expand(limit int) (expanded int) {
	for ; expanded < limit && len(s.stack) > 0; expanded++ {
		top := s.popNode()
		s.tree.Visit(top.node)
		s.children = s.tree.Children(s.children[:0], top.node)
		s.pushSiblings(s.children, top.depth+1, top.weight/float64(len(s.children)))
	}
	return expanded
}

func (s *Share[N]) popNode() open[N] {
	last := len(s.stack) - 1
	top := s.stack[last]
	s.stack = s.stack[:last]
	return top
}

// pushSiblings pushes siblings, the first on top.
func (s *Share[N]) pushSiblings(siblings []N, depth int32, weight float64) {
	for _, n := range slices.Backward(siblings) {
		s.stack = append(s.stack, open[N]{n, depth, weight})
	}
}

// Split gives away what the splitting function chooses of all nodes but the one on top.
func (s *Share[N]) Split(dst []byte) (piece []byte, ok bool) {
	if s.cuts, ok = s.split.ChooseCuts((*levels[N])(s), s.cuts[:0]); !ok {
		return dst, false
	}
	dst = append(dst, mark)
	next, kept := 0, s.stack[:0]
	for i, o := range s.stack {
		if next < len(s.cuts) && s.cuts[next].Level == i {
			dst = o.appendTo(dst)
			next++
			continue
		}
		kept = append(kept, o)
	}
	s.stack = kept
	return dst, true
}

// levels is a Share as a splitting function sees it: each node a level but the one on top.
type levels[N any] Share[N]

func (l *levels[N]) Levels() int         { return max(len(l.stack)-1, 0) }
func (l *levels[N]) Open(int) int        { return 1 }
func (l *levels[N]) Depth(level int) int { return int(l.stack[level].depth) }

var _ search.Work = (*Share[struct{}])(nil)
