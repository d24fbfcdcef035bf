package sat

import "treesplit/sat/proof"

// Rule is a way to search, compiled for one formula: the inferences at a node of the tree, and
// the choice of the branching literal. A Rule does not change. All ranks of a process share one.
//
// A rule may assign literals that follow from the formula and the path. A rule that does not
// count models may also make assignments that lose some models of a satisfiable formula, but not
// all of them. A rule that does so has a Counting version.
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

// Procedure is a rule at work: it holds the assignment at the end of one path from the root. All
// its results must depend only on that path, that is, on the literals visited and not taken back.
// Then the tree is the same whichever rank searches which part in which order. A result in one
// subtree must not affect another subtree.
type Procedure interface {
	// Visit goes one step down from the last visited node, which must be Inner, and examines the
	// new node. The root is never a Cube. The step makes the literal true; it is the branching literal of that node or its
	// complement. The first Visit, of NoLiteral, visits the root. At an Inner node it returns the
	// literal to branch on; the first branch makes it true.
	//
	// Visit writes to the log, unless the log is nil, the facts at the node that do not follow by
	// unit propagation, as clauses of proof.Log.WriteLemma.
	Visit(literal int32, log *proof.Log) (branch int32, outcome Outcome)
	// Back undoes the last Visit that was not undone, including a Visit of a leaf.
	Back()
	// Model appends the DIMACS literals that are true after a Visit that returned Solution. The
	// other variables may have any value.
	Model(dst []int32) []int32
	// Assigned returns the number of variables that have a value after a Visit that returned
	// Solution. The other variables may have any value.
	Assigned() int
}

// NoLiteral is the step to the root.
const NoLiteral int32 = -1

// Outcome is the kind of a node.
type Outcome uint8

const (
	Inner    Outcome = iota // a node with two children
	Conflict                // a leaf: no model below
	Solution                // a leaf: the assignment satisfies the formula
	Cube                    // not yet known: Conqueror.Conquer finds out
)

// Conqueror is a Procedure with nodes that take many steps: cubes. A cube is given to a
// clause-learning solver, which becomes faster from cube to cube. So that its results depend only
// on the path, a solver begins at an anchor: a node that is determined by its path alone. The
// subtree of an anchor belongs to one share, which walks it in the order of the tree.
type Conqueror interface {
	Procedure
	// Conquer searches up to limit ≥ 1 steps of the last visited node, whose outcome was Cube. It
	// returns the number of steps. The outcome is Cube if more steps are necessary. If it is Inner,
	// the solver has given up, and branch is the literal to branch on.
	Conquer(limit int, log *proof.Log) (steps int, branch int32, outcome Outcome)
	// GiveUp branches on the last visited node, whose outcome was Cube. It is for replays of a path
	// that passes through a cube which the solver has given up.
	GiveUp(log *proof.Log) (branch int32, outcome Outcome)
	// HasAnchors reports whether any node can be an anchor.
	HasAnchors() bool
	// Anchor returns the depth of the anchor on the path to the last visited node, or -1.
	Anchor() int
	// Close ends the anchor. All nodes below it are searched. Back does not do so if the nodes
	// belong to another share.
	Close(log *proof.Log)
}
