package cdcl

import (
	"treesplit/sat/parity"
)

// Parities. Unit propagation takes exponentially many steps to refute parities that contradict each
// other, because it uses each parity alone. So parities that are found among the clauses of the
// formula are also rows of matrices (package parity). After the clauses were propagated, the
// matrices find the values that follow from sums of parities, and the conflicts of sums. The reason
// of such a value is a row. It becomes a clause only if an analysis asks for it (gauss_reason.go). A
// matrix that costs more than it helps is dropped (gauss_limit.go).
//
// Sources: M. Soos, K. Nohl, C. Castelluccia, Extending SAT Solvers to Cryptographic Problems, SAT
// 2009; M. Soos, Enhanced Gaussian Elimination in DPLL-based SAT Solvers, Pragmatics of SAT 2010; C.-S. Han,
// J.-H. Jiang, When Boolean Satisfiability Meets Gaussian Elimination in a Simplex Way, CAV 2012.

// Parities selects the sums of parities that a solver uses.
type Parities int8

// The values of Options.Parities.
const (
	NoParities    Parities = iota // clauses alone
	ShortParities                 // sums whose clauses have a short derivation, which becomes part of the proof
	AllParities                   // all sums; Proof does not receive their clauses, and lemmas may not follow without them
)

// ParitiesFor returns the sums for a search with a proof or without one.
func ParitiesFor(proof bool) Parities {
	if proof {
		return ShortParities
	}
	return AllParities
}

// gauss is the matrices and their place in the search.
type gauss struct {
	matrices  []parity.Matrix
	usage     []usage // of each matrix
	places    []place // of each variable
	dirty     []int32 // matrices with changes that were not examined
	entered   int     // trail[:entered] was entered into the matrices
	active    int     // number of matrices in use
	added     bool    // clauses were added since the parities were searched for
	rowMatrix []int32 // of each row of all matrices
	rowsFrom  []int32 // of each matrix: its first row among all rows
	clauseIDs []uint64
	reasons   []rowReason
	garbage   int // words of clauses in the arena that were reasons
	deriver   parity.Deriver

	columns   []int32 // buffer
	rowClause []lit   // the clause of a row
	lines     []lit   // lines of a derivation, each after its length
}

// place is the column of a variable; matrix is −1 if the variable has none.
type place struct{ matrix, column int32 }

// firstRow is the reference of the last row that can be a reason. References above it are rows too. Such a
// reference is no clause of two literals, because variables have much smaller numbers.
const firstRow = ^ref(mostRows - 1)

// Bounds of the matrices.
const (
	mostRows  = 1 << 20
	mostWords = 1 << 16 // of one matrix
	// redundantRows bounds the words of a matrix before the elimination, which removes rows that are sums of others.
	redundantRows = 4
	parityWork    = 1 << 22 // steps of the search for parities, and the same number for each clause
	workOfClause  = 20
)

// Prepare does what the first search would do before its first step, so that copies need not do it.
func (s *Solver) Prepare() {
	if s.added {
		s.backtrack(0)
		s.findParities()
	}
}

// findParities makes the matrices from the clauses of the formula. The trail is at level 0.
func (s *Solver) findParities() {
	s.added = false
	if s.options.Parities == NoParities || s.refuted {
		return
	}
	s.dropReasons()
	s.gauss = gauss{reasons: s.reasons[:0], garbage: s.garbage}
	refs := s.listShort()
	work := parityWork + workOfClause*len(refs)
	found := parity.Find(len(refs), func(i int) []lit { return s.literals(refs[i]) }, &work)
	for _, component := range parity.Components(found) {
		list := make([]parity.Parity, len(component))
		for i, p := range component {
			list[i] = found[p]
		}
		s.addMatrix(list)
	}
	if len(s.matrices) > 0 && s.extra != 0 {
		for _, r := range refs {
			s.clauseIDs = append(s.clauseIDs, s.clauseID(r))
		}
	}
}

// listShort returns the clauses of the formula that can belong to parities.
func (s *Solver) listShort() (refs []ref) {
	for r := ref(1); int(r) < len(s.arena); r = s.after(r) {
		if s.arena[r+1]&(learntFlag|deletedFlag) == 0 && s.arena[r] <= parity.MaxSize {
			refs = append(refs, r)
		}
	}
	return refs
}

