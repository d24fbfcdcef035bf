package sat

import (
	"treesplit/sat/proof"
	"treesplit/search"
)

// Search is a rank's share of the search tree of a rule. It is an explicit stack: the path of
// decisions from the root to the next node. Each decision records whether this share must still
// search its other branch. W counts every visited node, including leaves.
type Search struct {
	rule Rule
	proc Procedure
	fast *paperWalk // proc, if it is the procedure of rule paper; or nil
	conquest
	opt Options
	log *proof.Log

	// path[:depth] are the decisions that lead to the next node. Without decisions the next node
	// is the root if atRoot is set; otherwise the share is empty. The procedure has visited the
	// root, if rooted is set, and path[:depth-1]. The last decision is applied when its node is
	// expanded.
	path   []decision
	depth  int
	atRoot bool
	rooted bool
	top    struct { // the result of visiting the root
		branch  int32
		outcome Outcome
	}
	fresh bool // the next node begins a new run of the log

	counts  Counts
	tally   Tally   // with opt.All, from the first solution on; see SolutionTally
	witness []int32 // the first solution found, as DIMACS literals
	cuts    []search.Cut
}

// Options control a share. They must be the same for all shares of a run, except Root.
type Options struct {
	// Splitting is the splitting function.
	Splitting search.Splitting
	// Root makes the share begin with the whole tree; otherwise it begins empty.
	Root bool
	// All searches the whole tree, past its solutions. W and the number of solution leaves then
	// do not depend on the order of the search, and the solution leaves are tallied. Without All
	// the search is decided at its first solution.
	All bool
}

// Counts are the counts of a share so far. They do not include nodes that were replayed to reach
// the place of a piece, or nodes of other parts on the way to a part.
type Counts struct {
	Expanded  int64 // visited nodes, including leaves
	Conflicts int64 // leaves without a model
	Solutions int64 // leaves whose assignment satisfies the formula
	MaxDepth  int64 // the largest number of decisions above a visited node; 0 for the root
	Cubes     int64 // leaves that were decided as cubes
	Split     int64 // cubes that were given up and branched on
	Steps     int64 // expanded nodes that are no nodes of the tree but steps of cubes
	Refuted   int64 // conflicts at nodes that were no cubes, of a Conqueror: look-ahead has refuted these nodes
}

// decision is one step of the path.
type decision struct {
	literal int32 // the literal that the step makes true: the branching literal or its complement
	branch  branch
}

// branch is the state of a decision. The numbers are those in pieces.
type branch uint8

const (
	firstOnly branch = 0 // on the first branch, the literal true; the second branch belongs to another share
	firstOpen branch = 1 // on the first branch; this share must still search the second branch
	second    branch = 2 // on the second branch, the literal false
)

// NewSearch returns a share of the rule's tree. It takes the memory of a Procedure, and a few
// bytes for each possible decision.
func NewSearch(rule Rule, opt Options) *Search {
	s := &Search{
		rule:   rule,
		proc:   rule.Begin(),
		opt:    opt,
		path:   make([]decision, rule.MaxDepth()),
		atRoot: opt.Root,
		fresh:  true,
	}
	s.fast, _ = s.proc.(*paperWalk)
	s.conqueror, _ = s.proc.(Conqueror)
	return s
}

// LogTo makes the share write the nodes and lemmas from now on to the log. For a proof the share
// must not have visited a node yet.
func (s *Search) LogTo(log *proof.Log) { s.log = log }

// Empty reports whether no node remains to be expanded.
func (s *Search) Empty() bool { return s.depth == 0 && !s.atRoot }

// Decided reports whether a solution was found and the search does not go through All.
func (s *Search) Decided() bool { return s.witness != nil && !s.opt.All }

// Counts returns the counts of this share so far.
func (s *Search) Counts() Counts { return s.counts }

// Model returns the first solution that this share has found, or nil. model[v-1] is the value of
// variable v; it is false if the solution leaves v open. The slice belongs to the caller.
func (s *Search) Model() []bool {
	if s.witness == nil {
		return nil
	}
	model := make([]bool, s.rule.Variables())
	for _, l := range s.witness {
		model[max(l, -l)-1] = l > 0
	}
	return model
}

