package bb

import "treesplit/search"

// Bisect makes the share one of 2^k parts of the tree; see search.Bisecter. All ranks must divide
// the tree in the same way at any time. So the nodes on the way are pruned by the bound at the
// start of the search (Options.Upper), not by the best bound known now. For k ≥ 1 a part is some
// children of one node, or empty. It panics on a share that has begun.
func (s *Search) Bisect(k int, part uint64) (expanded, redundant int) {
	if s.depth >= 0 {
		panic("bb: a share that has begun cannot be bisected")
	}
	way := search.NewWay(k, part)
	if s.atRoot = way.IsFinished(); s.atRoot {
		return 0, 0
	}
	limit := s.in.pruningLimit(s.in.UpperBound())
	for {
		own := way.OwnsCurrentNode()
		if own {
			expanded++
			s.counts.Expanded++
		} else {
			redundant++
		}
		s.depth++
		if s.depth == len(s.in.order) {
			if own {
				s.recordSolution(s.state.lowerBound())
			}
			s.levels[s.depth] = level{}
			s.clearStack()
			return expanded, redundant
		}
		s.generateChildren(limit, own)
		l := &s.levels[s.depth]
		if l.hi == 0 {
			s.clearStack()
			return expanded, redundant
		}
		lo, hi := 0, int(l.hi)
		for hi-lo > 1 && !way.IsFinished() {
			lo, hi = way.HalveSiblings(lo, hi)
		}
		l.lo, l.hi = int32(lo), int32(hi)
		if way.IsFinished() {
			return expanded, redundant
		}
		s.placeFirstChild()
		l.lo = l.hi // no children beside the way
	}
}
