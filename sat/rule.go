package sat

import "treesplit/sat/proof"

// Rule is a way to search, compiled for one formula: what is done at a node of the
// tree, and what is branched on. A Rule does not change: the shares of all ranks of a
// process use one.
//
// A rule may assign what follows from the formula and the path. Unless it counts models it
// may also assign what loses some models of a satisfiable formula, but not all of them: such
// rules have a Counting version.
//
// Inside a rule a literal is 2·v for variable number v ≥ 0 of the rule, plus 1 if it is
// negated, so that l^1 is the complement of l.
type Rule interface {
	// Variables is the number of variables of the formula, occurring or not.
	Variables() int
	// MaxDepth is a bound on the number of decisions above a node.
	MaxDepth() int
	// Name returns the DIMACS number of a literal.
	Name(literal int32) int32
	// Begin returns a procedure that has not visited any node.
	Begin() Procedure
}

// Procedure is a rule at work: it holds the assignment at the end of one path from
// the root. Everything it does must be a function of that path alone, of the literals
// visited and not taken back, so that the tree is the same whoever searches which
// part of it in which order: what was met in one subtree must not show in another.
type Procedure interface {
	// Visit goes one step down from the node visited last, which was Inner, by making
	// the literal true, the branching literal of that node or its complement, and
	// looks at the node it comes to. The first Visit, of NoLiteral, is the root's. At
	// an Inner node it returns the literal to branch on, whose first branch makes it
	// true.
	//
	// What it finds out at the node by other means than unit propagation it tells the
	// log, unless that is nil; the clauses are those of proof.Log.Lemma.
	Visit(literal int32, log *proof.Log) (branch int32, outcome Outcome)
	// Back takes back the last Visit that was not taken back, a leaf's too.
	Back()
	// Model appends the DIMACS literals that are true after a Visit that returned
	// Solution. Variables that are not named may have any value.
	Model(dst []int32) []int32
	// Assigned returns the number of variables that have a value after a Visit that
	// returned Solution. Those that have none may have any value.
	Assigned() int
}

// NoLiteral is the step to the root.
const NoLiteral int32 = -1

// Outcome is what a node turned out to be.
type Outcome uint8

const (
	Inner    Outcome = iota // a node with two children
	Conflict                // a leaf: no model below
	Solution                // a leaf: the assignment satisfies the formula
)
