package lookahead

import (
	"treesplit/sat"
	"treesplit/sat/proof"
)

// Splitter is the procedure of a rule with visits in two steps. It is for searches that look ahead
// only at some nodes.
type Splitter struct{ walk *walk }

// BeginSplitter returns a Splitter that has not visited any node.
func (r *Rule) BeginSplitter() Splitter { return Splitter{r.newWalk()} }

// Enter is the first half of a Visit: it goes one step down and propagates. It returns false on a
// conflict. Back undoes it, also after a conflict.
func (s Splitter) Enter(literal int32, log *proof.Log) bool {
	s.walk.log = log
	return s.walk.stepDown(literal)
}

// Look is the second half of a Visit.
func (s Splitter) Look(log *proof.Log) (branch int32, outcome sat.Outcome) {
	s.walk.log = log
	return s.walk.look()
}

// Back undoes the last Enter and its Look.
func (s Splitter) Back() { s.walk.Back() }

// Trail returns the literals that are true, in the order in which they became true. The slice is
// valid until the next step.
func (s Splitter) Trail() []int32 { return s.walk.trail }

// Model appends the DIMACS literals that are true after a Look that returned Solution.
func (s Splitter) Model(dst []int32) []int32 { return s.walk.Model(dst) }

// Steps returns the number of steps so far, as Metered of package dive counts them.
func (s Splitter) Steps() int64 { return s.walk.steps }
