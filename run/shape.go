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

// Timed is a Problem that can measure the times of its nodes.
type Timed interface {
	Problem
	// TimedNodes expands a share that has the whole tree, and yields the nodes in preorder. The time of
	// a node is a difference of two times of the clock. A subtree that only one share can search is one
	// node. The sequence ends early if halt returns true or the share is decided; the last node then has the
	// counts and the time of an incomplete node. It is nil if the times are of no interest.
	TimedNodes(share search.Work, clock func() int64, halt func() bool) iter.Seq[search.TimedNode]
}