// addMatrix makes a matrix of parities, unless it is too large.
func (s *Solver) addMatrix(list []parity.Parity) {
	if len(list) > 1<<13 {
		return
	}
	summands := s.options.Parities == ShortParities
	if parity.MatrixWords(list, summands) > redundantRows*mostWords { // the elimination would take long
		return
	}
	m := parity.NewMatrix(list, summands)
	if m.Words() > mostWords || len(s.rowMatrix)+m.Rows() > mostRows {
		return
	}
	s.stats.ParitySteps += m.Steps
	m.Steps = 0 // a matrix must pay by its use only for later steps
	if s.places == nil {
		for range s.names {
			s.places = append(s.places, place{-1, -1})
		}
	}
	at := int32(len(s.matrices))
	for c, v := range m.Columns() {
		s.places[v] = place{at, int32(c)}
	}
	s.rowsFrom = append(s.rowsFrom, int32(len(s.rowMatrix)))
	for range m.Rows() {
		s.rowMatrix = append(s.rowMatrix, at)
	}
	s.matrices = append(s.matrices, m)
	s.usage = append(s.usage, usage{})
	s.dirty = append(s.dirty, at)
	s.active++
	s.stats.Matrices++
	s.stats.Parities += int64(m.Rows())
}

// propagateAll propagates the trail through clauses and matrices. It returns the clause or the row
// that became false, or none.
func (s *Solver) propagateAll() ref {
	for {
		if conflict := s.propagate(); conflict != none || s.active == 0 {
			return conflict
		}
		conflict, implied := s.sumParities()
		if conflict != none || implied == 0 {
			return conflict
		}
	}
}

// sumParities enters the trail into the matrices, and assigns the values that follow.
func (s *Solver) sumParities() (conflict ref, implied int) {
	s.enterTrail()
	for len(s.dirty) > 0 {
		at := s.dirty[len(s.dirty)-1]
		if !s.usage[at].dropped {
			conflict, n := s.sumMatrix(at)
			s.payMatrix(at)
			implied += n
			if conflict != none {
				return conflict, implied
			}
		}
		s.dirty = s.dirty[:len(s.dirty)-1]
		s.usage[at].dirty = false
	}
	return none, implied
}

// enterTrail gives the columns of the matrices their values.
func (s *Solver) enterTrail() {
	for ; s.entered < s.assigned; s.entered++ {
		l := s.trail[s.entered]
		p := s.places[l>>1]
		if p.matrix < 0 {
			continue
		}
		s.matrices[p.matrix].Assign(p.column, l&1 == 0)
		s.markDirty(p.matrix)
	}
}

// markDirty notes that a matrix must be examined.
func (s *Solver) markDirty(at int32) {
	if !s.usage[at].dirty {
		s.usage[at].dirty = true
		s.dirty = append(s.dirty, at)
	}
}

// sumMatrix assigns the values that follow from a matrix.
func (s *Solver) sumMatrix(at int32) (conflict ref, implied int) {
	m := &s.matrices[at]
	for {
		found, row, column, value := m.Next()
		if found == parity.Nothing {
			return none, implied
		}
		if !s.isAllowed(at, row) {
			continue
		}
		r := firstRow + ref(s.rowsFrom[at]+row)
		if found == parity.Conflict {
			s.stats.ParityConflicts++
			s.backtrack(s.highestLevel(m, row))
			return r, implied
		}
		l := lit(m.Columns()[column]) << 1
		if !value {
			l++
		}
		s.stats.ParityImplied++
		implied++
		s.assign(l, r)
		s.entered = s.assigned
		m.Assign(column, value)
	}
}

// highestLevel returns the highest level of the columns of a row without a free column.
func (s *Solver) highestLevel(m *parity.Matrix, row int32) (level int) {
	s.columns = m.AppendColumns(s.columns[:0], row)
	for _, c := range s.columns {
		level = max(level, int(s.vars[m.Columns()[c]].level))
	}
	return level
}

// leaveTrail takes the values of trail[start:] out of the matrices.
func (s *Solver) leaveTrail(start int) {
	for s.entered > start {
		s.entered--
		if p := s.places[s.trail[s.entered]>>1]; p.matrix >= 0 {
			s.matrices[p.matrix].Unassign(p.column)
		}
	}
}

// copyGauss copies the matrices.
func (s *Solver) copyGauss(own, o *Solver) {
	s.matrices = own.matrices[:min(cap(own.matrices), len(o.matrices))]
	for len(s.matrices) < len(o.matrices) {
		s.matrices = append(s.matrices, parity.Matrix{})
	}
	for i := range o.matrices {
		s.matrices[i].CopyFrom(&o.matrices[i])
	}
	s.usage = append(own.usage[:0], o.usage...)
	s.places = append(own.places[:0], o.places...)
	if o.places == nil {
		s.places = nil
	}
	s.dirty = append(own.dirty[:0], o.dirty...)
	s.rowMatrix = append(own.rowMatrix[:0], o.rowMatrix...)
	s.rowsFrom = append(own.rowsFrom[:0], o.rowsFrom...)
	s.clauseIDs = append(own.clauseIDs[:0], o.clauseIDs...)
	s.reasons = append(own.reasons[:0], o.reasons...)
	s.deriver = own.deriver
	s.columns, s.rowClause, s.lines = own.columns, own.rowClause, own.lines
}
