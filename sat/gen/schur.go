package gen

import "fmt"

// Schur formulas: colour 1..n so that no colour has numbers a, b and a + b. In weak-schur a and b
// are different; in schur they may be equal. Variable (i−1)·colours + c means that number i has
// colour c. The first clauses are, for each number: it has a colour, and it has no two colours. The
// clauses of the sums follow, ordered by a + b, then by a, and then by colour.
//
// The colours can be renamed. With break-symmetry = s the first s numbers have their colours named in
// the order of their first use: number i ≤ s has one of the colours 1..i. These s clauses come
// last and do not change the answer.
//
// The largest n with a colouring is the Schur number S: 1, 4, 13, 44, 160 for 1 to 5 colours. For
// weak Schur numbers it is WS: 2, 8, 23, 66 for 1 to 4 colours.
//
// Source: I. Schur, Über die Kongruenz x^m + y^m ≡ z^m (mod p), 1917; M. Heule, Schur Number Five,
// AAAI 2018; P. Blanchard, F. Harary, R. Reis, Partitions into Sum-Free Sets, Integers 6 (2006), for
// weak Schur numbers; S. Eliahou, J. Marín, M. Revuelta, M. Sanz, Weak Schur Numbers and the Search
// for G. W. Walker's Lost Partitions, 2012, for WS(5) ≥ 196.
var schurFamily = Family{
	Name:    "schur",
	Help:    "colours for 1..n without a + b = c in one colour; satisfiable up to the Schur number",
	Example: "colours=3 n=14",
	Params:  schurParameters(14),
	build:   func(v values, d *draft) error { return buildSchur(v, d, 0) },
	status: func(v values) Status {
		return statusOfSchur(v, "S", []int{1, 4, 13, 44, 160}, true)
	},
}

var weakSchurFamily = Family{
	Name:    "weak-schur",
	Help:    "colours for 1..n without a + b = c, a < b, in one colour; satisfiable up to the weak Schur number",
	Example: "colours=3 n=24",
	Params:  schurParameters(24),
	build:   func(v values, d *draft) error { return buildSchur(v, d, 1) },
	status: func(v values) Status {
		return statusOfSchur(v, "WS", []int{2, 8, 23, 66, 196}, false)
	},
}

// schurParameters returns the parameters of both families.
func schurParameters(n float64) []Param {
	return []Param{
		{Name: "colours", Help: "colours to use", Default: 3, Min: 1, Max: 100},
		{Name: "n", Help: "numbers to colour", Default: n, Min: 1, Max: 5000},
		{Name: "break-symmetry", Help: "numbers whose colours are named in the order of first use; 0 is none", Default: 0, Min: 0, Max: 100},
	}
}

// buildSchur makes the formula of sums a + b with b − a ≥ gap.
func buildSchur(v values, d *draft, gap int) error {
	n, colours, symmetry := v.wholeNumber("n"), v.wholeNumber("colours"), v.wholeNumber("break-symmetry")
	if symmetry > min(colours, n) {
		return fmt.Errorf("break-symmetry = %d: expected at most %d, the smaller one of colours and n", symmetry, min(colours, n))
	}
	has := d.newColours(n, colours)
	for sum := 2; sum <= n; sum++ {
		for a := 1; 2*a+gap <= sum; a++ {
			for c := range colours {
				d.addSum(has(a-1, c), has(sum-a-1, c), has(sum-1, c))
			}
		}
	}
	for i := range symmetry {
		clause := make([]int32, i+1)
		for c := range clause {
			clause[c] = has(i, c)
		}
		d.addClause(clause...)
	}
	return nil
}

// addSum forbids that the three numbers have a colour. The first two may be the same number.
func (d *draft) addSum(a, b, sum int32) {
	if a == b {
		d.addClause(-a, -sum)
		return
	}
	d.addClause(-a, -b, -sum)
}

// newColours adds variables and clauses by which each of n things has exactly one colour. The
// variable of thing i and colour c, both from 0 on, is has(i, c).
func (d *draft) newColours(n, colours int) (has func(i, c int) int32) {
	first := d.newVariables(n * colours)
	has = func(i, c int) int32 { return first + int32(i*colours+c) }
	for i := range n {
		d.addExactlyOne(firstNumbers(has(i, 0), colours))
	}
	return has
}

// firstNumbers returns n numbers from first on.
func firstNumbers(first int32, n int) []int32 {
	numbers := make([]int32, n)
	for i := range numbers {
		numbers[i] = first + int32(i)
	}
	return numbers
}

// addExactlyOne asserts that exactly one of the literals is true, pair by pair.
func (d *draft) addExactlyOne(literals []int32) {
	d.addClause(literals...)
	for j, b := range literals {
		for _, a := range literals[:j] {
			d.addClause(-a, -b)
		}
	}
}

// statusOfSchur compares n with the largest n that has a colouring. largest lists it by the
// number of colours; if the last entry is not exact, it is a lower bound. More colours than listed
// colour at least as many numbers.
func statusOfSchur(v values, name string, largest []int, exact bool) Status {
	n, colours := v.wholeNumber("n"), v.wholeNumber("colours")
	listed := min(colours, len(largest))
	limit, equal := largest[listed-1], listed == colours && (exact || listed < len(largest))
	switch {
	case equal:
		return statusUpTo(n, limit, fmt.Sprintf("%s(%d) = %d", name, listed, limit))
	case n <= limit:
		return Status{Satisfiable, fmt.Sprintf("%s(%d) is at least %d", name, listed, limit)}
	}
	return Status{}
}

// statusUpTo returns the status of member n of a family whose members are satisfiable exactly up
// to a limit.
func statusUpTo(n, limit int, reason string) Status {
	if n <= limit {
		return Status{Satisfiable, reason}
	}
	return Status{Unsatisfiable, reason}
}
