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

// The clause of failed assumptions joins the learnt clauses once, under the number of its lemma, also if clauses
// are added before Conclude.
func TestConcludeAfterClauses(t *testing.T) {
	r := newRecord()
	s := New(Options{Proof: r, Hints: true})
	add := func(clause ...int32) {
		r.clauses[s.nextID+1] = clause
		s.AddClause(clause...)
	}
	add(-1, -2, 3)
	add(-1, -2, -3)
	s.Assume(1, 2)
	if status := s.Continue(Limit{NoLimit, NoLimit}); status != Unsatisfiable {
		t.Fatal(status)
	}
	before := s.Stats().Learnt
	add(4, 5, 6)
	s.Conclude()
	s.Conclude()
	if n := s.Stats().Learnt - before; n != 1 {
		t.Errorf("the clause joined %d times", n)
	}
	add(1)
	add(2)
	if status := s.Solve(NoLimit); status != Unsatisfiable || r.err != nil {
		t.Errorf("%v, %v", status, r.err)
	}
}
