package simplify

import (
	"math"
	"slices"
)

// Equivalent literals: the literals in one strongly connected component of the implication graph,
// whose arcs are ¬a → b and ¬b → a for binary clauses a ∨ b. They are replaced by the literal of
// the smallest variable. A component with a literal and its negation refutes the formula.
//
// Lemmas: each rewritten clause. Unit propagation leads along the component from the negation of
// the representative to the negation of the literal.
//
// Source: R. Tarjan, Depth-First Search and Linear Graph Algorithms, SIAM J. Computing 1
// (1972); B. Aspvall, M. Plass, R. Tarjan, A Linear-Time Algorithm for Testing the Truth
// of Certain Quantified Boolean Formulas, IPL 8 (1979).

// components is the state of Tarjan's algorithm.
type components struct {
	s     *simplifier
	order []int32 // index of the visit, from 1; 0: not visited; largest value: its component is known
	low   []int32 // the smallest index known to be reachable
	path  []int32 // literals whose component is not complete
	calls []call
	next  int32
	rep   []lit // the literal that replaces each
}

// call is a literal that is being explored, with the number of arcs already followed.
type call struct{ l, arcs int32 }

// substitute finds equivalent literals and replaces them.
func (s *simplifier) substitute() {
	p := &s.propagator
	p.buildIndex(s)
	if len(p.implied.items) == 0 {
		return
	}
	c := components{s: s, order: make([]int32, len(s.value)), low: make([]int32, len(s.value)), rep: make([]lit, len(s.value))}
	for l := range c.rep {
		c.rep[l] = lit(l)
	}
	before := s.stats.Equivalent
	for l := range s.value {
		if c.order[l] == 0 && len(p.implied.itemsOfList(lit(l))) > 0 {
			c.exploreFrom(int32(l))
		}
		if s.refuted {
			return
		}
	}
	if s.stats.Equivalent > before {
		s.changes++
		s.rewriteClauses(c.rep)
	}
}

// exploreFrom visits all literals that follow from l, without recursion.
func (c *components) exploreFrom(l int32) {
	c.enterLiteral(l)
	for len(c.calls) > 0 && !c.s.refuted {
		top := &c.calls[len(c.calls)-1]
		arcs := c.s.propagator.implied.itemsOfList(lit(top.l))
		if int(top.arcs) < len(arcs) {
			x := arcs[top.arcs]
			top.arcs++
			if c.order[x] == 0 {
				c.enterLiteral(x)
			} else {
				c.low[top.l] = min(c.low[top.l], c.order[x])
			}
			continue
		}
		from := top.l
		c.s.work.equivalent -= len(arcs) + 1
		c.calls = c.calls[:len(c.calls)-1]
		if len(c.calls) > 0 {
			up := c.calls[len(c.calls)-1].l
			c.low[up] = min(c.low[up], c.low[from])
		}
		if c.low[from] == c.order[from] {
			c.leaveComponent(from)
		}
	}
}

func (c *components) enterLiteral(l int32) {
	c.next++
	c.order[l], c.low[l] = c.next, c.next
	c.path = append(c.path, l)
	c.calls = append(c.calls, call{l, 0})
}

// leaveComponent removes the component whose first literal was l from the path.
func (c *components) leaveComponent(l int32) {
	at := len(c.path) - 1
	for c.path[at] != l {
		at--
	}
	component := c.path[at:]
	c.path = c.path[:at]
	smallest := component[0]
	for _, x := range component {
		c.order[x] = math.MaxInt32
		smallest = min(smallest, x)
	}
	if len(component) > 1 {
		c.mergeComponent(component, lit(smallest))
	}
}

// mergeComponent makes r the representative of a component. It does nothing if the mirror image,
// the component of the negations, was merged before.
func (c *components) mergeComponent(component []int32, r lit) {
	s := c.s
	s.clearMarks()
	for _, x := range component {
		s.stamp[x] = s.now
	}
	if s.stamp[r.complement()] == s.now {
		s.writeLemma(r) // r follows from its negation, and its negation from r
		s.refuteFormula()
		return
	}
	for _, x := range component {
		l := lit(x)
		if l == r {
			continue
		}
		if c.rep[l] != l {
			return
		}
		c.rep[l], c.rep[l.complement()] = r, r.complement()
		s.steps = append(s.steps, step{l, r})
		s.stats.Equivalent++
	}
}

// rewriteClauses replaces every literal by its representative.
func (s *simplifier) rewriteClauses(rep []lit) {
	for c := range s.clauses {
		if s.clauses[c].size < 0 {
			continue
		}
		clause := s.clauseLiterals(c)
		if !slices.ContainsFunc(clause, func(l lit) bool { return rep[l] != l }) {
			continue
		}
		s.listObsolete(c)
		for i, l := range clause {
			clause[i] = rep[l]
		}
		own, tautology := s.dropRepeated(clause)
		if tautology {
			s.stats.Tautologies++
			s.removeClause(c)
			continue
		}
		s.writeLemma(own...)
		s.becomeLemma(c, len(own))
		s.checkShrunk(c)
	}
}
