package sat

import (
	"iter"

	"treesplit/search"
)

// Shape returns the tree of rule paper without the formula, including the nodes below solutions:
// a node has two children or none, and shares search it depth first. For a satisfiable formula it
// is the tree of a search with Options.All.
func (p *Paper) Shape() search.Shape { return search.Shape{Children: p.childCounts(), Batch: 1} }

// childCounts yields the number of children of each node: two, or none for a leaf.
func (p *Paper) childCounts() iter.Seq[int] {
	return func(yield func(int) bool) {
		s := p.NewSearch(Options{Root: true, All: true})
		for leaves := int64(0); !s.Empty(); {
			s.Expand(1)
			n := 2
			if c := s.counts.leaves(); c > leaves {
				n, leaves = 0, c
			}
			if !yield(n) {
				return
			}
		}
	}
}
