package puzzle

import "treesplit/search"

// Search is one rank's share of an iteration of IDA* (Korf, "Depth-first iterative-deepening",
// Artificial Intelligence 27, 1985): the tree of all paths from the start, without moves that
// undo the previous move, on which the number of moves plus the estimate stays within the bound.
//
// The slack of a node is half of the remaining bound, (bound − g − h)/2. A move changes h by an
// odd number, so the slack is an integer. A move that decreases h by one keeps the slack; a move
// that increases h by one decreases it by 1. A child with a negative slack is pruned: it is
// generated, but it is not a node of the tree. A solved board is not a node either; it is counted
// as a solution when its parent is expanded. W counts the expanded nodes, which are all other
// boards.
//
// The share is an explicit stack: the path from the root to the last expanded node, each node
// with the moves to children that this share must still expand. Subtrees of little slack are
// searched at once, in any order, if the engine can do so (bulk.go).
type Search struct {
	problem *Problem
	opt     Options
	bound   int
	engine  engine
	bulk    bulk // nil: every node goes through the stack
	pace    pace

	atRoot bool    // the root is not expanded yet
	depth  int     // of the top node of the stack, which has an open move; -1: none
	frames []frame // the stack is frames[:depth+1]

	counts Counts
	path   []Move // the first solution that this share found, nil before
	cuts   []search.Cut
	mark   mark
}

// frame is a node that has been expanded.
type frame struct {
	slack int32
	blank int8  // its cell
	last  Move  // the move that led here
	open  moves // moves to children that this share must still expand
}

// Options control a share. They must be the same for all shares of a run, except Root.
type Options struct {
	// Splitting is the splitting function.
	Splitting search.Splitting
	// Root makes the share begin with the whole tree, and not empty.
	Root bool
	// All searches the whole tree and counts all solutions, so that W does not depend on the
	// order of the search. Without All the search is decided at its first solution.
	All bool
	// Bulk is the slack below which a subtree is searched at once, 0 ≤ Bulk ≤ MaxBulk. Expand may
	// then exceed its limit (bulk.go), and these subtrees cannot be split. With 0 the search is
	// strictly node by node and depth first. Heuristics without a bulk always search in this way.
	Bulk int
}

// Counts are the counts of a share so far. They do not include nodes that were replayed to reach
// the place of a piece, or nodes of other parts on the way to a part.
type Counts struct {
	Expanded  int64 // nodes of the tree, W
	Generated int64 // children of these nodes, including pruned and solved ones
	Solutions int64 // paths to the goal
}

// AddCounts returns the sum of two Counts.
func (c Counts) AddCounts(d Counts) Counts {
	return Counts{c.Expanded + d.Expanded, c.Generated + d.Generated, c.Solutions + d.Solutions}
}

// NewSearch returns a share of the iteration with a bound, which must be the estimate plus an
// even number. It returns an error for other bounds. It takes O(bound) memory, and a few MiB if
// it searches in bulk.
func (p *Problem) NewSearch(bound int, opt Options) (*Search, error) {
	if err := p.checkBound(bound); err != nil {
		return nil, err
	}
	e, err := p.heuristic.newEngine(p.start, p.grid)
	if err != nil {
		return nil, err
	}
	e.reserveDepth(bound + 1)
	s := &Search{problem: p, opt: opt, bound: bound, engine: e, pace: newPace(), atRoot: opt.Root, depth: -1, frames: make([]frame, bound+1)}
	s.frames[0] = frame{slack: int32(bound-p.estimate) / 2, blank: int8(p.start.blankCell()), last: noMove}
	s.opt.Bulk = min(max(opt.Bulk, 0), MaxBulk)
	if b, ok := e.(bulkEngine); ok && s.opt.Bulk > 0 {
		s.bulk = b.newBulk(s.opt.Bulk)
	}
	return s, nil
}

