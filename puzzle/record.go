package puzzle

import (
	"errors"
	"iter"

	"treesplit/search"
)

// Shape returns the shape of the tree of the iteration with the given bound: the number of children
// of each node, without the boards. It is the whole tree, which is searched if no solution ends the
// search. Batch is 1, because shares that search nothing in bulk search depth first. Shape returns
// an error if NewSearch does. It also returns an error if the board is solved: the tree then has no
// nodes.
func (p *Problem) Shape(bound int) (search.Shape, error) {
	if _, err := p.NewSearch(bound, Options{}); err != nil {
		return search.Shape{}, err
	}
	if p.start.IsGoalBoard() {
		return search.Shape{}, errors.New("puzzle: the board is solved: expected one with a tree")
	}
	return search.Shape{Children: p.childCounts(bound), Batch: 1}, nil
}

// childCounts walks the tree in preorder and yields the number of children of each node.
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
