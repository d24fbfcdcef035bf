package bb

import "treesplit/search"

// Bisect makes the share one of 2^k parts of the tree; see search.Bisecter. All ranks must divide
// the tree in the same way at any time, also after the search has resumed with another first bound
// (Options.Upper). So the siblings that are halved include pruned ones, and no bound decides which
// part a node belongs to. Only the search of the part prunes: it ends at a pruned node on the way.
// For k ≥ 1 a part is some children of one node, or empty. It panics on a share that has begun.
func (s *Search) Bisect(k int, part uint64) (expanded, redundant int) {
	if s.depth >= 0 {
		panic("bb: a share that has begun cannot be bisected")
	}
	way := search.NewWay(k, part)
	if s.atRoot = way.IsFinished(); s.atRoot {
		return 0, 0
	}
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
		limit := int64(None)
		if s.depth == len(s.in.order)-1 { // the children are complete maps, which are not in the tree
			limit = s.limit
		}
		s.generateChildren(limit, own)
		l := &s.levels[s.depth]
		lo, hi := 0, int(l.hi)
		for hi-lo > 1 && !way.IsFinished() {
			lo, hi = way.HalveSiblings(lo, hi)
		}
		l.lo, l.hi = int32(lo), int32(hi)
		if !way.IsFinished() && !way.OwnsCurrentNode() && s.countOpenAt(s.depth) == 0 {
			s.clearStack() // the part that owns the child counts it as pruned
			return expanded, redundant
		}
		s.settleStack()
		if way.IsFinished() || s.Empty() {
			return expanded, redundant
		}
		s.placeFirstChild()
		l.lo = l.hi // no children beside the way
	}
}
