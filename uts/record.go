package uts

import (
	"iter"

	"treesplit/search"
)

// TreeShape returns the tree that p describes without its states. It returns an error if
// p.Validate does.
func TreeShape(p Params) (search.Shape, error) {
	if err := p.Validate(); err != nil {
		return search.Shape{}, err
	}
	return search.Shape{Children: p.walkChildCounts(), Batch: batch}, nil
}

// walkChildCounts yields the number of children of each node in preorder. It ignores Granularity,
// which costs time and does not change the tree.
func (p Params) walkChildCounts() iter.Seq[int] {
	type node struct {
		state  state
		height int32
	}
	return func(yield func(int) bool) {
		counter := newCounter(p)
		var offspring []state
		for stack := []node{{state: rootState(uint32(p.Seed))}}; len(stack) > 0; {
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			n := counter.countChildren(int(top.height), top.state.randomValue())
			if !yield(n) {
				return
			}
			for len(offspring) < n {
				offspring = append(offspring, state{})
			}
			spawn(offspring[:n], &top.state, 0)
			for i := n - 1; i >= 0; i-- { // the first child is on top
				stack = append(stack, node{offspring[i], top.height + 1})
			}
		}
	}
}
