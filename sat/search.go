package sat

import (
	"treesplit/sat/proof"
	"treesplit/search"
)

// Search is a rank's share of the search tree of a rule. It is an explicit stack: the
// path of decisions from the root to the node that is expanded next, where each
// decision remembers whether its other branch is still to be searched by this share. W
// counts every node visited, leaves too.
type Search struct {
	rule Rule
	proc Procedure
	fast *paperWalk // proc, where that is rule paper's
	opt  Options
	log  *proof.Log

	// path[:depth] are the decisions that lead to the next node. Without decisions the
	// next node is the root if atRoot, and otherwise the share is empty. The procedure
	// has visited the root, if rooted, and path[:depth-1]; the last decision is applied
	// when its node is expanded.
	path   []decision
	depth  int
	atRoot bool
	rooted bool
	top    struct { // what the visit of the root has returned
		branch  int32
		outcome Outcome
	}
	fresh bool // the next node begins another run of the log

	counts  Counts
	tally   Tally   // with opt.All, from the first solution on
	witness []int32 // the first solution found, as DIMACS literals
	cuts    []search.Cut
}

// Options is what a share is to do; it must be the same for all shares of a run,
// except for Root.
type Options struct {
	// Splitting is the splitting function.
	Splitting search.Splitting
	// Root makes the share begin with the whole tree, and not empty.
	Root bool
	// All goes through the whole tree, past its solutions, so that W and the number
	// of solution leaves do not depend on the order of the search, and tallies these.
	// Without it the search is decided at its first solution.
	All bool
}

// Counts is what a share has met so far. Nodes that were replayed to reach a
// piece's place in the tree are not counted, nor are nodes of other parts on the way
// to a part.
type Counts struct {
	Expanded  int64 // nodes visited, leaves too
	Conflicts int64 // leaves without a model
	Solutions int64 // leaves whose assignment satisfies the formula
	MaxDepth  int64 // the largest number of decisions above a node visited; the root has none
}

// decision is a step down the path.
type decision struct {
	literal int32 // what the step makes true: the branching literal or its complement
	branch  branch
}

// branch says where a decision stands. The numbers are those of pieces.
type branch uint8

const (
	firstOnly branch = 0 // at the first branch, the literal true; the second is another share's
	firstOpen branch = 1 // at the first branch; the second is still to be searched by this share
	second    branch = 2 // at the second branch, the literal false
)

// NewSearch returns a share of the rule's tree. It takes the memory of a Procedure, and
// a few bytes for each decision there can be.
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
	return s
}

// LogTo makes the share tell the log what it visits and finds, from now on. A share that
// is to be part of a proof must have visited nothing.
func (s *Search) LogTo(log *proof.Log) { s.log = log }

// Empty reports whether no node is left to expand.
func (s *Search) Empty() bool { return s.depth == 0 && !s.atRoot }

// Decided reports whether a solution was found, unless the search goes through All.
func (s *Search) Decided() bool { return s.witness != nil && !s.opt.All }

// Counts returns what this share has met so far.
func (s *Search) Counts() Counts { return s.counts }

// Model returns the first solution that this share found, or nil: model[v-1] is
// the value of variable v, false where the formula leaves it open. The slice is
// the caller's.
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

// Expand visits up to limit nodes, depth first.
func (s *Search) Expand(limit int) (expanded int) {
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
			s.expandNext()
			expanded++
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
		s.countLeaf(outcome)
		return
	}
	s.path[0] = decision{literal, firstOpen}
	s.depth = 1
}

// expandNext visits the node at the end of the path, which is not the root, and goes on
// to the next.
func (s *Search) expandNext() {
	s.counts.MaxDepth = max(s.counts.MaxDepth, int64(s.depth))
	literal, outcome := s.visitNode(true)
	if outcome == Inner {
		s.path[s.depth] = decision{literal, firstOpen}
		s.depth++
		return
	}
	s.countLeaf(outcome)
	s.proc.Back()
	s.advanceToOpen()
}

// visitNode makes the procedure visit the node at the end of the path. The log is told if
// the node is the share's own.
func (s *Search) visitNode(own bool) (branch int32, outcome Outcome) {
	log := s.log
	if !own {
		log = nil
	}
	if log != nil {
		s.logVisitedNode()
	}
	if s.depth > 0 {
		return s.proc.Visit(s.path[s.depth-1].literal, log)
	}
	if s.rooted && log != nil { // once more, for the log
		s.proc.Back()
		s.rooted = false
	}
	if !s.rooted {
		s.rooted = true
		s.top.branch, s.top.outcome = s.proc.Visit(NoLiteral, log)
	}
	return s.top.branch, s.top.outcome
}

// logVisitedNode tells the log that the node at the end of the path is visited.
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

// countLeaf counts a leaf that the procedure is at, and keeps the first solution as the
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

// advanceToOpen goes on, from a node that has nothing left below it, to the deepest branch that
// is still open. The procedure is at the node's parent.
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

// backOutToEmpty takes back all but the root and leaves the share empty. The procedure has
// visited the first n decisions of the path.
func (s *Search) backOutToEmpty(n int) {
	for range n {
		s.proc.Back()
	}
	s.depth = 0
}
