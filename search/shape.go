package search

import "iter"

// Shape is a search tree without the problem it comes from: all that balancing
// can notice of it. A workload offers its shape so that a tree can be walked once
// and searched again many times at a few nanoseconds a node (package
// search/replay).
type Shape struct {
	// Children goes through the whole tree in preorder and yields the number of
	// children of each node. Each call begins again.
	Children iter.Seq[int]
	// Batch says in which order the workload's shares expand. A share is a stack of
	// frames, each an expanded node with children that are not. A step takes the
	// frame on top, expands up to Batch of its children, in order, and pushes those
	// that have children themselves. 1 is depth-first search. At least 1.
	Batch int
}
