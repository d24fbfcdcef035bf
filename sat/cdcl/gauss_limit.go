package cdcl

// Limits of matrices. A matrix is worth its steps if analyses ask for its rows.

// usage is the cost and the use of a matrix.
type usage struct {
	dirty bool  // it is in gauss.dirty
	paid  int64 // steps that were added to the statistics
	used  int64 // rows that became clauses
}

// mostLines is the largest number of lines that derive one clause of a row.
const mostLines = 100

// isUseful reports whether a row may have a consequence.
func (s *Solver) isUseful(at, row int32) bool {
	if s.options.Parities == AllParities {
		return true
	}
	return s.matrices[at].Price(row, mostLines) <= mostLines
}

// payMatrix adds the steps of a matrix to the statistics.
func (s *Solver) payMatrix(at int32) {
	m, u := &s.matrices[at], &s.usage[at]
	s.stats.ParitySteps += m.Steps - u.paid
	u.paid = m.Steps
}
