package run

import (
	"iter"

	"treesplit/search"
)

// Shaped is a Problem whose tree may have a known shape, independent of the problem's data.
type Shaped interface {
	Problem
	// Shape returns a shape that gives the same tree. ok is false if the shape is unknown.
	Shape() (s search.Shape, ok bool)
}

// KnownShape returns the shape of a problem's tree. ok is false if the shape is unknown.
func KnownShape(problem Problem) (s search.Shape, ok bool) {
	if p, is := problem.(Shaped); is {
		return p.Shape()
	}
	return s, false
}

// Timed is a Problem whose nodes take very different times.
type Timed interface {
	Problem
	// TimedNodes expands a share that has the whole tree, and yields the nodes in preorder. The time of
	// a node is a difference of two times of the clock. A subtree that only one share can search is one
	// node. The sequence ends early if halt returns true or the share is decided. It is nil if the nodes
	// take about the same time.
	TimedNodes(share search.Work, clock func() int64, halt func() bool) iter.Seq[search.TimedNode]
}
