package drat

// hintReader reads an LRAT proof in parts, and applies the steps to the table.
type hintReader struct {
	*hintChecker
	*hintParser
	err error // of reading the proof
}

// readParts adds parts until the proof or the check ends. The table is compacted between two parts.
func (r *hintReader) readParts(q *partQueue) {
	for more := true; more; {
		k := q.emptyPart()
		k.before, k.binary = r.variables.count, r.binary
		more = r.readPart(k)
		k.seen, k.arena = r.variables.count, r.arena
		more = q.Add(k, k.size()) && more
		if more && r.due { // after a refusal workers may still read the table
			if more = q.Await(); more {
				r.compactShared()
			}
		}
	}
}

// readPart reads steps. It returns false if no part follows.
func (r *hintReader) readPart(k *part) (more bool) {
	for !k.isFull(r.division) && !r.due {
		ok, err := r.readHintStep()
		if !ok || err != nil {
			r.err = err
			return false
		}
		if r.deletion {
			r.addDeletion(k)
		} else if !r.addLemma(k) {
			return false
		}
	}
	return true
}

// addDeletion applies a deletion.
func (r *hintReader) addDeletion(k *part) {
	r.hintChecker.clause = r.hintChecker.clause[:0]
	missing := r.report.Missing
	r.deleteClauses(r.hints)
	s := k.addStep(r.parser, &r.normaliser)
	s.hints = int32(len(k.hints))
	s.deleted, s.missing = int32(len(r.hints)), int32(r.report.Missing-missing)
}

// addLemma adds a lemma to the table as if it held. It returns false if the check ends with it.
func (r *hintReader) addLemma(k *part) (more bool) {
	r.hintChecker.clause = r.hintChecker.clause[:0]
	if r.find(r.id) != none {
		k.refusal = takenNumber(r.id)
	} else {
		k.err = r.translate(r.parser.literals)
	}
	k.hints = append(k.hints, r.hints...)
	k.clauses = r.appendClauses(k.clauses, r.hints)
	s := k.addStep(r.parser, &r.normaliser)
	s.id, s.hints, s.occurs = r.id, int32(len(k.hints)), r.countOccurrences()
	if k.refusal != "" || k.err != nil {
		return false
	}
	k.err = r.addClause(r.id)
	k.late = true
	return k.err == nil && !r.refuted
}
