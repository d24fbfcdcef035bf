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
// formula. Look-ahead then finds more failed literals and better branches. The solver of each anchor begins without
// learnt clauses of other anchors, so that without a presearch it would learn the same short clauses again. If auto picks
// cubes, its try serves as the presearch.
//
// Source: C. M. Li, Anbulagan, Look-Ahead Versus Look-Back for Satisfiability Problems, CP 1997: their solver satz adds
// resolvents of at most three literals before the search. Here clause learning finds the clauses.

const (
	mostPresearch      = 10.0    // seconds
	mostPresearchTicks = 1 << 30 // of a checkpoint, which may be hostile
	usualCube          = 1e-3    // seconds of a cube, if there is no estimate
	longestShort       = 3       // literals of a short clause
	leastShort         = 0.01    // of the formula's clauses: fewer short clauses would attract all branches
)

// presearchTicks returns the length of the presearch for the cut of the search, in ticks. It is 0 if there is none.
func (w *SAT) presearchTicks() int64 {
	seconds := w.sample.Seconds
	if seconds == 0 {
		seconds = w.sample.Expected * usualCube
	}
	ticks := int64(min(w.limits.presearch*seconds, mostPresearch) / cubes.TickTime)
	if ticks < w.limits.leastPresearch || w.Simplify == simplifyOff {
		return 0
	}
	return ticks
}

// makePresearch makes the presearch, or a part of it if the run is halted, and returns the formula of the cubes.
func (w *SAT) makePresearch(f *sat.Formula, l run.Loading) *sat.Formula {
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

// addShort returns a formula with the units and the short clauses that a solver has learnt. They follow from the input.
// In the proof it deletes the other learnt clauses.
func (w *SAT) addShort(f *sat.Formula, s *cdcl.Solver) *sat.Formula {
	names := sat.VariableNamesOf(f)
	var short [][]int32
	for clause := range s.Learnt() {
		if len(clause) <= longestShort && haveNames(clause, names) {
			short = append(short, slices.Clone(clause))
		} else {
			w.deleteInProof(clause)
		}
	}
	g := addUnits(f, s)
	enough := float64(len(short)) >= leastShort*float64(f.Len())
	for _, clause := range short {
		if enough && g.LiteralCount()+len(clause) <= sat.MaxLiterals {
			g.AddClause(clause...)
		} else {
			w.deleteInProof(clause)
		}
	}
	w.sample.Joined = g.Len() - f.Len()
	return g
}

// haveNames reports whether all variables of a clause are among the names. The solver of a try may have variables that
// the formula of the trees has lost.
func haveNames(clause []int32, names sat.Names) bool {
	for _, l := range clause {
		if _, has := slices.BinarySearch(names, max(l, -l)); !has {
			return false
		}
	}
	return true
}

// deleteInProof deletes a clause in the proof, if there is one.
func (w *SAT) deleteInProof(clause []int32) {
	if w.proof != nil {
		w.proof.writer.WriteDeletion(clause)
	}
}
