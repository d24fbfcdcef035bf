package sat

import (
	"errors"

	"treesplit/search"
)

// Cubes are leaves that take many steps. The share counts each step as a node, so that ranks poll,
// stop and report during a cube. Between two calls of Expand the share may be inside a cube: the
// procedure has then visited all decisions of the path.
//
// A subtree below an anchor cannot be split, because the solver in it depends on the cubes before.
// If the whole share moves, the piece begins at the anchor, and has the number of nodes that were
// expanded from there on. The receiver repeats them without counting them. So every node counts
// once, also if the share moves in the middle of a cube.

// conquest is the state of a share below an anchor, or inside a cube.
type conquest struct {
	conqueror Conqueror // the procedure, if it has cubes; or nil
	inside    bool      // the share is inside the cube at the end of the path
	progress            // below an anchor
}

// progress is how much of the subtree of an anchor is expanded, in nodes and steps. The anchor is
// the first node.
type progress struct {
	all   int64
	whole int64 // without the current cube
}

var _ search.Settler = (*Search)(nil)

// CheckMoves returns an error if the share has anchors. A share that moves in the middle of an anchor
// repeats its nodes. If that happened all the time, the search would not advance.
func (s *Search) CheckMoves() error {
	if s.conqueror != nil && s.conqueror.HasAnchors() {
		return errors.New("a share of rule cubes that moves repeats the cubes since its anchor: expected another scheme, or --learn rank")
	}
	return nil
}

// noteVisit notes the result of visiting the next node.
func (s *Search) noteVisit(outcome Outcome) {
	if s.conqueror == nil {
		return
	}
	if s.conqueror.Anchor() == s.depth {
		s.progress = progress{}
	}
	s.all++
	if s.inside = outcome == Cube; s.inside {
		s.counts.Steps++ // until the cube is finished, its node is none of the tree
	} else {
		s.whole = s.all
	}
}

// conquerNext takes up to limit steps of the current cube. If that finishes the cube, the share
// advances to the next node.
func (s *Search) conquerNext(limit int) (steps int) {
	steps, branch, outcome := s.conqueror.Conquer(limit, s.log)
	s.counts.Steps += int64(steps)
	s.all += int64(steps)
	if outcome == Cube {
		return steps
	}
	s.inside, s.whole = false, s.all
	s.counts.Steps--
	if outcome == Inner {
		s.counts.Split++
		s.path[s.depth] = decision{branch, firstOpen}
		s.depth++
		return steps
	}
	s.counts.Cubes++
	s.countLeaf(outcome)
	s.leaveLeaf()
	return steps
}

// leaveLeaf moves from a leaf, which the procedure has visited, to the deepest open branch.
func (s *Search) leaveLeaf() {
	s.closeAnchor()
	s.proc.Back()
	s.advanceToOpen()
}

// closeAnchor ends the anchor if no branch below it is open.
func (s *Search) closeAnchor() {
	if s.conqueror == nil || s.conqueror.Anchor() < 0 {
		return
	}
	for _, d := range s.path[s.conqueror.Anchor():s.depth] {
		if d.branch == firstOpen {
			return
		}
	}
	s.conqueror.Close(s.log)
}

// isWithinAnchor reports whether the alternatives of a decision lie below an anchor.
func (s *Search) isWithinAnchor(level int) bool {
	if s.conqueror == nil {
		return false
	}
	anchor := s.conqueror.Anchor()
	return anchor >= 0 && level >= anchor
}

// retreat prepares the share for a piece of its next node: it goes up to the anchor, if the next
// node lies below one, or out of the current cube. Afterwards the next node is not visited, as if
// the share had not been there. The result is the progress to be repeated.
func (s *Search) retreat() (repeat progress) {
	if s.conqueror == nil {
		return repeat
	}
	if s.inside {
		s.log.WriteAbandoned()
		s.fresh = true
	}
	anchor, visited := s.conqueror.Anchor(), s.depth-1
	if s.inside {
		visited++
	}
	switch {
	case anchor >= 0:
		repeat = s.progress
		for ; visited >= anchor; visited-- {
			s.proc.Back()
		}
		s.depth = anchor
	case s.inside: // without an anchor the receiver does not repeat the steps, but counts them too
		s.proc.Back()
	}
	s.inside = false
	return repeat
}

// repeat expands nodes below an anchor, which is the next node, without counting them. Another
// share has counted them, and has written the whole cubes among them to its log. It returns false,
// and leaves the share empty, if the tree has no such nodes.
func (s *Search) repeat(p progress) bool {
	if p.all == 0 {
		return true
	}
	log, counts, witness := s.log, s.counts, s.witness
	s.log, s.progress = nil, progress{}
	ok := s.repeatUntil(p.whole) && !s.inside
	s.log, s.fresh = log, true
	ok = ok && s.repeatUntil(p.all) && s.conqueror.Anchor() >= 0
	s.counts = counts
	if !ok {
		s.witness = witness
		s.emptyShare()
	}
	return ok
}

// repeatUntil expands nodes below the anchor up to a number. It returns false if the anchor ends
// before, or there is none.
func (s *Search) repeatUntil(n int64) bool {
	for s.all < n {
		if s.Empty() || s.all > 0 && s.conqueror.Anchor() < 0 {
			return false
		}
		s.expandSome(int(min(n-s.all, 1<<30)))
		if s.Decided() {
			return false
		}
	}
	return s.all == n
}

// emptyShare undoes all visits except the root's and leaves the share empty.
func (s *Search) emptyShare() {
	visited := max(s.depth-1, 0)
	if s.inside {
		visited = s.depth
	}
	s.inside = false
	s.backOutToEmpty(visited)
}
