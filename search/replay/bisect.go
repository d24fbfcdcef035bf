package replay

import "treesplit/search"

var _ search.Bisecter = (*Share)(nil)

// Bisect makes the share one of 2^k parts of the tree; see search.Bisecter. It panics on a
// share with an expanded node.
func (s *Share) Bisect(k int, part uint64) (expanded, redundant int) {
	defer func() { s.left = s.Left() }()
	if len(s.frames) > s.base {
		panic("replay: a share with expanded nodes cannot be bisected: expected an empty share or the whole tree")
	}
	way := search.NewWay(k, part)
	s.frames, s.base = s.frames[:0], 0
	if s.root = way.IsFinished(); s.root {
		return 0, 0
	}
	family, height, isLeaf := uint32(0), int32(0), !s.tree.inner
	for {
		own := way.OwnsCurrentNode()
		if own {
			expanded++
		} else {
			redundant++
		}
		if isLeaf {
			return expanded, redundant
		}
		if s.tree.isPartOfLeaf(family) { // other shares need not know what the rest of the node finds
			if own {
				s.frames = append(s.frames, frame{family: family, hi: 1, height: height})
			}
			return expanded, redundant
		}
		lo, hi := 0, int(s.tree.countChildren(family))
		for hi-lo > 1 && !way.IsFinished() {
			lo, hi = way.HalveSiblings(lo, hi)
		}
		if way.IsFinished() {
			s.frames = append(s.frames, frame{family: family, lo: uint32(lo), hi: uint32(hi), height: height})
			return expanded, redundant
		}
		next := s.tree.childHeight(family, height)
		family = s.tree.words[family+header+uint32(lo)]
		isLeaf = family == leaf
		height = next
	}
}
