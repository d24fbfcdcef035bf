// Package cubes is rule cubes of the satisfiability search: cube and conquer. Look-ahead splits the
// formula into cubes, and a clause-learning solver decides each cube. A node becomes a cube where
// the cut says so. A cube that is not decided within a budget is branched on by look-ahead, and its
// children are cubes with a larger budget.
//
// Clauses that the solver learns in one cube help in the next. But what happens at a node must
// depend only on its path, so that the tree is the same on all ranks. Therefore a new solver begins
// at each anchor, a node chosen by the path, and walks the 20 to 200 cubes below the anchor in the
// order of the tree. With Options.Shared a solver keeps its shortest clauses over all cubes of a share.
// Then the tree depends on the distribution of the work. With Options.Exchange, solvers of different
// shares exchange short clauses (exchange.go).
//
// Source: M. Heule, O. Kullmann, S. Wieringa, A. Biere, Cube and Conquer: Guiding CDCL SAT Solvers by
// Lookaheads, HVC 2011. Differences: the cut is a function of the path, while the cutoff of that
// paper adapts during the search; cubes have budgets; splitting and conquering are one search, so
// that cubes are not stored.
package cubes

import (
	"treesplit/sat"
	"treesplit/sat/cdcl"
	"treesplit/sat/lookahead"
	"treesplit/sat/mailbox"
)

// Options control a Rule.
type Options struct {
	Cut Cut
	// Budget is the number of conflicts after which the first try of a cube is given up. Every
	// stepTicks ticks without a conflict count as one. Each further try on the same path has the
	// double budget. 0: DefaultBudget.
	Budget int64
	// Shared keeps what the solver has learnt over all cubes of a share. There are no anchors.
	Shared bool
	// Exchange, with Shared, lets the solvers of different shares exchange short clauses.
	Exchange bool
	// Parities selects the sums of parities that the solvers use. AllParities is for searches without a
	// proof.
	Parities cdcl.Parities
	// Tree, if not nil, replaces Cut: the search branches as the tree does, and the leaves of the tree
	// are the first cubes. It was made for the same formula.
	Tree *Tree
}

// DefaultBudget is the default of Options.Budget.
const DefaultBudget = 10_000

// Rule is rule cubes, compiled for one formula.
type Rule struct {
	*lookahead.Rule
	options Options
	solver  *cdcl.Solver // has the formula and has not searched; copied for each anchor

	anchorLeaves int32 // number of leaves of Options.Tree up to which a node is an anchor
}

// New compiles the formula and keeps no reference to it.
func New(f *sat.Formula, o Options) *Rule {
	if o.Budget == 0 {
		o.Budget = DefaultBudget
	}
	r := &Rule{Rule: lookahead.NewSplitting(f), options: o, solver: cdcl.New(cdcl.Options{Parities: o.Parities})}
	r.solver.AddFormula(f)
	r.anchorLeaves = int32(anchorSize(float64(o.Tree.leaves(o.Tree.root()))))
	r.solver.Prepare()
	return r
}

// HasParities reports whether the solvers use sums of parities. Then the tree depends on
// Options.Parities.
func (r *Rule) HasParities() bool { return r.solver.Stats().Matrices > 0 }

// Begin returns a procedure that has not visited any node.
func (r *Rule) Begin() sat.Procedure {
	return &walk{rule: r, splitter: r.BeginSplitter(), box: mailbox.New(shared), anchor: -1, nodes: make([]state, 0, min(r.MaxDepth()+1, 1<<12))}
}
