package uts

import "treesplit/search"

var _ search.Sizer = (*Tree)(nil)

// negligible is 2^−80: frames of a share whose children have less than this part of what
// was added up before them would not change the sum.
const negligible = 1.0 / (1 << 40) / (1 << 40)

// Weight is that of the children that this share is yet to visit; see search.Sizer. It
// takes time in proportion to the frames whose weight counts, however deep the tree is:
// what lies deeper in the stack descends from a sibling of the frames before it, and from
// one height of the stack to the next at least half of the weight is lost.
func (t *Tree) Weight() (left float64) {
	if t.root {
		return 1
	}
	for i := t.base; i < len(t.frames); i++ {
		f := &t.frames[i]
		if f.weight <= left*negligible {
			break
		}
		left += f.weight * float64(f.hi-f.lo)
	}
	return left
}

// Open is the number of these children. O(frames).
func (t *Tree) Open() (nodes int) {
	if t.root {
		return 1
	}
	for i := t.base; i < len(t.frames); i++ {
		nodes += int(t.frames[i].hi - t.frames[i].lo)
	}
	return nodes
}
