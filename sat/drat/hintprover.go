package drat

import "fmt"

// hintProver checks lemmas by their hints. It reads the clauses and does not change them, so that
// several provers can use one table.
type hintProver struct {
	hintedLemma
	arena  []int32
	values []uint8   // by literal
	queue  []literal // true literals
	groups map[int64]bool
	broken string // the first hint that does not hold, and why
	rat    int64  // lemmas that unit propagation along their hints does not prove
}

// hintedLemma is a lemma with what its check needs.
type hintedLemma struct {
	clause []literal // without repetitions
	hints  []int64
	found  []ref // the clauses of the hints, or none
	occurs int32 // clauses with the negation of the first literal
}

func newHintProver() hintProver { return hintProver{groups: map[int64]bool{}} }

// growTo makes room for a number of variables.
func (p *hintProver) growTo(variables int32) {
	for int32(len(p.values)) < 2*variables+2 {
		p.values = append(p.values, isFree)
	}
}

// proves reports whether the hints prove a lemma. Otherwise broken is the reason.
func (p *hintProver) proves(lemma hintedLemma) (holds bool) {
	defer p.undo(0)
	p.hintedLemma = lemma
	for _, l := range p.clause {
		switch p.values[l] {
		case isTrue:
			return true // a tautology
		case isFree:
			p.assign(l ^ 1)
		}
	}
	at, done, ok := p.followHints(0)
	switch {
	case done || !ok:
		return done
	case len(p.clause) == 0 && at < len(p.hints):
		return p.refuse("the empty clause has the negative hint %d, but no first literal", p.hints[at])
	case len(p.clause) == 0 || at == len(p.hints) && p.occurs > 0:
		return p.refuse("its %d hints do not lead to a false clause", len(p.hints))
	}
	return p.checkGroups(at)
}

// followHints takes hints from a place up to the first negative one or the end, and returns its
// place. done means that a clause has become false; ok is false if a hint does not hold.
func (p *hintProver) followHints(at int) (end int, done, ok bool) {
	hints := p.hints
	for ; at < len(hints) && hints[at] > 0; at++ {
		r := p.found[at]
		if r == none {
			return at, false, p.refuse("hint %d names clause %d, which does not exist", at+1, hints[at])
		}
		unit := none
		for _, l := range tableLiterals(p.arena, r) {
			if p.values[l] == isFalse {
				continue
			}
			if unit != none {
				return at, false, p.refuse("hint %d, clause %d, has more than one literal that is not false", at+1, hints[at])
			}
			unit = l
		}
		if unit == none {
			return at, true, true
		}
		if p.values[unit] == isFree {
			p.assign(unit)
		}
	}
	return at, false, true
}

// checkGroups reports whether the lemma has the RAT property on its first literal. The first
// negative hint is at a place.
func (p *hintProver) checkGroups(at int) bool {
	p.rat++
	pivot, base := p.clause[0]^1, len(p.queue)
	clear(p.groups)
	for at < len(p.hints) {
		id, r := -p.hints[at], p.found[at]
		switch {
		case r == none:
			return p.refuse("hint %d names clause %d, which does not exist", at+1, id)
		case !containsLiteral(tableLiterals(p.arena, r), pivot):
			return p.refuse("hint %d, clause %d, does not have the negation of the first literal", at+1, id)
		case p.groups[id]:
			return p.refuse("hint %d names clause %d again", at+1, id)
		}
		p.groups[id] = true
		done := p.assumeResolvent(tableLiterals(p.arena, r), pivot)
		after, proved, ok := p.followHints(at + 1)
		if !ok {
			return false
		}
		if !done && !proved {
			return p.refuse("the hints after hint %d, clause %d, do not lead to a false clause", at+1, id)
		}
		at = p.skipGroup(after)
		p.undo(base)
	}
	if missing := int(p.occurs) - len(p.groups); missing > 0 {
		return p.refuse("it is not RAT by its hints: of the clauses with the negation of its first literal, hints name %d and do not name %d", len(p.groups), missing)
	}
	return true
}

// skipGroup returns the place of the next negative hint, or of the end.
func (p *hintProver) skipGroup(at int) int {
	for at < len(p.hints) && p.hints[at] > 0 {
		at++
	}
	return at
}

// assumeResolvent makes the literals of a clause except one false. It returns true if that is
// impossible: then the resolvent is implied.
func (p *hintProver) assumeResolvent(clause []literal, but literal) bool {
	for _, l := range clause {
		if l == but {
			continue
		}
		switch p.values[l] {
		case isTrue:
			return true
		case isFree:
			p.assign(l ^ 1)
		}
	}
	return false
}

// assign makes a free literal true.
func (p *hintProver) assign(l literal) {
	p.values[l], p.values[l^1] = isTrue, isFalse
	p.queue = append(p.queue, l)
}

// undo removes all true literals except the first n.
func (p *hintProver) undo(n int) {
	for _, l := range p.queue[n:] {
		p.values[l], p.values[l^1] = isFree, isFree
	}
	p.queue = p.queue[:n]
}

// refuse notes why a hint or a lemma does not hold. It returns false.
func (p *hintProver) refuse(format string, arguments ...any) bool {
	p.broken = fmt.Sprintf(format, arguments...)
	return false
}
