package cubes

import (
	"treesplit/sat"
	"treesplit/sat/cdcl"
	"treesplit/sat/lookahead"
	"treesplit/sat/mailbox"
	"treesplit/sat/proof"
)

// walk is a procedure of the rule, at the end of a path.
type walk struct {
	rule     *Rule
	splitter lookahead.Splitter
	atRoot   int     // number of variables assigned at the root
	nodes    []state // of the visited nodes
	anchor   int     // depth of the anchor, or -1
	changed  bool    // the anchor is not the one of the last cube

	solver *cdcl.Solver // of the anchor, or of the share; nil: none has begun
	spare  *cdcl.Solver // the memory of the last one; or nil
	ticks  int64        // of the solvers that have ended
	log    *proof.Log   // receives the lemmas of the solver
	line   []int32
	// refuted is the number of cubes that the solver has refuted.
	refuted int
	box     *mailbox.Box
	model   []bool // of the last Solution, if the solver has found it
}

// state is what the walk knows of a visited node.
type state struct {
	given  uint8 // number of cubes on the path, with this node, that were given up
	looked bool  // look-ahead has been at the node
	begun  bool  // the solver has begun the cube, and has not ended it
	branch int32 // of look-ahead
	spent  int64 // steps of the solver in the cube; see Conquer
	twig   int32 // in Options.Tree, or noTwig
}

var _ sat.Conqueror = (*walk)(nil)

// Visit goes one step down. At a node that becomes a cube it does not look ahead.
func (w *walk) Visit(literal int32, log *proof.Log) (branch int32, outcome sat.Outcome) {
	w.nodes = append(w.nodes, w.nextState(literal))
	if !w.splitter.Enter(literal, log) {
		return sat.NoLiteral, sat.Conflict
	}
	if twig := w.nodes[w.depth()].twig; twig != noTwig {
		return w.followTree(twig)
	}
	if w.depth() == 0 {
		branch, outcome = w.look(log)
		w.atRoot = len(w.splitter.Trail())
		return branch, outcome
	}
	if w.isCube() {
		return sat.NoLiteral, sat.Cube
	}
	if branch, outcome = w.look(log); outcome == sat.Inner && w.isCube() {
		return sat.NoLiteral, sat.Cube
	}
	return branch, outcome
}

// nextState returns the state of the node below the last visited one.
func (w *walk) nextState(literal int32) (s state) {
	tree := w.rule.options.Tree
	if n := len(w.nodes); n > 0 {
		last := w.nodes[n-1]
		s.given, s.twig = last.given, tree.child(last.twig, literal)
		return s
	}
	s.twig = tree.root()
	return s
}

// followTree branches as Options.Tree does, without look-ahead.
func (w *walk) followTree(twig int32) (branch int32, outcome sat.Outcome) {
	if w.depth() == 0 {
		w.atRoot = len(w.splitter.Trail())
	} else {
		w.noteAnchor(w.rule.options.Tree.leaves(twig) <= w.rule.anchorLeaves)
	}
	return w.rule.options.Tree.twigs[twig].literal, sat.Inner
}

// depth returns the number of decisions above the last visited node.
func (w *walk) depth() int { return len(w.nodes) - 1 }

// look looks ahead at the last visited node.
func (w *walk) look(log *proof.Log) (branch int32, outcome sat.Outcome) {
	n := &w.nodes[w.depth()]
	n.looked = true
	n.branch, outcome = w.splitter.Look(log)
	return n.branch, outcome
}

// isCube reports whether the last visited node is a cube, and notes whether it is an anchor.
func (w *walk) isCube() bool {
	if w.rule.options.Tree != nil {
		w.noteAnchor(true)
		return true
	}
	cut := w.rule.options.Cut
	m := cut.Measure.measure(place{len(w.splitter.Trail()), w.depth()}, w.atRoot, w.rule.MaxDepth())
	w.noteAnchor(m >= min(cut.Anchor, cut.Cube))
	return m >= cut.Cube || w.nodes[w.depth()].given > 0
}

// noteAnchor makes the last visited node the anchor, if it qualifies and no node above is one.
func (w *walk) noteAnchor(qualifies bool) {
	if qualifies && w.anchor < 0 {
		w.setAnchor(w.depth())
	}
}

// setAnchor changes the anchor. It ends the solver, unless the solver is of the share.
func (w *walk) setAnchor(depth int) {
	w.anchor, w.changed = depth, true
	if w.HasAnchors() {
		w.dropSolver()
	}
}

// Back undoes the last Visit.
func (w *walk) Back() {
	if w.nodes[w.depth()].begun { // another share takes the cube over
		w.endCube()
	}
	w.splitter.Back()
	w.nodes = w.nodes[:w.depth()]
	if w.depth() < w.anchor {
		w.setAnchor(-1)
	}
}

// HasAnchors reports whether any node can be an anchor.
func (w *walk) HasAnchors() bool { return !w.rule.options.Shared }

// Anchor returns the depth of the anchor, or -1.
func (w *walk) Anchor() int {
	if !w.HasAnchors() {
		return -1
	}
	return w.anchor
}

// Model appends the model.
func (w *walk) Model(dst []int32) []int32 {
	if w.model == nil {
		return w.splitter.Model(dst)
	}
	for i, value := range w.model {
		v := int32(i + 1)
		if !value {
			v = -v
		}
		dst = append(dst, v)
	}
	return dst
}

// Assigned returns the number of variables with a value.
func (w *walk) Assigned() int {
	if w.model != nil {
		return w.rule.MaxDepth()
	}
	return len(w.splitter.Trail())
}

// Steps returns the number of steps of look-ahead.
func (w *walk) Steps() int64 { return w.splitter.Steps() }
