package drat

import (
	"bufio"
	"cmp"
	"slices"
	"strconv"
)

// hintWriter writes the events of a backward check as an LRAT proof in text.
type hintWriter struct {
	*backward
	out     *bufio.Writer
	line    []byte
	numbers []int32   // of DIMACS, by variable
	units   []int32   // by variable: the number of the lemma that made it true at the top level
	last    int32     // number of the last clause
	pending []int32   // numbers of clauses that the next line deletes
	groups  [][]int32 // buffer
}

// writeHints writes the LRAT proof. formula is the number of clauses of the formula. The error is
// ErrInterrupted, or an error of Options.LRAT.
func (b *backward) writeHints(o Options, formula int64) error {
	if b.record.err != nil {
		return b.record.err
	}
	w := hintWriter{backward: b, out: bufio.NewWriterSize(o.LRAT, 1<<16), numbers: b.variables.allNumbers(), units: make([]int32, len(b.level)), last: int32(formula)}
	id := int32(0)
	for r := ref(0); r < b.lemmas; r = b.clauseAfter(r) {
		id++
		w.setNumber(r, id)
	}
	events := b.record.events
	for written := int64(1); len(events) > 0; written++ {
		if o.interruptedAt(written) {
			return ErrInterrupted
		}
		trailer := events[len(events)-1]
		begin := len(events) - 1 - int(trailer>>kindBits)
		w.writeEvent(trailer&(1<<kindBits-1), events[begin:len(events)-1])
		events = events[:begin]
	}
	return w.out.Flush()
}

// The number of a clause takes the place of its link in a bucket, which the way back does not need.

func (w *hintWriter) setNumber(r ref, id int32) { w.arena[r+nextWord] = id }
func (w *hintWriter) numberOf(r ref) int32      { return w.arena[r+nextWord] }
func (w *hintWriter) dimacs(l literal) int32    { return w.numbers[l>>1] * (1 - 2*(l&1)) }
func (w *hintWriter) appendNumber(n int32) {
	w.line = append(strconv.AppendInt(w.line, int64(n), 10), ' ')
}
func (w *hintWriter) appendLiteral(l literal) { w.appendNumber(w.dimacs(l)) }
func (w *hintWriter) appendUnitOf(l literal)  { w.appendNumber(w.units[l>>1]) }
func (w *hintWriter) appendZero(end byte)     { w.line = append(w.line, '0', end) }

// writeEvent writes an event.
func (w *hintWriter) writeEvent(kind int32, words []int32) {
	if kind == eventDelete {
		w.pending = append(w.pending, w.numberOf(words[0]))
		return
	}
	w.writeDeletions()
	w.last++
	w.report.WrittenLemmas++
	w.appendNumber(w.last)
	switch kind {
	case eventUnit:
		l, why := words[0], words[1]
		w.units[l>>1] = w.last
		w.appendLiteral(l)
		w.appendZero(' ')
		for _, m := range w.reasonLiterals(why) {
			if m != l {
				w.appendUnitOf(m)
			}
		}
		w.appendNumber(w.numberOf(why))
	case eventLemma:
		r := words[len(words)-1]
		w.setNumber(r, w.last)
		for _, l := range w.originalLiterals(nil, r) {
			w.appendLiteral(l)
		}
		w.appendZero(' ')
		w.appendHints(words[:len(words)-1])
	case eventEmpty:
		w.appendZero(' ')
		w.appendHints(words)
	}
	w.appendZero('\n')
	w.flushLine()
}

// appendHints appends hints: first the hints of the lemma, then the groups of its resolvents in the order of the
// numbers of their clauses. lrat-check walks the clauses in this order, and refuses another one.
func (w *hintWriter) appendHints(hints []int32) {
	w.groups = w.groups[:0]
	for len(hints) > 0 {
		next := slices.Index(hints[1:], groupMark) + 1
		if next == 0 {
			next = len(hints)
		}
		if hints[0] == groupMark {
			w.groups = append(w.groups, hints[1:next])
		} else {
			w.appendChain(hints[:next])
		}
		hints = hints[next:]
	}
	slices.SortFunc(w.groups, func(a, b []int32) int { return cmp.Compare(w.numberOf(a[0]), w.numberOf(b[0])) })
	for _, group := range w.groups {
		w.appendNumber(-w.numberOf(group[0]))
		w.appendChain(group[1:])
	}
}

// appendChain appends hints without groups.
func (w *hintWriter) appendChain(hints []int32) {
	for _, h := range hints {
		switch {
		case h < 0:
			w.appendUnitOf(^h)
		default:
			w.appendNumber(w.numberOf(h))
		}
	}
}

// writeDeletions writes a line that deletes the pending clauses.
func (w *hintWriter) writeDeletions() {
	if len(w.pending) == 0 {
		return
	}
	w.report.WrittenDeletions += int64(len(w.pending))
	w.appendNumber(w.last)
	w.line = append(w.line, "d "...)
	for _, id := range w.pending {
		w.appendNumber(id)
	}
	w.appendZero('\n')
	w.flushLine()
	w.pending = w.pending[:0]
}

// flushLine passes the line on. The writer keeps its first error.
func (w *hintWriter) flushLine() {
	_, _ = w.out.Write(w.line)
	w.line = w.line[:0]
}
