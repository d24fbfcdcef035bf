package drat

import "slices"

// Marking: a conflict needs the clause that became false, and the reasons of its literals, and so
// on back to the assumptions. These clauses are marked, and the lemmas of them will be checked.
// The reasons of a literal of the top level are followed once, as long as the literal stays true.

// markConflict marks the clauses that lead to a false clause. It stops at the literals in b.in,
// which the lemma assumes false.
func (b *backward) markConflict(conflict ref) {
	b.seen.removeAll()
	b.markClause(conflict)
	for _, l := range b.clauseLiterals(conflict) {
		b.needLiteral(l)
	}
	b.markReasons()
	b.recordConflict(b.clauseLiterals(conflict), conflict)
}

// markTrue marks the clauses that make a literal true.
func (b *backward) markTrue(l literal) {
	b.seen.removeAll()
	b.needLiteral(l ^ 1)
	b.markReasons()
	one := [1]literal{l ^ 1}
	b.recordConflict(one[:], none)
}

// needLiteral puts a false literal on the stack, except if the lemma assumes it.
func (b *backward) needLiteral(l literal) {
	if b.in.hasLiteral(l) || b.seen.hasLiteral(l) {
		return
	}
	b.pushLiteral(l)
}

// pushLiteral puts a false literal on the stack.
func (b *backward) pushLiteral(l literal) {
	if b.grounded[l>>1] {
		return
	}
	b.seen.addLiteral(l)
	b.stack = append(b.stack, l)
}

// markReasons marks the reasons of the literals on the stack. Below a literal of the top level it
// does not stop at assumed literals, because the marks serve all later lemmas.
func (b *backward) markReasons() {
	for len(b.stack) > 0 {
		l := b.stack[len(b.stack)-1]
		b.stack = b.stack[:len(b.stack)-1]
		v := l >> 1
		r := b.reason[v]
		if r == none || b.grounded[v] {
			continue
		}
		b.markClause(r)
		top := b.level[v] == 0
		b.grounded[v] = top
		for _, m := range b.reasonLiterals(r) {
			switch {
			case m == l^1:
			case top:
				b.pushLiteral(m)
			default:
				b.needLiteral(m)
			}
		}
	}
}

// reasonLiterals returns the literals of a clause, deleted or not: a reason at the top level may
// have been deleted since.
func (b *backward) reasonLiterals(r ref) []literal {
	size := b.arena[r+sizeWord]
	if size < 0 {
		size = ^size
	}
	return b.arena[r+headerSize : r+headerSize+size]
}

// markClause marks a clause.
func (b *backward) markClause(r ref) {
	if b.arena[r+tagWord]&coreTag != 0 {
		return
	}
	b.arena[r+tagWord] |= coreTag
	b.marked = append(b.marked, r)
	if r < b.lemmas {
		b.report.CoreClauses++
	}
}

// originalLiterals appends the literals of a clause, deleted or not: first the one that is first
// in the proof, then the other ones in the order of their variables.
func (b *backward) originalLiterals(line []literal, r ref) []literal {
	if len(b.reasonLiterals(r)) == 0 {
		return line
	}
	first := b.firstLiteral(r)
	start := len(line) + 1
	line = append(line, first)
	for _, l := range b.reasonLiterals(r) {
		if l != first {
			line = append(line, l)
		}
	}
	slices.Sort(line[start:])
	return line
}
