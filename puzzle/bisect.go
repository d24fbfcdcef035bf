package puzzle

import "treesplit/search"

var _ search.Bisecter = (*Search)(nil)

// Bisect makes the share one of 2^k parts of the tree; see search.Bisecter. Only children that
// are in the tree count: pruned and solved children belong to no part, and a solution belongs to
// the part of its parent. For k ≥ 1 a part is some children of one node, or empty. It panics on a
// share that has begun.
func (s *Search) Bisect(k int, part uint64) (expanded, redundant int) {
	if s.depth >= 0 {
		panic("puzzle: a share that has begun cannot be bisected")
	}
	way := search.NewWay(k, part)
	if s.atRoot = way.IsFinished(); s.atRoot {
		return 0, 0
	}
	if s.problem.start.IsGoalBoard() { // the tree has no node
		if way.OwnsCurrentNode() {
			s.recordSolution(noMove)
		}
		return 0, 0
	}
	for s.depth = 0; ; s.depth++ {
		own := way.OwnsCurrentNode()
		s.expandTop(own)
		if own {
			expanded++
		} else {
			redundant++
		}
		f := &s.frames[s.depth]
		lo, hi := 0, f.open.countMoves()
		if hi == 0 {
			s.depth = -1
			return expanded, redundant
		}
		for hi-lo > 1 && !way.IsFinished() {
			lo, hi = way.HalveSiblings(lo, hi)
		}
		f.open = f.open.selectRange(lo, hi)
		if way.IsFinished() {
			return expanded, redundant
		}
		m := f.open.firstMove()
		f.open = 0
		s.enterChild(s.depth, m)
	}
}
