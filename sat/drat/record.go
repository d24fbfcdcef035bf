package drat

import (
	"errors"
	"math"
)

// Recording: a backward check knows the clauses that prove each lemma, in the order of propagation. Written in
// the order of the proof, they are the hints of an LRAT proof. It has only the lemmas that the refutation needs.
//
// LRAT has no propagation at the top level. A literal that is true there, and that a check needs, becomes a lemma
// of one literal after the step that made it true. So the hints of a lemma name the units that it needs, and not
// the clauses below them. These units stay, as in DRAT, where a deletion does not undo the top level.
//
// A clause is deleted after the last lemma that needs it. This is the first check that marks it. If it was
// deleted at that time, it is the reason of a unit that exists longer than the clause, and its own deletion is the
// place. So at each lemma the LRAT proof has exactly the clauses that the backward check visits for the RAT
// property.
//
// Sources: N. Wetzler, M. Heule, W. Hunt, DRAT-trim, SAT 2014, whose option -L writes LRAT; L. Cruz-Filipe et al.,
// Efficient Certified RAT Verification, CADE 2017.
type recorder struct {
	events []int32 // from the last one of the proof to the first: the words of each, then a trailer
	hints  []int32 // of the current lemma
	known  int     // marked[:known] have been examined for their deletion
	err    error
}

// The kinds of events, in the low bits of the trailer. The other bits are the number of words.
const (
	eventLemma  = int32(iota) // hints, the clause
	eventUnit                 // the literal, its reason
	eventDelete               // the clause
	eventEmpty                // hints; the lemma is the empty clause
	kindBits    = 2
)

// groupMark in the hints is followed by the clause of a negative hint. Other negative words are complements of
// literals, which stand for units. The rest are clauses.
const groupMark = int32(math.MinInt32)

// errTooManyHints means that an LRAT proof takes more memory than a check may use.
var errTooManyHints = errors.New("the lemmas, or the hints of the LRAT proof, take more than 2 GiB of memory: expected a shorter proof")

// add adds an event.
func (r *recorder) add(kind int32, words ...int32) {
	if len(r.events)+len(words)+1 > maxLemmaWords {
		r.err = errTooManyHints
		return
	}
	r.events = append(r.events, words...)
	r.events = append(r.events, int32(len(words))<<kindBits|kind)
}

// recordDeletions records the deletion of the clauses that have been marked since the last call.
func (b *backward) recordDeletions() {
	for _, c := range b.marked[b.record.known:] {
		if !b.isDeleted(c) {
			b.record.add(eventDelete, c)
		}
	}
	b.record.known = len(b.marked)
}

// recordLemma records a lemma, or with none the empty clause, with the hints so far.
func (b *backward) recordLemma(r ref) {
	b.recordDeletions()
	if r == none {
		b.record.add(eventEmpty, b.record.hints...)
	} else {
		b.record.hints = append(b.record.hints, r)
		b.record.add(eventLemma, b.record.hints...)
	}
	b.record.hints = b.record.hints[:0]
}

// recordUnit records that a literal of the top level becomes false again on the way back, if a check needs it.
func (b *backward) recordUnit(l literal) {
	if b.record != nil && b.grounded[l>>1] {
		b.record.add(eventUnit, l, b.reason[l>>1])
	}
}

// recordGroup records that the next hints prove the resolvent with a clause.
func (b *backward) recordGroup(r ref) {
	if b.record != nil {
		b.record.hints = append(b.record.hints, groupMark, r)
	}
}

// recordConflict records the clauses that make literals false, and the clause in which they are, or none.
func (b *backward) recordConflict(literals []literal, conflict ref) {
	if b.record == nil {
		return
	}
	b.seen.removeAll()
	for _, l := range literals {
		b.needHint(l)
	}
	for len(b.stack) > 0 {
		l := b.stack[len(b.stack)-1]
		b.stack = b.stack[:len(b.stack)-1]
		for _, m := range b.reasonLiterals(b.reason[l>>1]) {
			if m != l^1 {
				b.needHint(m)
			}
		}
	}
	if len(b.starts) > 0 {
		for _, l := range b.queue[b.starts[0]:] {
			if b.seen.hasLiteral(l ^ 1) {
				b.record.hints = append(b.record.hints, b.reason[l>>1])
			}
		}
	}
	if conflict != none {
		b.record.hints = append(b.record.hints, conflict)
	}
}

// needHint adds the unit of a false literal of the top level to the hints. It puts any other false literal on the
// stack, except if the lemma or the group assumes it.
func (b *backward) needHint(l literal) {
	v := l >> 1
	switch {
	case b.in.hasLiteral(l) || b.seen.hasLiteral(l) || containsLiteral(b.group, l):
		return
	case b.level[v] == 0:
		b.record.hints = append(b.record.hints, ^(l ^ 1))
	default:
		b.stack = append(b.stack, l)
	}
	b.seen.addLiteral(l)
}

// recordFormula records what comes before the first step: the units of the formula, and the deletion of the
// clauses that the refutation does not need.
func (b *backward) recordFormula() {
	for i := len(b.queue) - 1; i >= 0; i-- {
		b.recordUnit(b.queue[i])
	}
	for r := ref(0); r < b.lemmas; r = b.clauseAfter(r) {
		if !b.isCore(r) {
			b.record.add(eventDelete, r)
		}
	}
}
