package uts

import (
	"math"

	"treesplit/search"
)

var _ search.Bisecter = (*Tree)(nil)

// Bisect makes the share one of 2^k parts of the tree; see search.Bisecter. For k ≥ 1 a part is
// children lo ≤ i < hi of one frame, or empty. A node on the way costs one spawned state, times
// Granularity, like a visit. A part that is not empty has the weight 2^−k. It panics on a share
// that has begun.
func (t *Tree) Bisect(k int, part uint64) (expanded, redundant int) {
	if len(t.frames) > t.base {
		panic("uts: a share that has begun cannot be bisected")
	}
	way := search.NewWay(k, part)
	t.frames, t.base = t.frames[:0], 0
	if t.root = way.IsFinished(); t.root {
		return 0, 0
	}
	t.frames = append(t.frames, frame{state: rootState(uint32(t.counter.p.Seed))})
	share := math.Ldexp(1, -k)
	for f := &t.frames[0]; ; t.enterFirstChild(f) {
		t.spawned[0] = f.state
		t.counter.fillChildCounts(t.counts[:1], t.spawned[:1], int(f.height))
		lo, hi := 0, int(t.counts[0])
		if way.OwnsCurrentNode() {
			expanded++
			t.result.countNode(int64(f.height), hi)
		} else {
			redundant++
		}
		if hi == 0 {
			t.frames = t.frames[:0]
			return expanded, redundant
		}
		for hi-lo > 1 && !way.IsFinished() {
			lo, hi = way.HalveSiblings(lo, hi)
		}
		f.lo, f.hi, f.weight = int32(lo), int32(hi), share/float64(hi-lo)
		if way.IsFinished() {
			return expanded, redundant
		}
	}
}

// enterFirstChild replaces a frame by the frame of its first remaining child.
func (t *Tree) enterFirstChild(f *frame) {
	for range t.counter.p.Granularity {
		spawn(t.spawned[:1], &f.state, uint32(f.lo))
	}
	f.state = t.spawned[0]
	f.height++
}

// countNode counts one node of the given height.
func (r *Result) countNode(height int64, children int) {
	r.Size++
	r.Depth = max(r.Depth, height)
	if children == 0 {
		r.Leaves++
	}
}
