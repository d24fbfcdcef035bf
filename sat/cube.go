package sat

// Cubes are leaves that take many steps. The share counts each step as a node, so that ranks poll,
// stop and report during a cube. Between two calls of Expand the share may be inside a cube: the
// procedure has then visited all decisions of the path.
//
// A subtree below an anchor cannot be split, because the solver in it depends on the cubes before.
// If the whole share moves, the piece begins at the anchor, and has the number of nodes that were
// expanded from there on. The receiver repeats them without counting them (cube_repeat.go). So every
// node counts once, also if the share moves in the middle of a cube.

// conquest is the state of a share below an anchor, or inside a cube.
type conquest struct {
	conqueror Conqueror  // the procedure, if it has cubes; or nil
	inside    bool       // the share is inside the cube at the end of the path
	progress             // below an anchor
	owed      repetition // must be repeated before the next node counts; progress is the part that is done. all = 0: nothing
	repeated  int64      // number of nodes and steps that were repeated since TakeRedundant
	settledAt int64      // progress.all from which the share may move again; see Settled
	wrong     error      // of a repetition
}

// progress is how much of the subtree of an anchor is expanded, in nodes and steps. The anchor is
// the first node.
type progress struct {
	all   int64
	whole int64 // without the current cube
}

// noteVisit notes the result of visiting the next node.
func (s *Search) noteVisit(outcome Outcome) {
	if s.conqueror == nil {
		return
	}
	if s.conqueror.Anchor() == s.depth {
		s.progress, s.settledAt = progress{}, 0
	}
	s.all++
	if s.inside = outcome == Cube; s.inside {
		s.counts.Steps++ // until the cube is finished, its node is none of the tree
	} else {
		s.whole = s.all
	}
}

// countVisited counts a leaf that its visit has decided, without steps.
func (s *Search) countVisited(outcome Outcome) {
	if s.conqueror != nil && outcome == Conflict {
		s.counts.Refuted++
	}
	s.countLeaf(outcome)
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
