package cdcl

// Reasons of rows. A row that has implied a literal, or is a conflict, becomes a clause when an analysis
// asks for it. If a proof is written, the lines that derive the clause from the clauses of parities
// become part of the proof before (sat/parity/sum.go). The clause is marked as deleted from the
// beginning, so that the next compaction of the arena removes it, and has no watches. The proof
// deletes it when its literal is no longer assigned.

// rowReason is a clause of a row, with the literal that it forces, or noLiteral.
type rowReason struct {
	clause ref
	forced lit
}

// reasonOf returns the reason of a true literal as a clause.
func (s *Solver) reasonOf(l lit) ref {
	r := s.vars[l>>1].reason
	if r >= firstRow {
		r = s.explainRow(r, l)
		s.vars[l>>1].reason = r
	}
	return r
}

// explainConflict returns a conflict as a clause.
func (s *Solver) explainConflict(conflict ref) ref {
	if conflict >= firstRow {
		return s.explainRow(conflict, noLiteral)
	}
	return conflict
}

// explainRow makes a clause of a row that has forced a literal, or of a false row if there is no literal.
func (s *Solver) explainRow(r ref, forced lit) ref {
	at := s.rowMatrix[r-firstRow]
	m, row := &s.matrices[at], int32(r-firstRow)-s.rowsFrom[at]
	s.usage[at].used++
	s.stats.ParityReasons++
	s.columns = m.AppendColumns(s.columns[:0], row)
	s.rowClause = s.rowClause[:0]
	for _, c := range s.columns {
		l := lit(m.Columns()[c]) << 1
		if s.values[l] > 0 != (l>>1 == forced>>1) {
			l++
		}
		s.rowClause = append(s.rowClause, l)
	}
	if s.options.Parities == ShortParities {
		s.stats.ParityLines += int64(m.Price(row, rootLines))
	}
	id := uint64(0)
	if s.options.Proof != nil && s.options.Parities == ShortParities {
		id = s.deriveRow(at, row, forced)
	}
	clause := s.storeClause(s.rowClause, deletedFlag, id)
	s.garbage += len(s.rowClause) + header + s.extra
	s.reasons = append(s.reasons, rowReason{clause, forced})
	return clause
}

// deriveRow logs the lines that derive s.rowClause, and the deletion of all but the last one.
func (s *Solver) deriveRow(at, row int32, forced lit) (id uint64) {
	m := &s.matrices[at]
	s.lines = s.lines[:0]
	value := func(c int32) bool {
		v := m.Columns()[c]
		return s.values[v<<1] > 0 != (lit(v) == forced>>1)
	}
	parityClause := func(p, assignment int) uint64 {
		if s.extra == 0 {
			return 0
		}
		return s.clauseIDs[m.Clause(p, assignment)]
	}
	id = s.deriver.Derive(m, row, s.rowClause, value, parityClause, func(clause []lit, hints []uint64) uint64 {
		s.lines = append(append(s.lines, lit(len(clause))), clause...)
		if s.extra != 0 {
			s.hints = append(s.hints, hints...)
		}
		return s.passLemma(clause)
	})
	s.deleteLines(id)
	return id
}

// deleteLines logs the deletion of s.lines except the last one, which has the given id.
func (s *Solver) deleteLines(last uint64) {
	n := uint64(0)
	for at := 0; at < len(s.lines); at += 1 + int(s.lines[at]) {
		n++
	}
	for at := 0; n > 1; at += 1 + int(s.lines[at]) {
		n--
		if s.lines[at] == 1 {
			continue
		}
		s.options.Proof.DeleteClause(s.hintable(last-n), s.dimacsLine(s.lines[at+1:][:s.lines[at]]))
	}
}

// hintable returns the id, or 0 if hints are not requested.
func (s *Solver) hintable(id uint64) uint64 {
	if s.extra == 0 {
		return 0
	}
	return id
}

// dropReasons forgets the clauses of rows whose literal is no longer assigned by them.
func (s *Solver) dropReasons() {
	kept := 0
	for _, x := range s.reasons {
		if x.forced != noLiteral && s.values[x.forced] > 0 && s.vars[x.forced>>1].reason == x.clause {
			s.reasons[kept] = x
			kept++
			continue
		}
		if s.options.Parities == ShortParities && s.arena[x.clause] > 1 {
			s.logDeletion(x.clause)
		}
	}
	s.reasons = s.reasons[:kept]
}

// collectGarbage removes the clauses of rows from the arena.
func (s *Solver) collectGarbage() {
	s.backtrack(0)
	s.compactArena()
}

// isGarbageDue reports whether the clauses of rows take much of the arena.
func (s *Solver) isGarbageDue() bool {
	return s.garbage > s.tuning.garbage && s.garbage > len(s.arena)/2
}
