package sat

import (
	"iter"

	"treesplit/search"
)

// Shape returns the tree of rule paper without the formula, past all solutions:
// a node has two children or none, and shares search it depth first. Where a
// formula is satisfiable the tree is that of Options.All.
func (p *Paper) Shape() search.Shape { return search.Shape{Children: p.childCounts(), Batch: 1} }

// childCounts walks the tree node by node: one that is no leaf has two children.
func (p *Paper) childCounts() iter.Seq[int] {
	return func(yield func(int) bool) {
		s := p.NewSearch(Options{Root: true, All: true})
		for leaves := int64(0); !s.Empty(); {
			s.Expand(1)
			n := 2
			if c := s.counts.Conflicts + s.counts.Solutions; c > leaves {
				n, leaves = 0, c
			}
			if !yield(n) {
				return
			}
		}
	}
}
