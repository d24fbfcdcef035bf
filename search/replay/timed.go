package replay

import (
	"fmt"

	"treesplit/search"
)

// RecordTimedTree stores a tree whose nodes took different times. A node that took k times the mean
// time per counted node becomes a chain of k nodes with one child each, so that a simulation in which
// all nodes take the mean time takes the recorded times. The parts of a node have the same height, and
// cannot be split from one another: a share always keeps the child that it expands next. A node has at
// least one part. The nodes after a short node make up for this, so that the time of a large subtree is
// right. The tree has as many nodes as the timed nodes count for. It takes 12 bytes per node.
//
// It returns an error under the conditions of RecordTree, and if a node has one child, a negative time
// or a count below 1.
func RecordTimedTree(timed []search.TimedNode, limit int64) (*Tree, error) {
	var count, total int64
	for i, n := range timed {
		if n.Children == 1 || n.Time < 0 || n.Count < 1 {
			return nil, fmt.Errorf("node %d has %d children, the time %d and the count %d: expected no or several children, and at least 0 and 1",
				i, n.Children, n.Time, n.Count)
		}
		count += n.Count
		total += n.Time
	}
	rate := largestRate(timed, count, total)
	t, err := RecordTree(search.Shape{Batch: 1, Children: func(yield func(int) bool) {
		eachLength(timed, rate, count, func(i int, parts int64) bool {
			for range parts - 1 {
				if !yield(1) {
					return false
				}
			}
			return yield(timed[i].Children)
		})
	}}, limit)
	if err == nil {
		t.timed = true
	}
	return t, err
}

// eachLength calls use with the number of parts of each node, at a number of parts per unit of time. The
// last node has the rest of count. It stops if use returns false.
func eachLength(timed []search.TimedNode, rate float64, count int64, use func(i int, parts int64) bool) {
	var time, made int64
	for i, n := range timed {
		time += n.Time
		due := int64(rate * float64(time))
		if i == len(timed)-1 {
			due = count
		}
		parts := max(due-made, 1)
		made += parts
		if !use(i, parts) {
			return
		}
	}
}

// largestRate returns the largest rate at which the nodes have at most count parts, within a billionth of
// count/total. It is below count/total if the last nodes are shorter than one part.
func largestRate(timed []search.TimedNode, count, total int64) float64 {
	most := float64(count) / float64(max(total, 1))
	fits := func(rate float64) bool {
		made := int64(0)
		eachLength(timed, rate, count, func(_ int, parts int64) bool { made += parts; return made <= count })
		return made <= count
	}
	if fits(most) {
		return most
	}
	low, high := 0.0, most
	for range 30 {
		if middle := (low + high) / 2; fits(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// childHeight returns the height of the children of a family whose node has the given height.
func (t *Tree) childHeight(family uint32, height int32) int32 {
	if t.timed && t.countChildren(family) == 1 {
		return height
	}
	return height + 1
}

// isPartOfLeaf reports whether a family is the first part of a node without children.
func (t *Tree) isPartOfLeaf(family uint32) bool {
	for t.timed && t.countChildren(family) == 1 {
		if family = t.words[family+header]; family == leaf {
			return true
		}
	}
	return false
}

// isBeforeLongLeaf reports whether the node that is expanded next, which is not the root, has no children
// but several parts.
func (s *Share) isBeforeLongLeaf() bool {
	f := &s.frames[len(s.frames)-1]
	if !s.tree.timed || s.tree.countChildren(f.family) == 1 {
		return false
	}
	next := s.tree.words[f.family+header+f.lo]
	return next != leaf && s.tree.isPartOfLeaf(next)
}
