package drat

import (
	"fmt"
	"iter"
)

// An LRAT proof names, for each lemma, the clauses that prove it: its hints. With them a lemma is
// checked without a search. The negation of the lemma is assumed. Each hint must then have one
// literal that is not false, which becomes true; the hint whose literals are all false proves the
// lemma. If the hints end earlier, the lemma must have the RAT property on its first literal p:
// every clause with ¬p must be named as a negative hint, and the hints after it must prove the
// resolvent in the same way. The time is linear in the literals of the hints. Source: L.
// Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp, Efficient Certified RAT
// Verification, CADE 2017.
//
// There is no propagation at the top level, and deleted clauses are gone. Only the lemma 0, the
// empty clause, verifies the proof, or an empty clause of the formula.
type hintChecker struct {
	clauseTable
	variables variables
	report    Report
	ours      int // number of variables of the formula's clauses
	refuted   bool

	values []uint8   // by literal
	queue  []literal // true literals
	occurs []int32   // by literal: the clauses that have it
	in     set
	clause []literal // of the current lemma, without repetitions
	groups map[int64]bool
	broken string // the first hint that does not hold, and why
}

func newHintChecker() *hintChecker {
	c := &hintChecker{groups: map[int64]bool{}}
	c.clauseTable = newClauseTable(maxLemmaWords)
	c.values, c.occurs, c.in.stamps = make([]uint8, 2), make([]int32, 2), make([]uint32, 2)
	return c
}

// loadFormula gives the clauses of the formula their numbers, from 1.
func (c *hintChecker) loadFormula(clauses iter.Seq2[int, []int32]) error {
	n := int64(0)
	for _, clause := range clauses {
		n++
		for _, l := range clause {
			if !isLiteral(int64(l)) {
				return fmt.Errorf("clause %d of the formula has the invalid literal %d", n, l)
			}
		}
		if err := c.translate(clause); err != nil {
			return err
		}
		if err := c.addClause(n); err != nil {
			return err
		}
	}
	c.ours = int(c.variables.count)
	c.endFormula()
	return nil
}

// translate makes a clause the current one.
func (c *hintChecker) translate(numbers []int32) error {
	c.clause = c.clause[:0]
	c.in.removeAll()
	for _, n := range numbers {
		l := 2 * c.variables.findIndex(max(n, -n))
		if int(l) == len(c.values) {
			c.values = append(c.values, isFree, isFree)
			c.occurs = append(c.occurs, 0, 0)
			c.in.stamps = append(c.in.stamps, 0, 0)
		}
		if n < 0 {
			l++
		}
		if !c.in.hasLiteral(l) {
			c.in.addLiteral(l)
			c.clause = append(c.clause, l)
		}
	}
	if c.variables.count > maxVariables {
		return fmt.Errorf("formula and proof have more than %d variables: expected at most that number", maxVariables)
	}
	return nil
}

// addClause adds the current clause under a number that no clause has.
func (c *hintChecker) addClause(id int64) error {
	if err := c.insert(id, c.clause); err != nil {
		return err
	}
	for _, l := range c.clause {
		c.occurs[l]++
	}
	c.refuted = c.refuted || len(c.clause) == 0
	return nil
}

// deleteClauses deletes the clauses of a step.
func (c *hintChecker) deleteClauses(ids []int64) {
	for _, id := range ids {
		c.report.Deletions++
		r := c.find(id)
		if r == none {
			c.report.Missing++
			continue
		}
		for _, l := range c.literals(r) {
			c.occurs[l]--
		}
		c.remove(id, r)
	}
}

// checkLemma reports whether the hints prove the current clause. Otherwise broken is the reason.
func (c *hintChecker) checkLemma(hints []int64) (holds bool) {
	defer c.undo(0)
	for _, l := range c.clause {
		switch c.values[l] {
		case isTrue:
			return true // a tautology
		case isFree:
			c.assign(l ^ 1)
		}
	}
	rest, done, ok := c.followHints(hints, 0)
	switch {
	case done || !ok:
		return done
	case len(c.clause) == 0 && len(rest) > 0:
		return c.refuse("the empty clause has the negative hint %d, but no first literal", rest[0])
	case len(c.clause) == 0 || len(rest) == 0 && c.occurs[c.clause[0]^1] > 0:
		return c.refuse("its %d hints do not lead to a false clause", len(hints))
	}
	return c.checkGroups(hints, rest)
}

