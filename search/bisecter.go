package search

// MaxSplits is the largest k of Bisect.
const MaxSplits = 63

// Bisecter is a Work that goes straight from the root to one of 2^k parts of the
// tree, so that ranks can take their parts without a message (Sanders,
// "Randomized Static Load Balancing for Tree-Shaped Computations").
//
// The parts are numbered by paths of k bits, the first decision in the highest
// bit. What is bisected is a run of siblings, at first the root alone:
//
//   - a run of several is halved: bit 0 takes the first ⌈m/2⌉ of m, bit 1 the rest;
//   - a run of one is expanded, and its children are the new run; where it is a
//     leaf the part is empty, whatever the bits that are left.
//
// What is left after k halvings is the part, with nothing of it expanded. A node
// expanded on the way is common to all parts that begin with the same bits. It
// belongs to the one of them whose bits left are all zero: that part counts it,
// for the others it is redundant. So each node of the tree belongs to exactly one
// of the parts.
type Bisecter interface {
	Work
	// Bisect makes the share the given part of 2^k, 0 ≤ k ≤ MaxSplits, 0 ≤ part <
	// 2^k; it panics on others. The share must be empty, or be the whole tree with
	// nothing expanded. It returns how many nodes of this part it expanded on the
	// way, which the share counts as if Expand had done it, and how many of other
	// parts, which the share does not count. A Decider may be Decided by a node of
	// this part. O(k + nodes on the way); allocates nothing but room on the stack.
	Bisect(k int, part uint64) (expanded, redundant int)
}

// Way is the path of bits to a part, for those who implement Bisecter.
type Way struct {
	bits uint64
	left int
}

// NewWay returns the way to part of 2^k. It panics on a part that is none.
func NewWay(k int, part uint64) Way {
	if k < 0 || k > MaxSplits || part>>k != 0 {
		panic("search: no such part")
	}
	return Way{part, k}
}

// IsFinished reports whether no halving is left.
func (w *Way) IsFinished() bool { return w.left == 0 }

// OwnsCurrentNode reports whether a node expanded now belongs to the part that the way leads to.
func (w *Way) OwnsCurrentNode() bool { return w.bits&(1<<w.left-1) == 0 }

// HalveSiblings takes the next bit and returns which of the siblings from, …, to−1 are
// left: the first half, rounded up, or the second.
func (w *Way) HalveSiblings(from, to int) (int, int) {
	w.left--
	middle := from + (to-from+1)/2
	if w.bits>>w.left&1 == 0 {
		return from, middle
	}
	return middle, to
}
