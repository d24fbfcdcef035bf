package stack

import (
	"math"

	"treesplit/search"
)

var (
	_ search.Subtasker = (*Share[struct{}])(nil)
	_ search.Bisecter  = (*Share[struct{}])(nil)
	_ search.Sizer     = (*Share[struct{}])(nil)
)

// Subtask cuts off the top node if it is deep enough; see search.Subtasker.
func (s *Share[N]) Subtask(dst []byte, depth, limit int) (piece []byte, expanded int, ok bool) {
	for ; len(s.stack) > 0 && !s.isStopped() && int(s.stack[len(s.stack)-1].depth) < depth; expanded++ {
		if expanded == limit {
			return dst, expanded, false
		}
		s.Expand(1)
	}
	if expanded > 0 || len(s.stack) == 0 || s.isStopped() {
		return dst, expanded, false
	}
	return s.popNode().appendTo(append(dst, mark)), 0, true
}

// Bisect makes the share one of 2^k parts of the tree; see search.Bisecter. A part that is not
// empty has the weight 2^−k.
func (s *Share[N]) Bisect(k int, part uint64) (expanded, redundant int) {
	if len(s.stack) > 0 && s.stack[0].depth > 0 {
		panic("stack: a share with expanded nodes cannot be bisected: expected an empty share or the whole tree")
	}
	way := search.NewWay(k, part)
	s.pushRoot()
	for !way.IsFinished() {
		n := s.popNode()
		if way.OwnsCurrentNode() {
			s.tree.Visit(n.node)
			expanded++
		} else {
			redundant++
		}
		s.children = s.tree.Children(s.children[:0], n.node)
		from, to := 0, len(s.children)
		if to == 0 {
			break
		}
		for to-from > 1 && !way.IsFinished() {
			from, to = way.HalveSiblings(from, to)
		}
		s.pushSiblings(s.children[from:to], n.depth+1, math.Ldexp(1, -k)/float64(to-from))
	}
	return expanded, redundant
}

// Weight returns the weight of the open nodes; see search.Sizer. O(nodes).
func (s *Share[N]) Weight() (sum float64) {
	for i := range s.stack {
		sum += s.stack[i].weight
	}
	return sum
}

// Open returns the number of open nodes.
func (s *Share[N]) Open() int { return len(s.stack) }
