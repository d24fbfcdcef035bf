package sat

import (
	"iter"

	"treesplit/search"
)

// TimedNodes expands a share that has the whole tree, and yields the nodes in preorder with the
// differences of clock, which may be any clock. The subtree of an anchor is one node without
// children, because only one share can search it. A cube is one node with all its steps. The
// sequence ends early if halt returns true, which is called before each node and each step, or if the
// share is decided.
func (s *Search) TimedNodes(clock func() int64, halt func() bool) iter.Seq[search.TimedNode] {
	return func(yield func(search.TimedNode) bool) {
		leaves, counted := s.counts.leaves(), s.counts.Expanded
		for begun := clock(); !s.Empty() && !s.Decided() && !halt(); {
			s.Expand(1)
			if s.inside || s.conqueror != nil && s.conqueror.Anchor() >= 0 {
				continue
			}
			n := search.TimedNode{Children: 2, Count: s.counts.Expanded - counted, Time: clock() - begun}
			if c := s.counts.leaves(); c > leaves {
				n.Children, leaves = 0, c
			}
			if !yield(n) {
				return
			}
			counted, begun = s.counts.Expanded, clock()
		}
	}
}

// leaves returns the number of leaves.
func (c *Counts) leaves() int64 { return c.Conflicts + c.Solutions }
