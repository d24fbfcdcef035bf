package portfolio

import (
	"treesplit/sat"
	"treesplit/sat/cdcl"
	"treesplit/sat/mailbox"
	"treesplit/sat/proof"
)

// The engines. The attempt's number is the seed of its engine. In the project's own solver seed 0 is the
// default order and phases. This solver is searched in parts of one conflict, which cost a call each and
// change nothing in what it does (cdcl.Solver.Continue).

// solver is a cdcl.Solver as an Engine.
type solver struct {
	*cdcl.Solver
	first bool         // of attempt 0
	box   *mailbox.Box // of the share that searches; nil: it exchanges nothing
	taken cdcl.Stats   // when clauses of other shares were taken in
}

// NewSolver is the Maker of the project's own solver, with clauses alone.
func NewSolver(f *sat.Formula, attempt uint64, log cdcl.Proof) Engine {
	return newSolver(f, cdcl.Options{Proof: log, Seed: attempt})
}

// NewSummingSolver is the Maker of the project's own solver with sums of parities: of all sums, or of
// sums with short derivations if there is a log.
func NewSummingSolver(f *sat.Formula, attempt uint64, log cdcl.Proof) Engine {
	return newSolver(f, cdcl.Options{Proof: log, Seed: attempt, Parities: cdcl.ParitiesFor(log != nil)})
}

func newSolver(f *sat.Formula, o cdcl.Options) Engine {
	s := cdcl.New(o)
	s.AddFormula(f)
	return &solver{Solver: s, first: o.Seed == 0}
}

// SolverOf returns the solver of an engine that NewSolver or NewSummingSolver has made, or nil.
func SolverOf(e Engine) *cdcl.Solver {
	if s, ok := e.(*solver); ok {
		return s.Solver
	}
	return nil
}

// Search searches some nodes further.
func (s *solver) Search(limit int) (nodes int, status cdcl.Status) {
	for nodes < limit && status == cdcl.Unknown {
		s.takeIncoming()
		status = s.Continue(cdcl.Limit{Conflicts: 1, Ticks: nodeTicks})
		s.offerLemma()
		nodes++
	}
	return nodes, status
}

// Conflicts returns the number of conflicts so far.
func (s *solver) Conflicts() int64 { return s.Stats().Conflicts }

// Running is an engine whose lemmas can be directed to another log, because it can move.
type Running struct {
	Engine
	tap   tap
	nodes int64 // that shares have searched
	due   int64 // nodes after which the share may move
}

// Start makes the engine of an attempt. log takes its lemmas until LogTo; if it is nil, the engine
// has no lemmas at all.
func Start(maker Maker, f *sat.Formula, attempt uint64, log cdcl.Proof) *Running {
	r := &Running{tap: tap{to: log}, due: 1}
	if log == nil {
		r.Engine = maker(f, attempt, nil)
	} else {
		r.Engine = maker(f, attempt, &r.tap)
	}
	return r
}

// mostDoublings bounds the exponent of Running.due.
const mostDoublings = 40

// beginAgain sets the nodes after which the share may move, if a part of the attempt begins the search again.
// It is twice as many for each part, so that an attempt ends although it moves between processes.
func (r *Running) beginAgain(part uint64) { r.due = 1 << min(part, mostDoublings) }

// LogTo directs the lemmas from now on to a log. The log is new, or continues the last one.
func (r *Running) LogTo(log cdcl.Proof, continues bool) {
	r.tap.to = log
	if !continues {
		r.tap.clauses = 0
	}
}

// tap passes lemmas and deletions on, and counts them.
type tap struct {
	to      cdcl.Proof
	clauses uint64 // since the log began
}

// AddLemma passes a lemma on.
func (t *tap) AddLemma(id uint64, clause []int32, hints []uint64) {
	t.clauses++
	t.to.AddLemma(id, clause, hints)
}

// DeleteClause passes a deletion on.
func (t *tap) DeleteClause(id uint64, clause []int32) {
	t.clauses++
	t.to.DeleteClause(id, clause)
}

// attemptLog writes lemmas to an AttemptLog.
type attemptLog struct{ *proof.AttemptLog }

// AddLemma logs a lemma.
func (l attemptLog) AddLemma(_ uint64, clause []int32, _ []uint64) { l.WriteLearnt(clause) }

// DeleteClause logs a deletion.
func (l attemptLog) DeleteClause(_ uint64, clause []int32) { l.WriteDeleted(clause) }
