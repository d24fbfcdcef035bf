package search

// Sizer is a Work that knows its fraction of the tree. The root has the weight 1. The weight
// of any other node is the weight of its parent divided by the number of the parent's
// children. It is the probability that a walk from the root, which chooses a random child at
// every node, visits the node (Knuth, "Estimating the efficiency of backtrack programs",
// 1975). The sizes of subtrees are unknown before they are searched. But the open and the
// closed parts of the tree always have the total weight 1, on whatever ranks they are. So the
// weight of the closed part rises from 0 to 1 and never falls.
//
// Nothing is counted for this purpose while nodes are expanded: a share computes its weight
// from its stack. If the stack is not sufficient, its pieces carry the weight.
type Sizer interface {
	Work
	// Weight returns the sum of the weights of the share's open nodes, the roots of its open
	// subtrees: 1 for the whole tree, 0 for an empty share. Expand does not raise it. Split,
	// Pack and a Subtask that cuts off a piece lower it by the weight of the piece, which is
	// then the weight of the share that accepts the piece. All this holds within rounding;
	// very small weights count as 0. At most O(levels); it does not allocate.
	//
	// Children that are never expanded, such as pruned ones, may count among the children of
	// their parent; they are closed with it.
	Weight() float64
	// Open returns the number of open nodes. O(levels); it does not allocate.
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
