package drat

import "math"

// checker is the state of a check: the clauses, and the trail. The assumptions of the trail are
// negated literals of the last checked lemma.
//
// The assumptions stay for the next lemma, which in the proof of a tree search begins with the
// same literals: ¬D for the left decisions D of a path. Only the other literals are propagated
// again, so that checking repeats the search. The trail holds the literals that the assumptions
// imply, in any order. A lemma that is unit under the assumptions is propagated with the next
// lemma. The deletion of a reason undoes the level of the reason.
type checker struct {
	trail
	normaliser
	report  Report
	ours    int  // number of variables of the formula's clauses
	refuted bool // unit propagation refutes the clauses
	division

	candidates []ref // of a RAT check
	slack      int   // words of deleted clauses up to which the arena is not compacted
	room       int   // words that lemmas may take
}

// Bounds on the memory that a proof may take.
const (
	maxLemmaWords = 1 << 29
	maxVariables  = 1 << 25
)

func newChecker() *checker {
	c := &checker{slack: 1 << 14, room: maxLemmaWords, division: usualDivision}
	c.most = math.MaxInt32
	c.addVariable(isFalse, isTrue)
	c.in.stamps = make([]uint32, 2)
	return c
}

// normalise makes a clause of the formula or the proof the current clause.
func (c *checker) normalise(numbers []int32) error {
	err := c.translate(numbers)
	c.growTo(c.variables.count)
	return err
}

// growTo makes room for a number of variables.
func (c *checker) growTo(variables int32) {
	for int32(len(c.level)) <= variables {
		c.addVariable(isFree, isFree)
	}
	c.in.growTo(variables)
}

// adoptVariables takes the variables of another checker.
func (c *checker) adoptVariables(from *checker) {
	c.variables = from.variables
	c.growTo(c.variables.count)
}

// verdict is the reason why a lemma may be added.
type verdict int

const (
	notAtAll verdict = iota
	byPropagation
	byRAT
)

// justifyLemma checks the current clause as a lemma. After it, every assumption is the negation
// of a literal of the clause.
func (c *checker) justifyLemma() verdict {
	if c.isImplied() {
		return byPropagation
	}
	if len(c.clause) > 0 && c.hasRATProperty(c.clause[0]) {
		c.backToLevel(0)
		return byRAT
	}
	return notAtAll
}

// isImplied reports whether assuming the current clause false gives a conflict. A tautology gives
// one at once. Without a conflict the assumptions stay.
func (c *checker) isImplied() bool {
	keep := 0
	for keep < len(c.starts) && c.in.hasLiteral(c.assumption(keep+1)^1) {
		keep++
	}
	c.backToLevel(int32(keep))
	if !c.propagate() {
		c.backToLevel(c.currentLevel() - 1)
		return true
	}
	for _, l := range c.clause {
		switch c.values[l] {
		case isTrue:
			return true
		case isFree:
			c.assumeLiteral(l ^ 1)
			if !c.propagate() {
				c.backToLevel(c.currentLevel() - 1)
				return true
			}
		}
	}
	return false
}

// hasRATProperty reports whether the current clause has the RAT property on p. The clause is
// assumed false and has been propagated without a conflict.
func (c *checker) hasRATProperty(p literal) bool {
	level := c.currentLevel()
	if c.level[p>>1] == 0 {
		return false // ¬p is true at the top level, which is equivalent to a unit clause
	}
	c.candidates = c.candidates[:0]
	for r := ref(0); int(r) < len(c.arena) && r != none; r = c.nextClause(r) {
		if !c.isDeleted(r) && containsLiteral(c.clauseLiterals(r), p^1) {
			c.candidates = append(c.candidates, r)
		}
	}
	for _, r := range c.candidates {
		conflict := c.leadsToConflict(c.clauseLiterals(r), p^1)
		c.backToLevel(level)
		if !conflict {
			return false
		}
	}
	return true
}

// leadsToConflict reports whether assuming all literals of a clause except one false, on a level
// of their own, gives a conflict.
func (c *checker) leadsToConflict(clause []literal, but literal) bool {
	for _, l := range clause {
		if l != but && c.values[l] == isTrue {
			return true
		}
	}
	begun := false
	for _, l := range clause {
		switch {
		case l == but || c.values[l] == isFalse:
		case c.values[l] == isTrue:
			return true // its negation is in the clause and has been assumed
		case !begun:
			c.assumeLiteral(l ^ 1)
			begun = true
		default:
			c.assignLiteral(l^1, none)
		}
	}
	return !c.propagate()
}

func containsLiteral(clause []literal, l literal) bool {
	for _, m := range clause {
		if m == l {
			return true
		}
	}
	return false
}

// addClause adds the current clause, a justified lemma or a clause of the formula. It assigns the
// literal that the clause implies on the current level. The implication belongs to that level: if
// all literals except one are false, the assumption of the current level made one of them false.
// All literals can be false only at the top level.
func (c *checker) addClause() error {
	err := c.takeWords(len(c.clause))
	if err == nil {
		c.placeClause()
	}
	return err
}

// placeClause is addClause of a clause whose words are counted.
func (c *checker) placeClause() {
	r := c.insertClause(c.clause, c.hash)
	clause := c.clauseLiterals(r)
	c.placeLeading(clause, 0)
	if len(clause) == 0 || c.values[clause[0]] == isFalse {
		c.refuted, c.conflict = true, r
		return
	}
	c.placeLeading(clause, 1)
	if unit := len(clause) == 1 || c.values[clause[1]] == isFalse; unit && c.values[clause[0]] == isFree {
		c.assignLiteral(clause[0], r)
	}
	if len(clause) > 1 {
		c.enlistClause(r)
	}
}

// placeLeading moves a literal of clause[i:] to place i: one that is not false, or otherwise the
// one that became false at the highest level.
func (c *checker) placeLeading(clause []literal, i int) {
	best, height := i, int32(-1)
	for k := i; k < len(clause); k++ {
		l := clause[k]
		if c.values[l] != isFalse {
			best = k
			break
		}
		if h := c.level[l>>1]; h > height {
			best, height = k, h
		}
	}
	if best < len(clause) {
		clause[i], clause[best] = clause[best], clause[i]
	}
}

// propagateTop propagates at the top level, where a conflict refutes the clauses. Above the top
// level the next lemma propagates.
func (c *checker) propagateTop() {
	if c.currentLevel() == 0 && !c.refuted && !c.propagate() {
		c.refuted = true
	}
}

// removeClause deletes a clause with the current literals.
func (c *checker) removeClause() {
	r := c.takeClause(len(c.clause), c.hash, &c.in)
	if r == none {
		c.report.Missing++
		return
	}
	if c.isUnitAtTop() {
		c.report.Ignored++
	}
	for _, l := range c.clause {
		if v := l >> 1; c.values[l] == isTrue && c.reason[v] == r {
			c.reason[v] = none
			if c.level[v] > 0 {
				c.backToLevel(c.level[v] - 1)
			}
			break
		}
	}
	c.retireClause(r)
	c.limitWaste()
}

// limitWaste compacts the arena when most of it are deleted clauses.
func (c *checker) limitWaste() {
	if c.wasted > c.words/2 && c.wasted > c.slack {
		c.collectGarbage()
	}
}

// isUnitAtTop reports whether the top level makes one literal of the current clause true and the
// others false.
func (c *checker) isUnitAtTop() bool {
	trues := 0
	for _, l := range c.clause {
		if c.values[l] == isFree || c.level[l>>1] > 0 {
			return false
		}
		if c.values[l] == isTrue {
			trues++
		}
	}
	return trues == 1
}
