package puzzle

import "treesplit/search"

var _ search.Bisecter = (*Search)(nil)

// Bisect makes the share one of 2^k parts of the tree; see search.Bisecter. The
// children of a node are those that are in the tree: the ones pruned and the ones
// solved are in no part, and a solution belongs to the part that its parent belongs
// to. From k = 1 on a part is some children of one node, or nothing. It panics on a
// share that has begun.
func (s *Search) Bisect(k int, part uint64) (expanded, redundant int) {
	if s.depth >= 0 {
		panic("puzzle: a share that has begun cannot be bisected")
	}
	way := search.NewWay(k, part)
	if s.atRoot = way.Done(); s.atRoot {
		return 0, 0
	}
	if s.problem.start.Solved() { // no node at all
		if way.Own() {
			s.found(noMove)
		}
		return 0, 0
	}
	for s.depth = 0; ; s.depth++ {
		own := way.Own()
		s.expand(own)
		if own {
			expanded++
		} else {
			redundant++
		}
		f := &s.frames[s.depth]
		lo, hi := 0, f.open.count()
		if hi == 0 {
			s.depth = -1
			return expanded, redundant
		}
		for hi-lo > 1 && !way.Done() {
			lo, hi = way.Halve(lo, hi)
		}
		f.open = f.open.cut(lo, hi)
		if way.Done() {
			return expanded, redundant
		}
		m := f.open.first()
		f.open = 0
		s.enter(s.depth, m)
	}
}
