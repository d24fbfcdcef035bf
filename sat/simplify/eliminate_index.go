package simplify

import "treesplit/sat"

// The index of the elimination: the clauses of each literal. Removed clauses stay in the lists
// until the variable is tried. A clause that loses a literal leaves the list of the literal at
// once.

// buildOccurrences indexes all clauses, without gaps.
func (e *eliminator) buildOccurrences(s *simplifier) {
	s.compactClauses()
	e.simplifier = s
	n := len(s.value)
	e.occurs = resizeSlice(e.occurs, n)
	e.count = resizeSlice(e.count, n)
	e.bits = resizeSlice(e.bits, len(s.clauses))
	e.queued = resizeSlice(e.queued, len(s.clauses))
	e.queue = e.queue[:0]
	e.changed = e.changed[:0]
	e.head, e.removed = len(s.trail), 0
	clear(e.count)
	clear(e.queued)
	if e.tried == nil {
		e.tried = make([]uint64, n/2)
		e.isChanged = make([]bool, n/2)
		e.hasGate = make([]bool, n/2)
		e.heap.current = make([]uint64, n/2)
	}
	for c := range s.clauses {
		e.bits[c] = e.setBits(c)
		for _, l := range s.clauseLiterals(c) {
			e.count[l]++
		}
	}
	e.backing = resizeSlice(e.backing, len(s.literals))
	at := 0
	for l, n := range e.count {
		e.occurs[l] = e.backing[at : at : at+int(n)]
		at += int(n)
	}
	for c := range s.clauses {
		for _, l := range s.clauseLiterals(c) {
			e.occurs[l] = append(e.occurs[l], int32(c))
		}
	}
}

// setBits returns the variables of clause c as bits.
func (e *eliminator) setBits(c int) (bits uint64) {
	for _, l := range e.clauseLiterals(c) {
		bits |= variableBit(l)
	}
	return bits
}

// noteChange notes that a clause with l has changed: the variable is worth another try.
func (e *eliminator) noteChange(l lit) {
	if v := l >> 1; !e.isChanged[v] {
		e.isChanged[v] = true
		e.changed = append(e.changed, int32(v))
	}
}

// flushChanged makes the variables candidates whose clauses have changed.
func (e *eliminator) flushChanged() {
	for _, v := range e.changed {
		e.isChanged[v] = false
		e.heap.push(v, uint64(e.count[2*v])*uint64(e.count[2*v+1]))
	}
	e.changed = e.changed[:0]
}

// enterResolvent indexes the clause at the end of the literals. It is a lemma. A clause of one
// literal becomes a unit.
func (e *eliminator) enterResolvent(start int) {
	n := int32(len(e.literals) - start)
	c := len(e.clauses)
	e.clauses = append(e.clauses, span{int32(start), n, n, false})
	e.bits = append(e.bits, e.setBits(c))
	e.queued = append(e.queued, false)
	for _, l := range e.clauseLiterals(c) {
		e.occurs[l] = append(e.occurs[l], int32(c))
		e.count[l]++
		e.noteChange(l)
	}
	if n > 1 {
		e.queueClause(c)
		return
	}
	e.fixUnit(c)
}

// fixUnit removes clause c of one literal, which is a lemma, and makes the literal true.
func (e *eliminator) fixUnit(c int) {
	l := e.clauseLiterals(c)[0]
	e.clauses[c].written = 0 // the proof keeps a unit
	e.dropClause(c)
	e.fixLiteral(l)
}

// queueClause queues clause c, which may subsume others.
func (e *eliminator) queueClause(c int) {
	if !e.queued[c] {
		e.queued[c] = true
		e.queue = append(e.queue, int32(c))
	}
}

// dropClause removes clause c, unless it was removed before, also from the proof.
func (e *eliminator) dropClause(c int) {
	if e.clauses[c].size < 0 {
		return
	}
	for _, l := range e.clauseLiterals(c) {
		e.count[l]--
		e.noteChange(l)
	}
	e.deleteWritten(c)
	e.removeClause(c)
}

// dropRemoved drops removed clauses from the list of l.
func (e *eliminator) dropRemoved(l lit) {
	kept := e.occurs[l][:0]
	for _, c := range e.occurs[l] {
		if e.clauses[c].size >= 0 {
			kept = append(kept, c)
		}
	}
	e.work.eliminate -= len(e.occurs[l])
	e.occurs[l] = kept
}

// dropOccurrence removes clause c from the list of l.
func (e *eliminator) dropOccurrence(l lit, c int32) {
	list := e.occurs[l]
	for i, d := range list {
		if d == c {
			e.work.eliminate -= i + 1
			e.occurs[l] = append(list[:i], list[i+1:]...)
			break
		}
	}
	e.count[l]--
}

// shortenClause removes the literals from clause c that are not in the current clause. lost is the
// only such literal.
func (e *eliminator) shortenClause(c int, lost lit) {
	for _, l := range e.clauseLiterals(c) {
		e.noteChange(l)
	}
	e.keepMarked(c)
	e.dropOccurrence(lost, int32(c))
	e.bits[c] = e.setBits(c)
	if e.clauses[c].size == 1 {
		e.fixUnit(c)
		return
	}
	e.queueClause(c)
}

// propagateUnits removes the clauses with true literals, and false literals from the others, until
// no new unit follows. Each new unit is a lemma.
func (e *eliminator) propagateUnits() {
	for ; e.head < len(e.trail) && !e.refuted; e.head++ {
		l := e.trail[e.head]
		for _, c := range e.occurs[l] {
			e.dropClause(int(c))
		}
		falsified := e.occurs[l.complement()]
		e.occurs[l], e.occurs[l.complement()] = nil, nil
		for _, c := range falsified {
			if e.clauses[c].size >= 0 && !e.refuted {
				e.dropLiteral(int(c), l.complement())
			}
		}
		e.work.eliminate -= len(falsified)
	}
}

// dropLiteral removes the false literal l from clause c. Its lemma, if it has one, stays in the
// proof.
func (e *eliminator) dropLiteral(c int, l lit) {
	clause := e.clauseLiterals(c)
	e.clearMarks()
	for _, x := range clause {
		e.noteChange(x)
		if x != l {
			e.stamp[x] = e.now
		}
	}
	e.count[l]--
	kept := e.moveMarked(clause)
	e.clauses[c].size = int32(kept)
	e.bits[c] = e.setBits(c)
	if kept == 1 {
		e.writeLemma(clause[0])
		e.dropClause(c)
		e.fixLiteral(clause[0])
		return
	}
	e.queueClause(c)
}

// hasRoom reports whether the literals of new resolvents have room. It removes the gaps if they
// are more than half of the list.
func (e *eliminator) hasRoom() bool {
	if len(e.literals)+e.newLiterals > cap(e.literals) && 2*e.countLive() < len(e.literals) {
		e.compactLiterals()
	}
	if len(e.literals)+len(e.kept)+e.newLiterals < sat.MaxLiterals {
		return true
	}
	e.work.eliminate = 0
	return false
}

// countLive returns the number of literals that the clauses and their lemmas need, without removed clauses.
func (e *eliminator) countLive() (n int) {
	for _, at := range e.clauses {
		if at.size >= 0 {
			n += int(max(at.size, at.written))
		}
	}
	return n
}
