// Package stack makes a search.Work from a tree whose nodes are small values. The author of a
// problem writes the type of a node and the function that returns its children; every scheme
// can then balance the search. The Work has all optional interfaces except search.Decider and
// search.Optimiser. docs/own-problem.md explains a complete problem.
//
// The package is for first versions, and for trees in which a node costs more than a copy of a
// few dozen bytes. The project's own workloads have their own stacks, which store less per
// node.
package stack

import (
	"slices"

	"treesplit/search"
)

// Tree is the description of a search tree. N is a node: a value of fixed size (a struct of
// numbers of fixed size, or arrays of these) with all data that are needed to expand it. All
// fields are exported, because another package encodes them. Fields named _ are allowed.
//
// Each Share has its own Tree, whose Visit may count and store anything.
type Tree[N any] interface {
	// Root returns the node at depth 0.
	Root() N
	// Visit is called exactly once in the whole search for each node, by the share that
	// expands it.
	Visit(n N)
	// Children appends the children of a node to dst, in the order in which they are expanded.
	// They must be the same for every share, whatever nodes it has visited. A share may call
	// Children more than once for a node, so Children must not count anything. In a branch and
	// bound search (see search.Optimiser), a node that cannot lead to a better solution has no
	// children, and any other node has all its children.
	Children(dst []N, n N) []N
	// Check returns an error for a node that cannot be part of the tree. Pieces are untrusted.
	Check(n N) error
}

// open is a node that is not yet expanded.
type open[N any] struct {
	node   N
	depth  int32
	weight float64 // see search.Sizer
}

// Share is one rank's share of the tree: a stack of open nodes. The depths do not decrease
// from the root end to the top. The top node is expanded next.
type Share[N any] struct {
	tree     Tree[N]
	split    search.Splitting
	stack    []open[N]
	children []N
	cuts     []search.Cut
	stop     func() bool // see StopWhen; or nil
}

// New returns a share of a tree: the whole tree if root is set, otherwise an empty share. It
// panics if N has no fixed size or has a field that is not exported.
func New[N any](tree Tree[N], split search.Splitting, root bool) *Share[N] {
	checkNodeType(*new(N))
	s := &Share[N]{tree: tree, split: split}
	if root {
		s.pushRoot()
	}
	return s
}

// StopWhen sets a function after whose result true Expand and Subtask expand no more nodes. It is
// called before each node. It is for a search that ends at its first solution: the type that
// embeds the Share then is a search.Decider, whose method Decided returns the same.
func (s *Share[N]) StopWhen(stop func() bool) { s.stop = stop }

func (s *Share[N]) isStopped() bool { return s.stop != nil && s.stop() }

func (s *Share[N]) pushRoot() {
	s.stack = append(s.stack[:0], open[N]{node: s.tree.Root(), weight: 1})
}

// Empty reports whether no node is left.
func (s *Share[N]) Empty() bool { return len(s.stack) == 0 }

// Expand expands up to limit nodes in depth-first order.
func (s *Share[N]) Expand(limit int) (expanded int) {
	for ; expanded < limit && len(s.stack) > 0 && !s.isStopped(); expanded++ {
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

// Split gives away the nodes that the splitting function chooses from all nodes except the top
// one.
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

// levels is a Share as a splitting function uses it: each node except the top one is a level.
type levels[N any] Share[N]

func (l *levels[N]) Levels() int         { return max(len(l.stack)-1, 0) }
func (l *levels[N]) Open(int) int        { return 1 }
func (l *levels[N]) Depth(level int) int { return int(l.stack[level].depth) }

var _ search.Work = (*Share[struct{}])(nil)
