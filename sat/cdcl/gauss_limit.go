package cdcl

// Limits of matrices. A matrix is worth its steps if analyses ask for its rows. A matrix that has taken
// too many steps for its use is dropped, until clauses are added to the formula. The elimination with which
// a matrix begins does not count, because nothing can have used the matrix before. Under ShortParities a
// row with a long derivation has no consequences: the number of its lines is exponential in the number
// of variables that several parities share, so that sums of dense parities would make proofs of any
// length. All limits are counts, so that the search is the same on every machine.
//
// Source: M. Soos, Enhanced Gaussian Elimination in DPLL-based SAT Solvers, Pragmatics of SAT 2010, for
// dropping matrices that are not used.

const (
	mostLines       = 32      // that derive one clause of a row above level 0
	rootLines       = 1 << 14 // and at level 0, where it happens once for each variable
	freeLines       = 1 << 12 // of all derivations, and the number for each conflict
	linesOfConflict = 8
	freeOfWord      = 64      // more steps for each word of the matrix
	stepsOfUse      = 1 << 13 // that one clause of a row is worth
)

// usage is the cost and the use of a matrix.
type usage struct {
	dirty   bool  // it is in gauss.dirty
	dropped bool  // it is no longer used
	paid    int64 // steps that were added to the statistics
	used    int64 // rows that became clauses
}

// isAllowed reports whether a row may have a consequence.
func (s *Solver) isAllowed(at, row int32) bool {
	if s.options.Parities == AllParities {
		return true
	}
	limit := int32(rootLines)
	if s.level() > 0 {
		limit = mostLines
		if s.stats.ParityLines > freeLines+linesOfConflict*s.stats.Conflicts {
			return false
		}
	}
	return s.matrices[at].Price(row, limit) <= limit
}

// payMatrix adds the steps of a matrix to the statistics, and drops the matrix if they are too many.
func (s *Solver) payMatrix(at int32) {
	m, u := &s.matrices[at], &s.usage[at]
	s.stats.ParitySteps += m.Steps - u.paid
	u.paid = m.Steps
	if u.paid > s.tuning.freeSteps+freeOfWord*int64(m.Words())+stepsOfUse*u.used {
		s.dropMatrix(at)
	}
}

// dropMatrix ends the use of a matrix. Its rows remain, because they can be reasons.
func (s *Solver) dropMatrix(at int32) {
	s.usage[at].dropped = true
	s.active--
	s.stats.Dropped++
	for _, v := range s.matrices[at].Columns() {
		s.places[v].matrix = -1
	}
}
