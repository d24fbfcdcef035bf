// Package lookahead is rule lookahead of the satisfiability search. At every node it tries both
// values of the most promising variables before it branches on one. A value that leads to a
// conflict is excluded. The branching variable is the one whose two trials together shorten the
// formula most. This is the procedure of the solvers of Heule and van Maaren ("Look-Ahead Based
// SAT Solvers", Handbook of Satisfiability, chapter 5), with data structures after Knuth's
// Algorithm L (The Art of Computer Programming, 7.2.2.2).
//
// Differences: every result depends only on the path from the root, so that the tree is the same
// on all ranks, whichever rank searches which part. Lists are restored in their exact order on
// the way up. The threshold of the double look-ahead belongs to the path and not to the run.
package lookahead

import (
	"slices"

	"treesplit/sat"
)

// Rule is rule lookahead, compiled for one formula.
//
// A literal is 2·variable, plus 1 if negated, over the variables that occur.
type Rule struct {
	variables int
	names     sat.Names // of the variables that occur
	units     []int32
	binaries  [][2]int32
	ternaries [][3]int32
	long      [][]int32 // clauses of more than three literals
	hasEmpty  bool
	literals  int64 // in all clauses
	counting  bool  // see NewCounting
	splitting bool  // see NewSplitting
}

var _ sat.Rule = (*Rule)(nil)

// New compiles the formula and keeps no reference to it. It omits repeated literals and clauses
// that are always true. It takes O(L log L) time and O(L) memory for L literals and clauses.
func New(f *sat.Formula) *Rule {
	r := &Rule{variables: f.Variables, names: sat.VariableNamesOf(f)}
	var lits []int32
	for _, clause := range f.Clauses() {
		if lits = r.encodeClause(lits[:0], clause); !isTautology(lits) {
			r.addClause(lits)
		}
	}
	return r
}

// NewCounting compiles the version of the rule that keeps all models. It makes no autarky true,
// tries and branches only on variables of open clauses, and has a solution as soon as no clause
// is open.
func NewCounting(f *sat.Formula) *Rule {
	r := New(f)
	r.counting = true
	return r
}

// encodeClause appends the distinct literals of a clause, in ascending order.
func (r *Rule) encodeClause(dst, clause []int32) []int32 {
	for _, l := range clause {
		dst = append(dst, r.names.FromDIMACS(l))
	}
	slices.Sort(dst)
	return slices.Compact(dst)
}

// isTautology reports whether a sorted clause has a literal and its complement.
func isTautology(lits []int32) bool {
	for i := 1; i < len(lits); i++ {
		if lits[i] == lits[i-1]^1 {
			return true
		}
	}
	return false
}

// addClause adds a clause of distinct literals.
func (r *Rule) addClause(lits []int32) {
	r.literals += int64(len(lits))
	switch len(lits) {
	case 0:
		r.hasEmpty = true
	case 1:
		r.units = append(r.units, lits[0])
	case 2:
		r.binaries = append(r.binaries, [2]int32(lits))
	case 3:
		r.ternaries = append(r.ternaries, [3]int32(lits))
	default:
		r.long = append(r.long, slices.Clone(lits))
	}
}

// Variables returns the number of variables of the formula.
func (r *Rule) Variables() int { return r.variables }

// MaxDepth returns the number of variables that occur.
func (r *Rule) MaxDepth() int { return len(r.names) }

// Name returns the DIMACS number of a literal.
func (r *Rule) Name(literal int32) int32 { return r.names.Name(literal) }
