package sat

import "math/big"

// The exact number of models. At a solution leaf every clause is true, whatever the values of the
// free variables. So a leaf with a of V variables assigned stands for 2^(V−a) models. No two
// leaves have a model in common, because their paths differ in a decision. If the rule keeps all
// models, as Counting versions of rules do, the leaves of the whole tree have all models.
//
// Leaves are counted by a, in 64-bit integers, so that shares, ranks and checkpoints only add.
// The powers of two are applied at the end.

// Tally counts solution leaves: Tally[a] is the number of leaves with a assigned variables.
type Tally []int64

// CountModels returns the number of models of the leaves, for a formula with the given number of
// variables: Σ Tally[a]·2^(variables−a). No leaf may have more assigned variables.
func (t Tally) CountModels(variables int) *big.Int {
	sum, at := new(big.Int), 0
	for a, leaves := range t {
		if leaves != 0 {
			sum.Lsh(sum, uint(a-at))
			sum.Add(sum, big.NewInt(leaves))
			at = a
		}
	}
	return sum.Lsh(sum, uint(variables-at))
}

// SolutionTally returns the solution leaves that a share with Options.All has found. It has
// MaxDepth+1 numbers, or none without a solution. The slice belongs to the share.
func (s *Search) SolutionTally() Tally { return s.tally }

// tallyLeaf counts the solution leaf that the procedure is at.
func (s *Search) tallyLeaf() {
	if s.tally == nil {
		s.tally = make(Tally, s.rule.MaxDepth()+1)
	}
	s.tally[s.proc.Assigned()]++
}
