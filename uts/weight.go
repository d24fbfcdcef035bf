package uts

import "treesplit/search"

var _ search.Sizer = (*Tree)(nil)

// negligible is 2^−80: a frame whose children weigh less than this part of the current sum would
// not change the sum.
const negligible = 1.0 / (1 << 40) / (1 << 40)

// Weight returns the weight of the children that this share must still visit; see search.Sizer.
// The time is proportional to the number of frames whose weight counts, for every depth of the
// tree. Deeper frames descend from a sibling of the frames before them, and from one height of
// the stack to the next at least half of the weight is lost.
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

// Open returns the number of these children. O(frames).
func (t *Tree) Open() (nodes int) {
	if t.root {
		return 1
	}
	for i := t.base; i < len(t.frames); i++ {
		nodes += int(t.frames[i].hi - t.frames[i].lo)
	}
	return nodes
}
