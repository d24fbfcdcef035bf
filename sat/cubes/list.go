package cubes

import (
	"iter"

	"treesplit/sat"
)

// List yields the leaves of the tree above the cubes, in the order of the tree: the DIMACS numbers of
// the decisions, and the kind of the leaf. It looks ahead as the search does, and conquers nothing: a
// cube is a leaf. Together the leaves cover all assignments. The slice is valid until the next leaf.
func (r *Rule) List() iter.Seq2[[]int32, sat.Outcome] {
	return func(yield func([]int32, sat.Outcome) bool) {
		l := lister{walk: r.Begin()}
		for literal, more := sat.NoLiteral, true; more; {
			branch, outcome := l.walk.Visit(literal, nil)
			if outcome == sat.Inner {
				l.path = append(l.path, step{literal: branch})
				literal = branch
				continue
			}
			if !yield(l.decisions(r), outcome) {
				return
			}
			literal, more = l.nextLiteral()
		}
	}
}

// lister is a List in progress.
type lister struct {
	walk  sat.Procedure
	path  []step
	names []int32
}

// step is a decision.
type step struct {
	literal int32
	second  bool // the first branch is done
}

// decisions returns the path to the current leaf.
func (l *lister) decisions(r *Rule) []int32 {
	l.names = l.names[:0]
	for _, s := range l.path {
		l.names = append(l.names, r.Name(s.literal))
	}
	return l.names
}

// nextLiteral goes back from a leaf to the deepest node with an open branch, and returns that branch.
func (l *lister) nextLiteral() (literal int32, more bool) {
	l.walk.Back()
	for n := len(l.path) - 1; n >= 0; n-- {
		if s := &l.path[n]; !s.second {
			*s = step{s.literal ^ 1, true}
			return s.literal, true
		}
		l.path = l.path[:n]
		l.walk.Back()
	}
	return sat.NoLiteral, false
}