// Empty reports whether no node remains to be expanded.
func (s *Search) Empty() bool { return s.depth < 0 && !s.atRoot }

// Decided reports whether a solution was found and the search does not go through All.
func (s *Search) Decided() bool { return s.counts.Solutions > 0 && !s.opt.All }

// Counts returns the counts of this share so far.
func (s *Search) Counts() Counts { return s.counts }

// SolutionPath returns a solution that this share has found, from the start of the problem to its
// goal, or nil. The empty path is not nil. The slice belongs to the caller.
func (s *Search) SolutionPath() []Move {
	if s.path == nil {
		return nil
	}
	return s.problem.mapPathToBoard(append(make([]Move, 0, len(s.path)), s.path...))
}

// Bound returns the bound of the iteration.
func (s *Search) Bound() int { return s.bound }

// Levels returns the number of levels of the stack.
func (s *Search) Levels() int { return s.depth + 1 }

// Expand expands up to limit nodes, or more if it searches in bulk (Options.Bulk).
func (s *Search) Expand(limit int) (expanded int) {
	for expanded < limit && !s.Empty() && !s.Decided() {
		if s.bulk != nil {
			expanded += s.searchBatch(nextBatchSize(limit, expanded))
			continue
		}
		before := s.counts.Expanded
		s.processNextNode(0)
		expanded += int(s.counts.Expanded - before)
	}
	return expanded
}

// processNextNode handles the next node. It expands the node or, if the slack is below leap,
// leaves the node to the bulk and returns the expected work.
func (s *Search) processNextNode(leap int) (left int64) {
	if s.atRoot {
		s.atRoot, s.depth = false, 0
		if s.problem.start.IsGoalBoard() {
			s.recordSolution(noMove)
		} else {
			s.expandTop(true)
		}
		s.settleStack()
		return 0
	}
	f := &s.frames[s.depth]
	m := f.open.firstMove()
	f.open &^= 1 << m
	s.enterChild(s.depth, m)
	child := &s.frames[s.depth+1]
	if slack := int(child.slack); slack < leap {
		s.bulk.addSubtree(s.depth+1, int(child.blank), m, slack)
		left = expectedNodes(slack)
	} else {
		s.depth++
		s.expandTop(true)
	}
	s.settleStack()
	return left
}

// enterChild makes the child by move m of the node at a depth the next frame, without open moves.
func (s *Search) enterChild(depth int, m Move) {
	f := &s.frames[depth]
	slack := s.engine.enterChild(depth, int(f.blank), int(f.slack), m)
	s.frames[depth+1] = frame{slack: int32(slack), blank: s.problem.grid.to[f.blank][m], last: m}
}

// expandTop expands the top node of the stack; its children in the tree become its open moves.
// Only a node of this share (own) is counted, with its solutions.
func (s *Search) expandTop(own bool) {
	f := &s.frames[s.depth]
	legal := s.problem.grid.legal[f.blank][f.last]
	open, goals := s.engine.unprunedMoves(s.depth, int(f.blank), int(f.slack), legal)
	f.open = open
	if !own {
		return
	}
	s.counts.Expanded++
	s.counts.Generated += int64(legal.countMoves())
	for ; goals != 0; goals &= goals - 1 {
		s.recordSolution(goals.firstMove())
	}
}

// settleStack moves back to the deepest node that has an open move.
func (s *Search) settleStack() {
	for s.depth >= 0 && s.frames[s.depth].open == 0 {
		s.depth--
	}
}

// recordSolution counts a solution: the given move from the top node, or the root itself if last
// is noMove. It keeps the path of the first solution.
func (s *Search) recordSolution(last Move) {
	s.counts.Solutions++
	if s.path != nil {
		return
	}
	s.path = make([]Move, 0, s.depth+2)
	for d := 1; d <= s.depth; d++ {
		s.path = append(s.path, s.frames[d].last)
	}
	if last != noMove {
		s.path = append(s.path, last)
	}
}
