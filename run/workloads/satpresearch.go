package workloads

import (
	"slices"
	"time"

	"treesplit/run"
	"treesplit/sat"
	"treesplit/sat/cdcl"
	"treesplit/sat/cubes"
)

// The presearch of rule cubes: clause learning before the split. A solver searches the formula for a small part of
// the time that the cubes are expected to take. The units and the shortest clauses that it has learnt join the
// formula. Look-ahead then finds more failed literals and better branches. The solver of each anchor, which begins
// without learnt clauses, has the most useful ones. If auto picks cubes, its try serves as the presearch.
//
// Source: C. M. Li, Anbulagan, Look-Ahead Versus Look-Back for Satisfiability Problems, CP 1997: their solver satz adds
// resolvents of at most three literals before the search. Here clause learning finds the clauses.

const (
	mostPresearch      = 10.0    // seconds
	usualCube          = 1e-3    // seconds of a cube without an estimate
	presearchLength    = 3       // literals of the longest clause that joins the formula
	mostPresearchTicks = 1 << 30 // of a checkpoint
	presearchLeast     = 0.01    // of the formula's clauses; fewer clauses would attract all branches
)

// presearchTicks returns the length of the presearch for the cut of the search, in ticks. It is 0 if there is none.
func (w *SAT) presearchTicks() int64 {
	seconds := w.sample.Seconds
	if seconds == 0 {
		seconds = w.sample.Expected * usualCube
	}
	ticks := int64(min(w.limits.share*seconds, mostPresearch) / cubes.TickTime)
	if ticks < w.limits.presearch || w.Simplify == simplifyOff {
		return 0
	}
	return ticks
}

// searchFirst makes the presearch, or a part of it if the run is halted, and returns the formula of the cubes.
func (w *SAT) searchFirst(f *sat.Formula, l run.Loading) *sat.Formula {
	if w.presearch == 0 {
		return f
	}
	begun := time.Now()
	var log cdcl.Proof
	if w.proof != nil {
		log = proofLines{w.proof}
	}
	s := cdcl.New(cdcl.Options{Proof: log, Parities: w.parities()})
	s.AddFormula(f)
	status := cdcl.Unknown
	for done := int64(0); status == cdcl.Unknown && done < w.presearch; done += w.limits.try {
		if l.Halted != nil && l.Halted() {
			break
		}
		status = s.Continue(cdcl.Limit{Conflicts: cdcl.NoLimit, Ticks: min(w.limits.try, w.presearch-done)})
	}
	w.sample.Conflicts, w.sample.Presearch = s.Stats().Conflicts, time.Since(begun).Seconds()
	if status != cdcl.Unknown {
		return verdictFormula(f, s, status)
	}
	return w.addShort(f, s)
}

// addShort returns a formula with the units and the shortest clauses of a solver that follow from the input. In the proof
// it deletes the other clauses that the solver has learnt.
func (w *SAT) addShort(f *sat.Formula, s *cdcl.Solver) *sat.Formula {
	g := addUnits(f, s)
	names := sat.VariableNamesOf(f)
	isShort := func(clause []int32) bool {
		return len(clause) <= presearchLength && !slices.ContainsFunc(clause, func(l int32) bool {
			_, occurs := slices.BinarySearch(names, max(l, -l))
			return !occurs
		})
	}
	number := 0
	for clause := range s.Learnt() {
		if isShort(clause) {
			number++
		}
	}
	enough := float64(number) >= presearchLeast*float64(f.Len())
	for clause := range s.Learnt() {
		if enough && isShort(clause) && g.LiteralCount()+len(clause) <= sat.MaxLiterals {
			g.AddClause(clause...)
		} else {
			w.deleteInProof(clause)
		}
	}
	w.sample.Joined = g.Len() - f.Len()
	return g
}

// deleteInProof deletes a clause in the proof, if there is one.
func (w *SAT) deleteInProof(clause []int32) {
	if w.proof != nil {
		w.proof.writer.WriteDeletion(clause)
	}
}
