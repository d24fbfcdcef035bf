package run

import "treesplit/search"

// Shaped is a Problem whose tree may be known without what is searched in it.
type Shaped interface {
	Problem
	// Shape returns the shape, which gives the same tree; ok is false if it is unknown.
	Shape() (s search.Shape, ok bool)
}

// KnownShape returns the tree of a problem without what is searched in it, if it is known.
func KnownShape(problem Problem) (s search.Shape, ok bool) {
	if p, is := problem.(Shaped); is {
		return p.Shape()
	}
	return s, false
}
