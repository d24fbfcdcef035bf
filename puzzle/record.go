package puzzle

import (
	"errors"
	"iter"

	"treesplit/search"
)

// Shape returns the tree of the iteration with a bound without the boards, past all
// solutions: shares that search nothing in bulk search it depth first. It fails as
// NewSearch does, and for a board that is solved, whose tree has no node.
func (p *Problem) Shape(bound int) (search.Shape, error) {
	if _, err := p.NewSearch(bound, Options{}); err != nil {
		return search.Shape{}, err
	}
	if p.start.IsGoalBoard() {
		return search.Shape{}, errors.New("puzzle: the board is solved: expected one with a tree")
	}
	return search.Shape{Children: p.childCounts(bound), Batch: 1}, nil
}

// childCounts walks the tree node by node.
func (p *Problem) childCounts(bound int) iter.Seq[int] {
	return func(yield func(int) bool) {
		s, err := p.NewSearch(bound, Options{Root: true, All: true})
		if err != nil {
			panic("puzzle: " + err.Error())
		}
		for !s.Empty() {
			depth := s.depth + 1 // of the node that is expanded next
			s.processNextNode(0)
			children := 0
			if s.depth == depth {
				children = s.frames[depth].open.countMoves()
			}
			if !yield(children) {
				return
			}
		}
	}
}
