package cdcl_test

import (
	"fmt"

	"treesplit/sat/cdcl"
)

// Of three switches at least one is on, and no two are.
func Example() {
	s := cdcl.New(cdcl.Options{})
	s.AddClause(1, 2, 3)
	s.AddClause(-1, -2)
	s.AddClause(-1, -3)
	s.AddClause(-2, -3)

	s.Assume(-1, 3)
	fmt.Println(s.Solve(cdcl.NoLimit), s.Model(3))

	s.Assume(1, 2, 3)
	fmt.Println(s.Solve(cdcl.NoLimit), len(s.Failed()) < 3)
	// Output:
	// satisfiable [false false true]
	// unsatisfiable true
}