// Expand visits up to limit nodes, depth first. After a piece from the middle of an anchor it first
// repeats nodes, which do not count; see search.Redundant.
func (s *Search) Expand(limit int) (expanded int) {
	if s.owed.all > 0 {
		limit -= s.repeatOwed(limit)
	}
	if s.atRoot && limit > 0 && !s.Decided() {
		s.expandRoot()
		expanded = 1
	}
	if s.fast != nil && s.log == nil {
		for expanded < limit && s.depth > 0 && !s.Decided() {
			expanded += s.descendPaper(limit - expanded)
		}
	} else {
		for expanded < limit && s.depth > 0 && !s.Decided() {
			expanded += s.expandSome(limit - expanded)
		}
	}
	s.counts.Expanded += int64(expanded)
	return expanded
}

// expandRoot visits the root.
func (s *Search) expandRoot() {
	s.atRoot = false
	literal, outcome := s.visitNode(true)
	if outcome != Inner {
		s.countVisited(outcome)
		return
	}
	s.path[0] = decision{literal, firstOpen}
	s.depth = 1
}

// expandSome visits the next node, or takes up to limit steps of the current cube.
func (s *Search) expandSome(limit int) (expanded int) {
	if s.inside {
		return s.conquerNext(limit)
	}
	s.expandNext()
	return 1
}

// expandNext visits the node at the end of the path, which is not the root, and advances to the
// next node.
func (s *Search) expandNext() {
	s.counts.MaxDepth = max(s.counts.MaxDepth, int64(s.depth))
	literal, outcome := s.visitNode(true)
	switch outcome {
	case Inner:
		s.path[s.depth] = decision{literal, firstOpen}
		s.depth++
	case Cube: // its first step is next
	default:
		s.countVisited(outcome)
		s.leaveLeaf()
	}
}

// visitNode makes the procedure visit the node at the end of the path. It writes to the log if
// the node belongs to the share (own).
func (s *Search) visitNode(own bool) (branch int32, outcome Outcome) {
	log := s.log
	if !own {
		log = nil
	}
	if log != nil {
		s.logVisitedNode()
	}
	if s.depth > 0 {
		branch, outcome = s.proc.Visit(s.path[s.depth-1].literal, log)
		if own {
			s.noteVisit(outcome)
		}
		return branch, outcome
	}
	if s.rooted && log != nil { // visit the root again, for the log
		s.proc.Back()
		s.rooted = false
	}
	if !s.rooted {
		s.rooted = true
		s.top.branch, s.top.outcome = s.proc.Visit(NoLiteral, log)
	}
	return s.top.branch, s.top.outcome
}

// logVisitedNode records in the log that the node at the end of the path is visited.
func (s *Search) logVisitedNode() {
	if s.depth == 0 {
		s.log.WriteRoot()
		s.fresh = false
		return
	}
	above, last := s.path[:s.depth-1], s.path[s.depth-1]
	if s.fresh {
		s.fresh = false
		s.log.WriteRunStart(len(above))
		for _, d := range above {
			s.log.WriteStep(s.rule.Name(d.literal), d.branch == second)
		}
	}
	s.log.WriteNode(s.depth, s.rule.Name(last.literal), last.branch == second)
}

// countLeaf counts the leaf at which the procedure is. It keeps the first solution as the
// witness.
func (s *Search) countLeaf(outcome Outcome) {
	if outcome == Conflict {
		s.counts.Conflicts++
		return
	}
	s.counts.Solutions++
	if s.opt.All {
		s.tallyLeaf()
	}
	if s.witness == nil {
		s.witness = s.proc.Model(make([]int32, 0, 64))
	}
}

// advanceToOpen moves from a node with nothing left below it to the deepest open branch. The
// procedure is at the node's parent.
func (s *Search) advanceToOpen() {
	for s.path[s.depth-1].branch != firstOpen {
		if s.depth--; s.depth == 0 {
			return
		}
		s.proc.Back()
	}
	s.path[s.depth-1].literal ^= 1
	s.path[s.depth-1].branch = second
}

// backOutToEmpty undoes all visits except the root's and leaves the share empty. The procedure
// has visited the first n decisions of the path.
func (s *Search) backOutToEmpty(n int) {
	for range n {
		s.proc.Back()
	}
	s.depth = 0
}
