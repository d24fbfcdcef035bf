package replay

import "treesplit/search"

// frame is an expanded node whose children lo ≤ i < hi are not yet expanded.
type frame struct {
	family uint32
	lo, hi uint32
	height int32 // height of the node; the root's is 0
}

// Share is one rank's share of a recorded tree: an explicit stack of frames. It implements
// search.Work and expands nodes in the order that search.Shape describes.
type Share struct {
	tree   *Tree
	split  search.Splitting
	root   bool    // the root is not yet expanded
	left   int64   // unexpanded nodes, open subtrees included
	frames []frame // the stack is frames[base:], each with lo < hi
	base   int
	cuts   []search.Cut
}

var _ search.Work = (*Share)(nil)

// Share returns a share of the tree: the whole tree if root is set, otherwise an empty share.
func (t *Tree) Share(split search.Splitting, root bool) *Share {
	s := &Share{tree: t, split: split, root: root}
	if root {
		s.left = t.nodes
	}
	return s
}

// Empty reports whether no node is left to expand.
func (s *Share) Empty() bool { return !s.root && len(s.frames) == s.base }

// Levels returns the number of frames.
func (s *Share) Levels() int { return len(s.frames) - s.base }

// NodesLeft returns the number of nodes that are not yet expanded, including the subtrees of open
// alternatives, if the tree's batch is 1. With a larger batch it returns 0: the order then depends on
// the limits of Expand. The share updates the number with every call, so that it takes O(1).
func (s *Share) NodesLeft() int64 {
	if s.tree.batch > 1 {
		return 0
	}
	return s.left
}

// Left returns the number of nodes that are not yet expanded, including the subtrees of open
// alternatives, for any batch. It counts them in the stack, in O(frames · children).
func (s *Share) Left() (nodes int64) {
	if s.root {
		return s.tree.nodes
	}
	for _, f := range s.frames[s.base:] {
		nodes += s.tree.countNodes(f.family, f.lo, f.hi)
	}
	return nodes
}

// Expand expands up to limit nodes.
func (s *Share) Expand(limit int) (expanded int) {
	expanded = s.expandNodes(limit)
	s.left -= int64(expanded)
	return expanded
}

func (s *Share) expandNodes(limit int) (expanded int) {
	if s.root && limit > 0 {
		s.root = false
		expanded = 1
		if s.tree.inner {
			s.pushFrame(0, 0)
		}
	}
	if s.tree.batch == 1 && !s.tree.timed {
		return expanded + s.expandSingly(limit-expanded)
	}
	for expanded < limit && len(s.frames) > s.base {
		expanded += s.expandTopFrame(limit - expanded)
	}
	return expanded
}

// expandSingly is a loop of expandTopFrame for a batch of 1 without timed nodes, the inner loop of simulations.
// Which nodes are leaves is practically random, so the loop does not branch on it: every child
// is written above the top of the stack, and n is increased only if it is no leaf.
func (s *Share) expandSingly(limit int) (expanded int) {
	words, frames, base, n := s.tree.words, s.frames, s.base, len(s.frames)
	for expanded < limit && n > base {
		if n == len(frames) {
			frames = append(frames, frame{})
			frames = frames[:cap(frames)]
		}
		top := &frames[n-1]
		child := words[top.family+header+top.lo]
		height := top.height + 1
		top.lo++
		if top.lo == top.hi {
			n--
		}
		frames[n] = frame{family: child, hi: words[child] &^ familyFlag, height: height}
		if child != leaf {
			n++
		}
		expanded++
	}
	s.frames = frames[:n]
	return expanded
}

// expandTopFrame expands up to limit children of the top frame and returns their number.
func (s *Share) expandTopFrame(limit int) int {
	last := len(s.frames) - 1
	top := &s.frames[last]
	n := min(int(top.hi-top.lo), limit, s.tree.batch)
	children := s.tree.childFamilies(top.family, top.lo, top.lo+uint32(n))
	height := s.tree.childHeight(top.family, top.height)
	top.lo += uint32(n)
	if top.lo == top.hi {
		s.frames = s.frames[:last]
	}
	for _, c := range children {
		if c != leaf {
			s.pushFrame(c, height)
		}
	}
	return n
}

// pushFrame pushes a node of the given height that has just been expanded.
func (s *Share) pushFrame(family uint32, height int32) {
	s.frames = append(s.frames, frame{family: family, hi: s.tree.countChildren(family), height: height})
}
