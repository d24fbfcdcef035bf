package sat

import "treesplit/sat/proof"

// Static is rule paper-static: rule paper with a fixed order of the variables. Leaves
// are rule paper's; every other node branches on the first free variable of the order,
// true before false, whatever the clauses say of it. The order is that of the
// variables' numbers.
//
// Variables that occur in no clause are not in the order. One that occurs, but in no
// clause still open, is branched on like any other: the order would not be fixed
// otherwise. So the node at depth d branches on variable d of those that occur, counted
// from 0, in every part of the tree.
type Static struct{ paper *Paper }

// NewStatic compiles the formula, of which it keeps nothing. It takes
// O(L log L) time and O(L) memory for L literals and clauses.
func NewStatic(f *Formula) *Static { return &Static{NewPaper(f)} }

// Variables is the number of variables of the formula.
func (r *Static) Variables() int { return r.paper.Variables() }

// MaxDepth is the number of variables that occur.
func (r *Static) MaxDepth() int { return r.paper.MaxDepth() }

// Name returns the DIMACS number of a literal.
func (r *Static) Name(literal int32) int32 { return r.paper.Name(literal) }

// Begin returns a procedure without nodes.
func (r *Static) Begin() Procedure { return staticWalk{r.paper.Begin().(*paperWalk)} }

// staticWalk is rule paper-static at work.
type staticWalk struct{ *paperWalk }

// Visit assigns the literal, and no other.
func (w staticWalk) Visit(literal int32, log *proof.Log) (branch int32, outcome Outcome) {
	branch, outcome = w.paperWalk.Visit(literal, log)
	if outcome == Inner {
		branch = 2 * int32(len(w.visited)-1) // the variables before it are assigned
	}
	return branch, outcome
}
