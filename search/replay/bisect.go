package replay

import "treesplit/search"

var _ search.Bisecter = (*Share)(nil)

// Bisect makes the share one of 2^k parts of the tree; see search.Bisecter. It panics on a
// share with an expanded node. In a timed tree a share expands only the first part of a node without
// children that belongs to another share.
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
		last, before := family, 0
		if !isLeaf {
			last, before = s.tree.skipParts(family)
		}
		own, longLeaf := way.OwnsCurrentNode(), before > 0 && last == leaf
		if longLeaf {
			before = 0 // its owner has the rest
		}
		if own {
			expanded += before + 1
		} else {
			redundant += before + 1
		}
		switch {
		case isLeaf || longLeaf && !own:
			return expanded, redundant
		case longLeaf:
			s.frames = append(s.frames, frame{family: family, hi: 1, height: height})
			return expanded, redundant
		}
		family = last
		lo, hi := 0, int(s.tree.countChildren(family))
		for hi-lo > 1 && !way.IsFinished() {
			lo, hi = way.HalveSiblings(lo, hi)
		}
		if way.IsFinished() {
			s.frames = append(s.frames, frame{family: family, lo: uint32(lo), hi: uint32(hi), height: height})
			return expanded, redundant
		}
		family = s.tree.words[family+header+uint32(lo)]
		isLeaf = family == leaf
		height++
	}
}
