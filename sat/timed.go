package sat

import (
	"iter"

	"treesplit/search"
)

// TimedNodes expands a share that has the whole tree, and yields the nodes in preorder with the
// differences of clock, which may be any clock. The subtree of an anchor is one node without
// children, because only one share can search it. A cube is one node with all its steps. The
// sequence ends early if halt returns true, which is called before each node and each step, or if the
// share is decided. The last node then has the counts and the time of an incomplete node.
func (s *Search) TimedNodes(clock func() int64, halt func() bool) iter.Seq[search.TimedNode] {
	return func(yield func(search.TimedNode) bool) {
		leaves, counted, levels, begun := s.counts.leaves(), s.counts.Expanded, 0, clock()
		for !s.Empty() && !s.Decided() && !halt() {
			s.Expand(1)
			if anchor := s.anchor(); anchor >= 0 {
				levels = max(levels, s.depth-anchor)
				continue
			}
			if s.inside {
				continue
			}
			n := search.TimedNode{Children: 2, Levels: levels, Count: s.counts.Expanded - counted, Time: clock() - begun}
			if c := s.counts.leaves(); c > leaves {
				n.Children, leaves = 0, c
			}
			if !yield(n) {
				return
			}
			counted, levels, begun = s.counts.Expanded, 0, clock()
		}
		if n := s.counts.Expanded - counted; n > 0 {
			yield(search.TimedNode{Count: n, Time: clock() - begun})
		}
	}
}

// anchor returns the depth of the anchor on the path to the last visited node, or -1.
func (s *Search) anchor() int {
	if s.conqueror == nil {
		return -1
	}
	return s.conqueror.Anchor()
}

// leaves returns the number of leaves.
func (c *Counts) leaves() int64 { return c.Conflicts + c.Solutions }
