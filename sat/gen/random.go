package gen

import (
	"fmt"
	"math"
	"slices"
)

// Uniform random k-SAT with a fixed clause length: each clause has k distinct variables drawn
// uniformly, and each is negated with probability ½. Clauses may repeat. For k = 3 about half of
// the formulas are satisfiable at 4.26 clauses per variable, and the search is hardest there.
//
// Source: D. Mitchell, B. Selman, H. Levesque, Hard and Easy Distributions of SAT
// Problems, AAAI 1992.
var randomFamily = Family{
	Name:    "random",
	Help:    "uniform random k-SAT; satisfiable or not according to ratio and luck",
	Example: "n=50 ratio=4.3",
	Params: []Param{
		{Name: "n", Help: "variables", Default: 50, Min: 1, Max: 1 << 22},
		{Name: "k", Help: "literals in a clause", Default: 3, Min: 1, Max: 64},
		{Name: "ratio", Help: "clauses for each variable, rounded to whole clauses", Default: 4.3, Min: 0, Max: 1 << 20, Real: true},
		{Name: "m", Help: "clauses; 0 is ratio times n", Default: 0, Min: 0, Max: 1 << 24},
	},
	Seeded: true,
	build:  buildRandom,
}

func buildRandom(v values, d *draft) error {
	n, k, m := v.wholeNumber("n"), v.wholeNumber("k"), v["m"]
	if k > n {
		return fmt.Errorf("k = %d: expected at most n = %d, because the variables of a clause are distinct", k, n)
	}
	if m == 0 {
		m = math.Round(v["ratio"] * v["n"])
	}
	first := d.newVariables(n)
	clause := make([]int32, 0, k)
	for i := 0.0; i < m; i++ {
		clause = clause[:0]
		for len(clause) < k {
			x := first + int32(d.drawBelow(n))
			if !slices.Contains(clause, x) && !slices.Contains(clause, -x) {
				clause = append(clause, d.randomSign(x))
			}
		}
		d.addClause(clause...)
	}
	return nil
}
