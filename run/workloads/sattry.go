package workloads

import (
	"time"

	"treesplit/sat"
	"treesplit/sat/cdcl"
	"treesplit/sat/cubes"
	"treesplit/sat/portfolio"
	"treesplit/sat/simplify"
)

// The try of auto: the solver of cdcl searches for a short time, while the formula is loaded. What
// it learns is not lost. If it decides the formula, the search that follows has one node. If auto
// picks cdcl, the solver is attempt 0 and continues on rank 0, and its units and clauses of two
// literals join the formula for the other attempts. If auto picks a tree, its units join the
// formula, and if it picks cubes, its short clauses too (satpresearch.go). Its lemmas follow the
// lemmas of the simplification in the proof. The solver searches the formula of rule cdcl, so that
// the try is the beginning of that rule's search: a formula that is simplified in another way is
// decided by another search, which may take much longer. A tree searches the formula of rule
// lookahead, which has no elimination and no vivification.

// Bounds of the try, in ticks and conflicts. A try before the search of a tree may take tryPart of
// the tree's time.
const (
	tryPart      = 1. / 20
	leastTry     = 300_000
	mostTry      = 20_000_000
	tryConflicts = 50_000
)

// try is a try in progress.
type try struct {
	w       *SAT
	formula *sat.Formula
	solver  *cdcl.Solver
	ready   *portfolio.Running
	ticks   int64
	status  cdcl.Status

	reduced    *simplify.Result // the input, simplified for clause learning; nil: the try searches the formula of the trees
	simplified float64          // seconds that this took
}

// beginTry makes the solver for the formula, simplified for clause learning. seconds is the time of the
// better tree.
func (w *SAT) beginTry(f *sat.Formula, seconds float64) *try {
	t := &try{w: w, formula: f, ticks: w.limits.try}
	start := time.Now()
	if t.reduced = w.simplifyForLearning(); t.reduced != nil {
		t.formula = t.reduced.Formula
	}
	t.simplified = time.Since(start).Seconds()
	if seconds <= w.limits.tree {
		t.ticks = min(max(int64(seconds*tryPart/cubes.TickTime), leastTry), mostTry)
	}
	var log cdcl.Proof
	if w.proof != nil {
		log = proofLines{w.proof}
	}
	t.ready = portfolio.Start(func(f *sat.Formula, attempt uint64, log cdcl.Proof) portfolio.Engine {
		e := w.ownMaker()(f, attempt, log)
		t.solver = portfolio.SolverOf(e)
		return e
	}, t.formula, 0, log)
	return t
}

// run searches up to the bounds.
func (t *try) run(p *Picked) {
	t.status = t.solver.Continue(cdcl.Limit{Conflicts: tryConflicts, Ticks: t.ticks})
	p.Tried, p.Conflicts, p.Decided = true, t.solver.Stats().Conflicts, t.status != cdcl.Unknown
}

// verdictFormula returns a formula with the verdict of the try.
func (t *try) verdictFormula() *sat.Formula {
	t.keepSimplified()
	t.w.summed = t.hasParities()
	return verdictFormula(t.formula, t.solver, t.status)
}

// verdictFormula returns a formula with the verdict of a solver: the model as units, or the empty clause. Only variables
// that occur have units, because the last number of a formula may be much larger than the formula.
func verdictFormula(f *sat.Formula, s *cdcl.Solver, status cdcl.Status) *sat.Formula {
	g := &sat.Formula{Variables: f.Variables, DNF: f.DNF}
	if status == cdcl.Unsatisfiable {
		g.AddClause()
		return g
	}
	model := s.Model(f.Variables)
	for _, v := range sat.VariableNamesOf(f) {
		if !model[v-1] {
			v = -v
		}
		g.AddClause(v)
	}
	return g
}

// handOver makes the solver attempt 0 of the search by cdcl, and returns the formula for the other
// attempts.
func (t *try) handOver() *sat.Formula {
	if t.w.engineIsOwn() {
		t.w.ready = t.ready
	}
	t.keepSimplified()
	g := addUnits(t.formula, t.solver)
	for clause := range t.solver.Learnt() {
		if len(clause) == 2 && g.LiteralCount()+2 <= sat.MaxLiterals {
			g.AddClause(clause...)
		}
	}
	return t.noteSums(t.formula, g)
}

// hasParities reports whether the solver has used sums of parities, on which its clauses then depend.
func (t *try) hasParities() bool { return t.solver.Stats().Matrices > 0 }

// keepSimplified makes the formula of the solver the one that is searched.
func (t *try) keepSimplified() {
	if t.reduced != nil {
		t.w.takeSimplified(t.reduced, t.w.simplified.Seconds+t.simplified)
	}
}

// giveUp ends the try before the search of a tree: it deletes the learnt clauses in the proof, and
// returns the formula of the tree with the units.
func (t *try) giveUp(f *sat.Formula) *sat.Formula {
	t.w.deleteLearnt(t.solver)
	return t.noteSums(f, addUnits(f, t.solver))
}

// becomePresearch ends the try before the search of cubes, and returns their formula.
func (t *try) becomePresearch(f *sat.Formula) *sat.Formula {
	t.w.sample.Conflicts = t.solver.Stats().Conflicts
	return t.noteSums(f, t.w.addShort(f, t.solver))
}

// noteSums notes whether clauses that the try has added to a formula depend on sums of parities. It returns the longer
// formula.
func (t *try) noteSums(f, longer *sat.Formula) *sat.Formula {
	t.w.summed = t.hasParities() && longer.Len() > f.Len()
	return longer
}

// deleteLearnt deletes the learnt clauses of a solver in the proof.
func (w *SAT) deleteLearnt(s *cdcl.Solver) {
	for clause := range s.Learnt() {
		w.deleteInProof(clause)
	}
}

// addUnits returns a formula with the units that a solver has found. They follow from the input, so
// that the formula keeps a model if it has one.
func addUnits(f *sat.Formula, s *cdcl.Solver) *sat.Formula {
	g := &sat.Formula{Variables: f.Variables, DNF: f.DNF}
	for _, clause := range f.Clauses() {
		g.AddClause(clause...)
	}
	for l := range s.Units() {
		if g.LiteralCount() == sat.MaxLiterals {
			break
		}
		g.AddClause(l)
	}
	return g
}

// proofLines writes the lemmas of a solver to the proof.
type proofLines struct{ *certificate }

// AddLemma writes a lemma.
func (p proofLines) AddLemma(_ uint64, clause []int32, _ []uint64) { p.writer.WriteLemma(clause) }

// DeleteClause writes a deletion.
func (p proofLines) DeleteClause(_ uint64, clause []int32) { p.writer.WriteDeletion(clause) }
