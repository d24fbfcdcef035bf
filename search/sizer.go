package search

// Sizer is a Work that knows which share of the tree it has left. The root has the weight
// 1, and a node's weight is that of its parent divided by the number of the parent's
// children: the chance that a walk from the root which turns down at random passes it
// (Knuth, "Estimating the efficiency of backtrack programs", 1975). How large the subtrees
// are nobody knows before they are searched; but all that is open or closed has the weight 1
// in all, whoever has it, so that what is closed goes from 0 to 1 and never falls.
//
// Nothing is counted for this while nodes are expanded: a share finds its weight from what
// it holds anyway. Where that does not tell, its pieces carry it.
type Sizer interface {
	Work
	// Weight is the sum of the weights of the nodes that the share is yet to expand, the
	// roots of its open subtrees: 1 for the whole tree, 0 for an empty share. Expand does
	// not raise it; Split, Pack and a Subtask that cuts something off lower it by the
	// weight of the piece, which the share that accepts the piece then has. All this within
	// rounding: very small weights count as 0. O(levels) at most; allocates nothing.
	//
	// Children that are never in the tree, as those pruned, may count among the children of
	// their parent, and are closed with it.
	Weight() float64
	// Open is the number of these nodes. O(levels); allocates nothing.
	Open() int
}

// Size is what a Sizer says of itself.
type Size struct {
	Weight float64
	Open   int
}

// SizeOf is the size of a share, or zero where it is no Sizer.
func SizeOf(w Work) Size {
	if s, ok := As[Sizer](w); ok {
		return Size{s.Weight(), s.Open()}
	}
	return Size{}
}

// WeightOf is the weight alone.
func WeightOf(w Work) float64 {
	if s, ok := As[Sizer](w); ok {
		return s.Weight()
	}
	return 0
}

// IsSoundWeight reports whether a weight that was read from a piece can be one: neither NaN, negative
// nor more than 1, except for rounding.
func IsSoundWeight(weight float64) bool { return weight >= 0 && weight <= 1+1e-9 }