// followHints takes hints up to the first negative one or the end. done means that a clause has
// become false; ok is false if a hint does not hold.
func (c *hintChecker) followHints(hints []int64, at int) (rest []int64, done, ok bool) {
	for ; at < len(hints) && hints[at] > 0; at++ {
		r := c.find(hints[at])
		if r == none {
			return nil, false, c.refuse("hint %d names clause %d, which does not exist", at+1, hints[at])
		}
		unit := none
		for _, l := range c.literals(r) {
			if c.values[l] == isFalse {
				continue
			}
			if unit != none {
				return nil, false, c.refuse("hint %d, clause %d, has more than one literal that is not false", at+1, hints[at])
			}
			unit = l
		}
		if unit == none {
			return nil, true, true
		}
		if c.values[unit] == isFree {
			c.assign(unit)
		}
	}
	return hints[at:], false, true
}

// checkGroups reports whether the lemma has the RAT property on its first literal. rest begins
// with the first negative hint.
func (c *hintChecker) checkGroups(hints, rest []int64) bool {
	c.report.RAT++
	pivot, base := c.clause[0]^1, len(c.queue)
	clear(c.groups)
	for len(rest) > 0 {
		at := len(hints) - len(rest)
		id := -rest[0]
		r := c.find(id)
		switch {
		case r == none:
			return c.refuse("hint %d names clause %d, which does not exist", at+1, id)
		case !containsLiteral(c.literals(r), pivot):
			return c.refuse("hint %d, clause %d, does not have the negation of the first literal", at+1, id)
		case c.groups[id]:
			return c.refuse("hint %d names clause %d again", at+1, id)
		}
		c.groups[id] = true
		done := c.assumeResolvent(c.literals(r), pivot)
		after, proved, ok := c.followHints(hints, at+1)
		if !ok {
			return false
		}
		if !done && !proved {
			return c.refuse("the hints after hint %d, clause %d, do not lead to a false clause", at+1, id)
		}
		rest = after
		if proved {
			rest = skipGroup(hints[at+1:])
		}
		c.undo(base)
	}
	if missing := int(c.occurs[pivot]) - len(c.groups); missing > 0 {
		return c.refuse("it is not RAT by its hints: of the clauses with the negation of its first literal, hints name %d and do not name %d", len(c.groups), missing)
	}
	return true
}

// skipGroup returns the hints from the next negative one.
func skipGroup(hints []int64) []int64 {
	for len(hints) > 0 && hints[0] > 0 {
		hints = hints[1:]
	}
	return hints
}

// assumeResolvent makes the literals of a clause except one false. It returns true if that is
// impossible: then the resolvent is implied.
func (c *hintChecker) assumeResolvent(clause []literal, but literal) bool {
	for _, l := range clause {
		if l == but {
			continue
		}
		switch c.values[l] {
		case isTrue:
			return true
		case isFree:
			c.assign(l ^ 1)
		}
	}
	return false
}

// assign makes a free literal true.
func (c *hintChecker) assign(l literal) {
	c.values[l], c.values[l^1] = isTrue, isFalse
	c.queue = append(c.queue, l)
}

// undo removes all true literals except the first n.
func (c *hintChecker) undo(n int) {
	for _, l := range c.queue[n:] {
		c.values[l], c.values[l^1] = isFree, isFree
	}
	c.queue = c.queue[:n]
}

// refuse notes why a hint or a lemma does not hold. It returns false.
func (c *hintChecker) refuse(format string, arguments ...any) bool {
	c.broken = fmt.Sprintf(format, arguments...)
	return false
}
