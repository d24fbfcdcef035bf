package bb

import "treesplit/search"

// Bisect makes the share one of 2^k parts of the tree; see search.Bisecter. All ranks must
// part the tree alike, whenever they do it, and so the nodes on the way are pruned by the
// bound that the search began with (Options.Upper), not by the best known now. From k = 1
// on a part is some children of one node, or nothing. It panics on a share that has begun.
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
		l.lo = l.hi // nothing beside the way
	}
}
