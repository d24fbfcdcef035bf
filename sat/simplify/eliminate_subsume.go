package simplify

// Backward subsumption: each new or shortened clause removes the clauses that contain it. It
// shortens a clause that contains it except for one literal and has the negation of that literal. Only the
// clauses of its variable with the fewest clauses are looked at. New clauses that contain older
// ones are found by the technique of subsume.go in the next round.
//
// Source: N. Eén, A. Biere, SAT 2005, section 4.

// maxCompared is the largest number of clauses that one clause is compared with.
const maxCompared = 1000

// subsumeQueued examines the queued clauses until the steps are used up.
func (e *eliminator) subsumeQueued() {
	for i := 0; i < len(e.queue) && !e.refuted; i++ {
		c := int(e.queue[i])
		e.queued[c] = false
		if e.clauses[c].size >= 0 && e.work.eliminate > 0 {
			e.subsumeByClause(c)
			e.propagateUnits()
		}
	}
	e.queue = e.queue[:0]
}

// subsumeByClause removes and shortens clauses by clause c.
func (e *eliminator) subsumeByClause(c int) {
	rarest := e.clauseLiterals(c)[0]
	for _, l := range e.clauseLiterals(c) {
		if e.countVariable(l) < e.countVariable(rarest) {
			rarest = l
		}
	}
	if e.countVariable(rarest) > maxCompared {
		return
	}
	e.compareWith(c, rarest)
	e.compareWith(c, rarest.complement())
}

// countVariable returns the number of clauses with l or its negation.
func (e *eliminator) countVariable(l lit) int32 { return e.count[l] + e.count[l.complement()] }

// compareWith removes and shortens clauses with l by clause c.
func (e *eliminator) compareWith(c int, l lit) {
	size, bits := e.clauses[c].size, e.bits[c]
	e.work.eliminate -= len(e.occurs[l])
	e.markClause(e.clauseLiterals(c))
	for i := 0; i < len(e.occurs[l]) && !e.refuted; i++ {
		d := int(e.occurs[l][i])
		if d == c || e.clauses[d].size < size || bits&^e.bits[d] != 0 {
			continue
		}
		switch within, flipped := e.containsCurrent(d, size); {
		case !within:
		case flipped < 0:
			e.stats.Subsumed++
			e.changes++
			e.dropClause(d)
		default:
			e.stats.Strengthened++
			e.changes++
			e.markClause(e.clauseLiterals(d))
			e.stamp[flipped] = e.now - 1
			e.shortenClause(d, flipped)
			e.markClause(e.clauseLiterals(c))
			if flipped == l {
				i-- // d has left the list
			}
		}
	}
}

// containsCurrent reports whether clause d contains the current clause of the given size, except
// for at most one literal whose negation it contains. flipped is that negation, or −1.
func (e *eliminator) containsCurrent(d int, size int32) (within bool, flipped lit) {
	found, flipped := int32(0), lit(-1)
	clause := e.clauseLiterals(d)
	e.work.eliminate -= len(clause)
	for _, l := range clause {
		switch {
		case e.stamp[l] == e.now:
			found++
		case e.stamp[l.complement()] == e.now:
			if flipped >= 0 {
				return false, -1
			}
			found++
			flipped = l
		}
	}
	return found == size, flipped
}
