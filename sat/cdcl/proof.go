package cdcl

import "iter"

// The log of lemmas. Every clause that the solver adds follows from the clauses before it by unit
// propagation (RUP), so that the lemmas are a DRAT proof: after an unsatisfiable call without
// assumptions the last lemma is the empty clause, with assumptions it is the clause of their
// negations. Clauses of the caller are never deleted. Source: E. Goldberg, Y. Novikov,
// Verification of Proofs of Unsatisfiability for CNF Formulas, DATE 2003; Wetzler, Heule, Hunt,
// DRAT-trim, SAT 2014.

// Proof receives the lemmas of a solver in their order. It must not keep the slices.
//
// The clauses of the caller have the ids 1, 2, … in the order in which they are added. Lemmas have
// the numbers after the last clause or lemma. Without Options.Hints there are no hints, and the
// ids of deletions are 0.
type Proof interface {
	// AddLemma receives a lemma. The hints are the ids of the clauses that become unit one after
	// the other if the lemma is false; the last one becomes false.
	AddLemma(id uint64, clause []int32, hints []uint64)
	// DeleteClause receives a lemma that is no longer needed.
	DeleteClause(id uint64, clause []int32)
}

// log is the state of the log.
type log struct {
	nextID   uint64 // the last id given
	learning bool   // the lemma of a conflict is being logged
	line     []int32
	hints    []uint64
	unitID   []uint64  // of each variable that is true at level 0, if hints are requested
	binaries []implied // strengthened the lemma
}

// implied is a literal that a clause of two literals forces when the first literal of the lemma
// is false.
type implied struct {
	literal lit
	clause  ref
}

// addToLog makes room for one more variable.
func (s *Solver) addToLog() {
	if s.extra != 0 {
		s.unitID = append(s.unitID, 0)
	}
}

// noteUnit stores the id of a unit.
func (s *Solver) noteUnit(l lit, id uint64) {
	if s.extra != 0 {
		s.unitID[l>>1] = id
	}
}

// logLemma logs the lemma. conflict is the clause that is false last if the lemma is false.
func (s *Solver) logLemma(conflict ref) (id uint64) {
	if s.options.Proof == nil {
		return 0
	}
	if s.extra != 0 {
		s.collectHints(conflict)
	}
	return s.passLemma(s.lemma)
}

// LemmaLBD returns the LBD of the lemma that Proof.AddLemma receives, during this call, without the levels
// of assumptions: other solvers have other assumptions. It is 0 for a lemma that is not learnt from a conflict.
func (s *Solver) LemmaLBD() int {
	if !s.learning {
		return 0
	}
	return int(s.countLevels(s.lemma, len(s.assumed)))
}

// passLemma passes a lemma with the collected hints.
func (s *Solver) passLemma(clause []lit) (id uint64) {
	s.nextID++
	s.options.Proof.AddLemma(s.nextID, s.dimacsLine(clause), s.hints)
	s.hints = s.hints[:0]
	return s.nextID
}

// logShortened logs a clause from which false or repeated literals were removed.
func (s *Solver) logShortened(short, clause []lit, id uint64) uint64 {
	if s.options.Proof == nil {
		return id
	}
	if s.extra != 0 {
		for _, l := range clause {
			if s.values[l] < 0 {
				s.hints = append(s.hints, s.unitID[l>>1])
			}
		}
		s.hints = append(s.hints, id)
	}
	return s.passLemma(short)
}

// logDeletion logs that a learnt clause is deleted.
func (s *Solver) logDeletion(r ref) {
	if s.options.Proof != nil {
		s.options.Proof.DeleteClause(s.clauseID(r), s.dimacsLine(s.literals(r)))
	}
}

// dimacsLine returns the DIMACS numbers of a clause, valid until the next call.
func (s *Solver) dimacsLine(clause []lit) []int32 {
	s.line = s.line[:0]
	for _, l := range clause {
		s.line = append(s.line, s.dimacs(l))
	}
	return s.line
}

// clauseLiterals yields the literals that a reference has: of a clause of two literals with
// binaryFlag only the other one.
func (s *Solver) clauseLiterals(r ref) iter.Seq[lit] {
	return func(yield func(lit) bool) {
		if r >= binaryFlag {
			yield(lit(r &^ binaryFlag))
			return
		}
		for _, l := range s.literals(r) {
			if !yield(l) {
				return
			}
		}
	}
}

// markVariable adds a mark to a variable.
func (s *Solver) markVariable(v uint32, mark uint8) {
	if s.marks[v] == 0 {
		s.touched = append(s.touched, v)
	}
	s.marks[v] |= mark
}
