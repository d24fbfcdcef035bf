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
	normaliser
	division
	prover  hintProver
	report  Report
	ours    int // number of variables of the formula's clauses
	refuted bool
	occurs  []int32 // by literal: the clauses that have it
	found   []ref   // the clauses of the current hints
}

func newHintChecker() *hintChecker {
	return &hintChecker{clauseTable: newClauseTable(maxLemmaWords), prover: newHintProver(), division: usualDivision}
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

// addClause adds the current clause under a number that no clause has.
func (c *hintChecker) addClause(id int64) error {
	if err := c.insert(id, c.clause); err != nil {
		return err
	}
	for len(c.occurs) < 2*int(c.variables.count)+2 {
		c.occurs = append(c.occurs, 0)
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

// hintedLemma returns the current lemma with its hints.
func (c *hintChecker) hintedLemma(hints []int64) hintedLemma {
	c.found = c.appendClauses(c.found[:0], hints)
	return hintedLemma{c.clause, hints, c.found, c.countOccurrences()}
}

// appendClauses appends the clause of each hint, or none.
func (c *hintChecker) appendClauses(found []ref, hints []int64) []ref {
	for _, h := range hints {
		found = append(found, c.find(max(h, -h)))
	}
	return found
}

// countOccurrences returns the number of clauses with the negation of the first literal.
func (c *hintChecker) countOccurrences() int32 {
	if len(c.clause) == 0 || int(c.clause[0]^1) >= len(c.occurs) {
		return 0
	}
	return c.occurs[c.clause[0]^1]
}
