package drat_test

import (
	"fmt"
	"slices"
	"strings"

	"treesplit/sat/drat"
)

func ExampleCheck() {
	clauses := slices.All([][]int32{{1, 2}, {1, -2}, {-1, 2}, {-1, -2}})
	for _, proof := range []string{"1 0\n0\n", "0\n", "1 two 0\n"} {
		r, err := drat.Check(clauses, strings.NewReader(proof), "square.drat", drat.Options{})
		fmt.Println(r.Verified, r.Refusal, err)
	}
	// Output:
	// true  <nil>
	// false line 1: the empty clause 0 is not implied by unit propagation <nil>
	// false  square.drat:1: found "two": expected a literal or 0; at the beginning of a step also d or c
}
