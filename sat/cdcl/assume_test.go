package cdcl

import "testing"

// Assumptions may repeat. Each makes a level.
func TestRepeatedAssumptions(t *testing.T) {
	s := New(Options{})
	s.AddClause(-1, 2, 3)
	s.AddClause(-1, -2, 3)
	s.Assume(1, 1, 1, 1, 1, 1, 1, 1)
	if got := s.Solve(NoLimit); got != Satisfiable || !s.Model(3)[2] {
		t.Errorf("%v, %v: expected a model with variable 3", got, s.Model(3))
	}
}
