package search

// MaxSplits is the largest k of Bisect.
const MaxSplits = 63

// Bisecter is a Work that can be replaced by one of 2^k parts of the tree, so that ranks can
// take their parts without a message (Sanders, "Randomized Static Load Balancing for
// Tree-Shaped Computations").
//
// The parts are numbered by paths of k bits, the first decision in the highest bit. A
// bisection works on a run of siblings, at first the root alone:
//
//   - A run of m > 1 siblings is halved: bit 0 takes the first ⌈m/2⌉ siblings, bit 1 the
//     others.
//   - A run of one is expanded, and its children are the new run. If the node is a leaf, the
//     part is empty for all values of the remaining bits.
//
// The run after k halvings is the part. None of its nodes is expanded. A node that is expanded
// on the path is common to all parts whose numbers begin with the same bits. It belongs to the
// part whose remaining bits are all zero: this part counts the node, and for the others it is
// redundant. So each node of the tree belongs to exactly one part.
type Bisecter interface {
	Work
	// Bisect replaces the share by the given part of 2^k, 0 ≤ k ≤ MaxSplits, 0 ≤ part < 2^k.
	// It panics on other numbers. The share must be empty, or be the whole tree with no node
	// expanded. Bisect returns two numbers: expanded is the number of nodes on the path that
	// belong to this part, which the share counts as expanded; redundant is the number of
	// nodes on the path that belong to other parts, which the share does not count. A node of
	// this part may decide a Decider. O(k + nodes on the path); allocates only space on the
	// stack.
	Bisect(k int, part uint64) (expanded, redundant int)
}

// EvenBisecter is a Bisecter whose parts are all alike. A static start then deals as many parts as
// there are ranks, without a look at some of the parts.
type EvenBisecter interface {
	Bisecter
	// HasEvenParts marks the type. It is never called.
	HasEvenParts()
}

// Way is the path of bits to a part, for implementations of Bisecter.
type Way struct {
	bits uint64
	left int
}

// NewWay returns the way to part of 2^k. It panics unless 0 ≤ k ≤ MaxSplits and 0 ≤ part <
// 2^k.
func NewWay(k int, part uint64) Way {
	if k < 0 || k > MaxSplits || part>>k != 0 {
		panic("search: the part does not exist: expected 0 ≤ k ≤ MaxSplits and 0 ≤ part < 2^k")
	}
	return Way{part, k}
}

// IsFinished reports whether all bits have been used.
func (w *Way) IsFinished() bool { return w.left == 0 }

// OwnsCurrentNode reports whether a node that is expanded now belongs to the part of this way.
func (w *Way) OwnsCurrentNode() bool { return w.bits&(1<<w.left-1) == 0 }

// HalveSiblings uses the next bit and returns the remaining range of the siblings from, …,
// to−1: the first half, rounded up, or the second half.
func (w *Way) HalveSiblings(from, to int) (int, int) {
	w.left--
	middle := from + (to-from+1)/2
	if w.bits>>w.left&1 == 0 {
		return from, middle
	}
	return middle, to
}
