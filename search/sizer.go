package search

// Sizer is a Work that knows the weight of its part of the tree. The weight is an estimate of a
// part's size. The root has the weight 1. The weight of any other node is the weight of its parent
// divided by the number of the parent's children. In other words, the weight of a node is the
// probability that a random walk from the root visits it, if the walk chooses each child of a node
// with equal probability (Knuth, "Estimating the efficiency of backtrack programs", 1975).
//
// The size of a subtree is unknown before it is searched, but its weight is known. The weights of
// the open (not yet searched) and the closed (searched) parts of the tree always add up to 1, over
// all ranks. So the weight of the closed part measures the progress: it rises from 0 to 1 and never
// falls.
//
// A share does not count anything for its weight while it expands nodes: it computes the weight from
// its stack. If the stack does not determine the weight, each piece carries its weight.
type Sizer interface {
	Work
	// Weight returns the sum of the weights of the share's open nodes, the roots of its open
	// subtrees: 1 for the whole tree, 0 for an empty share. Expand does not raise it. Split,
	// Pack and a Subtask that cuts off a piece lower it by the weight of the piece. The empty share
	// that accepts the piece then has this weight. These rules hold within rounding, and very
	// small weights count as 0. Weight takes O(levels) time at most, and does not allocate.
	//
	// The number of a node's children may include children that are never expanded, for example
	// pruned children. These are closed when their parent is expanded.
	Weight() float64
	// Open returns the number of open nodes. It takes O(levels) time and does not allocate.
	Open() int
}

// Size holds the weight and the number of open nodes of a share.
type Size struct {
	Weight float64
	Open   int
}

// SizeOf returns the size of a share, or zero if it is no Sizer.
func SizeOf(w Work) Size {
	if s, ok := As[Sizer](w); ok {
		return Size{s.Weight(), s.Open()}
	}
	return Size{}
}

// WeightOf returns the weight of a share, or zero if it is no Sizer.
func WeightOf(w Work) float64 {
	if s, ok := As[Sizer](w); ok {
		return s.Weight()
	}
	return 0
}

// IsSoundWeight reports whether a weight that was read from a piece is valid: not NaN, not
// negative, and at most 1 within rounding.
func IsSoundWeight(weight float64) bool { return weight >= 0 && weight <= 1+1e-9 }
