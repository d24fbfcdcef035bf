package sat

import "treesplit/sat/proof"

// Static is rule paper-static: rule paper with a fixed order of the variables, the order of their
// numbers. Its leaves are the leaves of rule paper. Every other node branches on the first free
// variable of the order, true before false, whatever the clauses are.
//
// Variables that occur in no clause are not in the order. A variable that occurs only in clauses
// that are no longer open is branched on like any other; otherwise the order would not be fixed.
// So the node at depth d branches on the d-th variable that occurs, counted from 0, in every part
// of the tree.
type Static struct{ paper *Paper }

// NewStatic compiles the formula and keeps no reference to it. It takes O(L log L) time and O(L)
// memory for L literals and clauses.
func NewStatic(f *Formula) *Static { return &Static{NewPaper(f)} }

// Variables returns the number of variables of the formula.
func (r *Static) Variables() int { return r.paper.Variables() }

// MaxDepth returns the number of variables that occur.
func (r *Static) MaxDepth() int { return r.paper.MaxDepth() }

// Name returns the DIMACS number of a literal.
func (r *Static) Name(literal int32) int32 { return r.paper.Name(literal) }

// Begin returns a procedure without nodes.
func (r *Static) Begin() Procedure { return staticWalk{r.paper.Begin().(*paperWalk)} }

// staticWalk is a procedure of rule paper-static.
type staticWalk struct{ *paperWalk }

// Visit assigns the literal and no other literal.
func (w staticWalk) Visit(literal int32, log *proof.Log) (branch int32, outcome Outcome) {
	branch, outcome = w.paperWalk.Visit(literal, log)
	if outcome == Inner {
		branch = 2 * int32(len(w.visited)-1) // all variables before it are assigned
	}
	return branch, outcome
}
