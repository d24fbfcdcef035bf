package drat

// checkLemma reports whether a marked lemma, which is undone already, holds. It marks the clauses
// that the lemma needs.
func (b *backward) checkLemma(r ref) bool {
	b.report.Checked++
	b.in.removeAll()
	clause := b.reasonLiterals(r)
	for _, l := range clause {
		b.in.addLiteral(l)
	}
	b.beginAssumptions()
	holds := b.followsBackward(clause)
	if !holds && b.resolvesBackward(b.firstLiteral(r)) {
		b.report.RAT++
		holds = true
	}
	b.backToLevel(0)
	if holds && b.record != nil {
		b.recordLemma(r)
	}
	return holds
}

// followsBackward reports whether assuming the clause false gives a conflict. All literals are
// assumed before the first propagation, so that marked clauses are visited with all of them.
func (b *backward) followsBackward(clause []literal) bool {
	for _, l := range clause {
		switch b.values[l] {
		case isTrue:
			if b.level[l>>1] == 0 {
				b.markTrue(l)
			}
			return true // otherwise the clause is a tautology
		case isFree:
			b.assignLiteral(l^1, none)
		}
	}
	return b.conflictFollows()
}

// resolvesBackward reports whether the lemma, which is assumed false and has been propagated
// without a conflict, has the RAT property on p. Only marked clauses count: the proof without the
// other ones is a proof too. A clause that a check before this step marks counts as deleted
// before this step.
func (b *backward) resolvesBackward(p literal) bool {
	if b.level[p>>1] == 0 {
		return false // ¬p is true at the top level, which is equivalent to a unit clause
	}
	b.resolvable = b.resolvable[:0]
	for _, r := range b.marked {
		if !b.isDeleted(r) && containsLiteral(b.clauseLiterals(r), p^1) {
			b.resolvable = append(b.resolvable, r)
		}
	}
	for _, r := range b.resolvable {
		b.beginAssumptions()
		b.group = b.clauseLiterals(r)
		b.recordGroup(r)
		conflict := b.resolventFollows(b.group, p^1)
		b.group = nil
		b.backToLevel(1)
		if !conflict {
			return false
		}
	}
	return true
}

// resolventFollows reports whether assuming all literals of a clause except one false gives a
// conflict.
func (b *backward) resolventFollows(clause []literal, but literal) bool {
	for _, l := range clause {
		if l != but && b.values[l] == isTrue {
			b.markTrue(l)
			return true
		}
	}
	for _, l := range clause {
		if l == but {
			continue
		}
		switch b.values[l] {
		case isTrue:
			return true // its negation is in the clause and has been assumed
		case isFree:
			b.assignLiteral(l^1, none)
		}
	}
	return b.conflictFollows()
}

// conflictFollows propagates the assumptions and reports whether a conflict follows, whose clauses
// it marks.
func (b *backward) conflictFollows() bool {
	if b.propagateCoreFirst() {
		return false
	}
	b.markConflict(b.conflict)
	return true
}
