package search

import "iter"

// Shape is a search tree without its problem: all properties of the tree that load balancing
// depends on. A workload offers its shape so that its tree can be recorded once and searched
// again many times at a few nanoseconds per node (package search/replay).
type Shape struct {
	// Children traverses the whole tree in preorder and yields the number of children of each
	// node. Each call begins at the root.
	Children iter.Seq[int]
	// Batch determines the order in which the workload's shares expand nodes. A share is a
	// stack of frames. A frame is an expanded node with children that are not expanded. A step
	// takes the top frame, expands up to Batch of its children in order, and pushes the ones
	// that have children themselves. 1 is depth-first search. At least 1.
	Batch int
}

// TimedNode is a node of a search tree with the time of its expansion. It can stand for a subtree that only
// one share can search.
type TimedNode struct {
	Children int   // number of children, not 1
	Levels   int   // of a subtree: the number of levels below its root; otherwise 0
	Count    int64 // how many nodes a share counts for it, at least 1
	Time     int64 // at least 0, in any unit
}
