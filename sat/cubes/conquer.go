package cubes

import (
	"treesplit/sat"
	"treesplit/sat/cdcl"
	"treesplit/sat/proof"
)

// Conquering a cube. All literals that are true at the node are assumptions: the decisions, the
// literals that look-ahead has forced, and what follows from both. The solver need not find out
// again what look-ahead has found. If the solver refutes the cube, the clause of the failed
// assumptions is a lemma. With the lemmas of look-ahead on the path it implies that the decisions
// have no model.

// stepTicks bounds a step without a conflict, at about a millisecond.
const stepTicks = 100_000

// Conquer searches the cube up to limit steps. A step is a conflict, or stepTicks ticks.
func (w *walk) Conquer(limit int, log *proof.Log) (steps int, branch int32, outcome sat.Outcome) {
	n := &w.nodes[w.depth()]
	w.log = log
	if !n.begun {
		w.beginCube()
	}
	status, budget := cdcl.Unknown, w.rule.options.Budget<<min(n.given, 30)
	for steps < limit && status == cdcl.Unknown && n.spent < budget {
		status = w.solver.Continue(cdcl.Limit{Conflicts: 1, Ticks: stepTicks})
		n.spent++
		steps++
	}
	switch {
	case status == cdcl.Satisfiable:
		w.model = w.solver.Model(w.rule.Variables())
		w.endCube()
		return steps, sat.NoLiteral, sat.Solution
	case status == cdcl.Unsatisfiable:
		w.closeCube(log)
		return steps, sat.NoLiteral, sat.Conflict
	case n.spent < budget:
		return steps, sat.NoLiteral, sat.Cube
	}
	w.endCube()
	branch, outcome = w.GiveUp(log)
	return steps, branch, outcome
}

// closeCube ends a refuted cube.
func (w *walk) closeCube(log *proof.Log) {
	w.endCube()
	w.refuted++
	if w.rule.options.Shared {
		w.keepReason(log)
	}
	log.WriteLemma()
}

// endCube makes the solver forget the assumptions.
func (w *walk) endCube() {
	w.nodes[w.depth()].begun = false
	w.solver.Conclude()
}

// beginCube makes the literals of the node assumptions.
func (w *walk) beginCube() {
	switch {
	case w.solver == nil:
		w.makeSolver()
	case w.changed && w.refuted >= cubesOfSolver:
		w.refreshSolver()
	}
	w.changed = false
	w.nodes[w.depth()].begun = true
	w.takeIncoming()
	for _, l := range w.splitter.Trail() {
		w.solver.Assume(w.rule.Name(l))
	}
}

// makeSolver begins a solver that has the formula.
func (w *walk) makeSolver() {
	w.solver, w.spare = w.spare, nil
	if w.solver == nil {
		w.solver = cdcl.New(cdcl.Options{Proof: lemmas{w}})
	}
	w.solver.CopyFrom(w.rule.solver)
	w.refuted = 0
}

// GiveUp branches on the cube.
func (w *walk) GiveUp(log *proof.Log) (branch int32, outcome sat.Outcome) {
	n := &w.nodes[w.depth()]
	n.given++
	if n.looked {
		return n.branch, sat.Inner
	}
	return w.look(log)
}

// Close deletes the learnt clauses of the anchor in the log.
func (w *walk) Close(log *proof.Log) {
	if w.solver == nil || log == nil {
		return
	}
	for clause := range w.solver.Learnt() {
		log.WriteDeleted(clause)
	}
}

// cubesOfSolver is the number of refuted cubes from which on the solver of a share forgets most of
// its clauses at the next anchor. A solver that keeps all becomes several times slower. Cubes below
// one anchor have the most in common, so the solver keeps its clauses from one to the next.
const cubesOfSolver = 30

// mostRemembered is the number of literals up to which a learnt clause is not forgotten.
const mostRemembered = 2

// keepReason logs the clause of the failed assumptions, for as long as the proof.
func (w *walk) keepReason(log *proof.Log) {
	w.line = w.line[:0]
	for _, l := range w.solver.Failed() {
		w.line = append(w.line, -l)
	}
	log.WriteKept(w.line)
}

// refreshSolver begins a new solver, with the units and the shortest clauses of the last one.
func (w *walk) refreshSolver() {
	old := w.solver
	w.ticks += old.Stats().Ticks
	w.makeSolver()
	for l := range old.Units() {
		w.solver.AddClause(l)
	}
	for clause := range old.Learnt() {
		if len(clause) <= mostRemembered {
			w.solver.AddLearnt(clause...)
		} else {
			w.log.WriteDeleted(clause)
		}
	}
	w.spare = old
}

// dropSolver ends the solver, but keeps its memory.
func (w *walk) dropSolver() {
	if w.solver != nil {
		w.ticks += w.solver.Stats().Ticks
		w.spare, w.solver = w.solver, nil
	}
}

// countTicks returns the ticks of all solvers of the walk.
func (w *walk) countTicks() int64 {
	if w.solver == nil {
		return w.ticks
	}
	return w.ticks + w.solver.Stats().Ticks
}

// lemmas passes the lemmas of the solver to the log.
type lemmas struct{ *walk }

// AddLemma logs a lemma.
func (l lemmas) AddLemma(_ uint64, clause []int32, _ []uint64) {
	l.log.WriteLearnt(clause)
	l.offerLemma(clause)
}

// DeleteClause logs a deletion.
func (l lemmas) DeleteClause(_ uint64, clause []int32) { l.log.WriteDeleted(clause) }
