package replay

import (
	"fmt"

	"treesplit/search"
)

// A timed tree is a recorded tree whose nodes take different times. A node that takes k times a unit of time is
// a chain of k parts with one child each. So a simulation in which all parts take a unit takes the recorded
// times. The parts of a node have the same height, and cannot be split from one another: a share always keeps
// the child that it expands next.

// RecordTimedTree stores a timed tree. It has parts times as many nodes as the timed nodes count for, and a
// timed node has its share of them, by its time, but at least one. The nodes after a short node make up for
// this, so that the time of a large subtree is right. parts is the smallest number, from 1 to most, with at
// least resolution nodes per timed node in the mean, or most. The tree takes at most 12 bytes per node.
//
// It returns an error under the conditions of RecordTree, and for a node with one child, a negative time or a
// count below 1. It takes time proportional to the nodes of the tree, and to up to 30 times the timed nodes.
func RecordTimedTree(timed []search.TimedNode, most int, limit int64) (t *Tree, parts int, err error) {
	var count, total int64
	for i, n := range timed {
		if n.Children == 1 || n.Time < 0 || n.Count < 1 {
			return nil, 0, fmt.Errorf("node %d has %d children, the time %d and the count %d: expected no or several children, and at least 0 and 1",
				i, n.Children, n.Time, n.Count)
		}
		count += n.Count
		total += n.Time
	}
	parts = int(min(max((resolution*int64(len(timed))+count-1)/max(count, 1), 1), int64(max(most, 1))))
	count *= int64(parts)
	if count > limit {
		return nil, 0, fmt.Errorf("the tree has more than %d nodes", limit)
	}
	rate := largestRate(timed, count, total)
	levels := map[uint32]int32{}
	family := int64(0) // of the next node, if it has children
	t, err = RecordTree(search.Shape{Batch: 1, Children: func(yield func(int) bool) {
		eachLength(timed, rate, count, func(i int, length int64) bool {
			n := timed[i]
			if length > 1 && n.Levels > 0 {
				levels[uint32(family)] = int32(min(n.Levels, maxHeight))
			}
			for range length - 1 {
				family += header + 1
				if !yield(1) {
					return false
				}
			}
			if n.Children > 0 {
				family += header + int64(n.Children)
			}
			return yield(n.Children)
		})
	}}, limit)
	if err != nil {
		return nil, 0, err
	}
	t.timed, t.levels = true, levels
	return t, parts, nil
}

// resolution is the mean number of parts of a node from which on times are exact enough.
const resolution = 16

// eachLength calls use with the number of parts of each node, at a number of parts per unit of time. The
// last node has the rest of count. It stops if use returns false.
func eachLength(timed []search.TimedNode, rate float64, count int64, use func(i int, length int64) bool) {
	var time, made int64
	for i, n := range timed {
		time += n.Time
		due := int64(rate * float64(time))
		if i == len(timed)-1 {
			due = count
		}
		length := max(due-made, 1)
		made += length
		if !use(i, length) {
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
		eachLength(timed, rate, count, func(_ int, length int64) bool { made += length; return made <= count })
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
	if t.isPart(family) {
		return height
	}
	return height + 1
}

// isPart reports whether the child of a family is the next part of the same node.
func (t *Tree) isPart(family uint32) bool { return t.timed && t.countChildren(family) == 1 }

// skipParts returns the family of the last part of a node, or leaf, and the number of parts before it.
func (t *Tree) skipParts(family uint32) (last uint32, before int) {
	for family != leaf || before == 0 {
		if !t.isPart(family) {
			return family, before
		}
		family = t.words[family+header]
		before++
	}
	return leaf, before
}

// reachesBelow reports whether the node that is expanded next, which is not the root, is a subtree that
// reaches the given depth.
func (s *Share) reachesBelow(depth int) bool {
	f := &s.frames[len(s.frames)-1]
	if !s.tree.timed || s.tree.isPart(f.family) {
		return false
	}
	next := s.tree.words[f.family+header+f.lo]
	levels := s.tree.levels[next]
	return next != leaf && levels > 0 && int(f.height)+1+int(levels) >= depth
}
