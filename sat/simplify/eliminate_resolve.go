package simplify

// Resolvents: the clauses of p and of its negation n are resolved in pairs. If p has a gate, a
// clause of the gate is resolved with the other clauses only.

// fitsBound reports whether there are at most limit resolvents of the clauses of p and n, none of
// which is too long. It sets newLiterals to the number of their literals.
func (e *eliminator) fitsBound(p, n lit, limit int) bool {
	e.newLiterals = 0
	for i, c := range e.occurs[p] {
		clause := e.clauseLiterals(int(c))
		e.markClause(clause)
		for j, d := range e.occurs[n] {
			if e.gate.omits(i, j) {
				continue
			}
			size := e.measureResolvent(e.clauseLiterals(int(d)), n, len(clause)-1)
			if size < 0 {
				continue
			}
			limit--
			e.newLiterals += size
			if limit < 0 || size > maxResolvent || e.work.eliminate <= 0 {
				return false
			}
		}
	}
	return true
}

// markClause makes a clause the current one.
func (e *eliminator) markClause(clause []lit) {
	e.clearMarks()
	for _, l := range clause {
		e.stamp[l] = e.now
	}
	e.work.eliminate -= len(clause)
}

// measureResolvent returns the number of literals of the resolvent of the current clause with a
// clause that contains n, or −1 if it is a tautology. size is the number of literals that the
// current clause gives to the resolvent.
func (e *eliminator) measureResolvent(clause []lit, n lit, size int) int {
	for i, l := range clause {
		switch {
		case l == n || e.stamp[l] == e.now:
		case e.stamp[l.complement()] == e.now:
			e.work.eliminate -= i + 1
			return -1
		default:
			size++
		}
	}
	e.work.eliminate -= len(clause)
	return size
}

// addResolvents adds the resolvents that fitsBound has counted.
func (e *eliminator) addResolvents(p, n lit) {
	for i, c := range e.occurs[p] {
		e.markClause(e.clauseLiterals(int(c)))
		for j, d := range e.occurs[n] {
			if !e.gate.omits(i, j) && !e.refuted && e.measureResolvent(e.clauseLiterals(int(d)), n, 0) >= 0 {
				e.addResolvent(int(c), int(d), p)
			}
		}
	}
}

// addResolvent adds the resolvent of the current clause c, which contains p, and d.
func (e *eliminator) addResolvent(c, d int, p lit) {
	start := len(e.literals)
	for _, l := range e.clauseLiterals(c) {
		if l != p {
			e.literals = append(e.literals, l)
		}
	}
	for _, l := range e.clauseLiterals(d) {
		if l != p.complement() && e.stamp[l] != e.now {
			e.literals = append(e.literals, l)
		}
	}
	e.stats.Resolvents++
	e.writeLemma(e.literals[start:]...)
	e.enterResolvent(start)
}
