package run

import "treesplit/search"

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
