package sat

import "math/big"

// The number of models, exactly. At a solution leaf every clause is true, whatever the
// value of the variables that have none: with a of V variables assigned the leaf stands for
// 2^(V−a) models. No two leaves have a model in common, since their paths differ in a
// decision. If the rule loses no models, which Counting versions of rules promise, the
// leaves of the whole tree have them all.
//
// Leaves are counted by a, in whole numbers of 64 bits, so that shares, ranks and
// checkpoints only add; powers of two are put in at the end.

// Tally counts solution leaves: Tally[a] is the number of those at which a variables have a
// value.
type Tally []int64

// CountModels returns the number of models that the leaves stand for, of a formula with so many
// variables: Σ Tally[a]·2^(variables−a). No leaf may have more variables assigned.
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

// SolutionTally returns the solution leaves that a share with Options.All has met. It has MaxDepth+1
// numbers, or none if there was no solution. It belongs to the share.
func (s *Search) SolutionTally() Tally { return s.tally }

// tallyLeaf counts the solution leaf that the procedure is at.
func (s *Search) tallyLeaf() {
	if s.tally == nil {
		s.tally = make(Tally, s.rule.MaxDepth()+1)
	}
	s.tally[s.proc.Assigned()]++
}
