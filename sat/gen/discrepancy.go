package gen

import "fmt"

// Erdős discrepancy: choose signs x_1 … x_n, each +1 or −1, so that for every d the partial sums
// of x_d, x_2d, x_3d, … stay between −c and c. Variable i is true if x_i is +1. For each d with
// more than c terms, an automaton reads the terms: variable q(t, s) means that the first t terms
// have the sum s. Its clauses make q follow from the signs, and forbid sums beyond c. The variables
// q come after x, by d, t and s.
//
// With multiplicative = 1 the signs are completely multiplicative: x_ab = x_a·x_b, where a is the
// smallest prime factor of ab, and x_1 = +1. Then the sums of every d follow from the sums of d = 1,
// and only the sums of d = 1 are restricted.
//
// The longest sequence has 11 signs for c = 1, and 1160 for c = 2; if it is completely
// multiplicative, 9 and 246. T. Tao proved that it is finite for every c.
//
// Source: P. Erdős, Some Unsolved Problems, 1957; B. Konev, A. Lisitsa, A SAT Attack on the Erdős
// Discrepancy Conjecture, SAT 2014, for the encoding and the numbers; T. Tao, The Erdős Discrepancy
// Problem, Discrete Analysis 2016.
var discrepancyFamily = Family{
	Name:    "erdos-discrepancy",
	Help:    "n signs whose sums along multiples of each number stay between -c and c",
	Example: "c=1 n=12",
	Params: []Param{
		{Name: "c", Help: "bound of the sums", Default: 1, Min: 1, Max: 100},
		{Name: "n", Help: "signs", Default: 12, Min: 1, Max: 20000},
		{Name: "multiplicative", Help: "1: the sign of a product is the product of the signs; 0: any signs", Default: 0, Min: 0, Max: 1},
	},
	build:  buildDiscrepancy,
	status: statusOfDiscrepancy,
}

// longestSigns lists the lengths of the longest sequences from c = 1 on, any and multiplicative.
var longestSigns = [2][]int{{11, 1160}, {9, 246}}

func buildDiscrepancy(v values, d *draft) error {
	c, n := v.wholeNumber("c"), v.wholeNumber("n")
	first := d.newVariables(n)
	if v.wholeNumber("multiplicative") == 1 {
		d.boundSums(first, n, 1, c)
		d.multiplySigns(first, n)
		return nil
	}
	for step := 1; n/step > c; step++ {
		d.boundSums(first, n, step, c)
	}
	return nil
}

// boundSums adds the automaton that reads every step-th sign. The state before the first term is
// known, and the state after the last term is not needed: they have no variables.
func (d *draft) boundSums(first int32, n, step, c int) {
	terms := n / step
	before := map[int]int32{0: 0}
	for t := 1; t <= terms; t++ {
		after := map[int]int32{}
		for s := -min(t, c); t < terms && s <= min(t, c); s++ {
			if (s+t)%2 == 0 {
				after[s] = d.newVariables(1)
			}
		}
		sign := first + int32(t*step) - 1
		for s := -min(t-1, c); s <= min(t-1, c); s++ {
			if (s+t)%2 != 0 {
				d.addStep(before[s], -sign, after[s+1], s+1 > c)
				d.addStep(before[s], sign, after[s-1], s-1 < -c)
			}
		}
		before = after
	}
}

// addStep adds the clause of a transition: state and not other imply next, or are forbidden. The
// number 0 stands for a state without a variable.
func (d *draft) addStep(state, other, next int32, forbidden bool) {
	var clause []int32
	if state != 0 {
		clause = append(clause, -state)
	}
	clause = append(clause, other)
	switch {
	case forbidden:
	case next == 0:
		return // after the last term
	default:
		clause = append(clause, next)
	}
	d.addClause(clause...)
}

// multiplySigns adds the clauses of completely multiplicative signs.
func (d *draft) multiplySigns(first int32, n int) {
	sign := func(i int) int32 { return first + int32(i) - 1 }
	d.addClause(sign(1))
	for product := 2; product <= n; product++ {
		a := 2
		for product%a != 0 {
			a++
		}
		if a < product { // an odd number of the three signs is +1
			d.addParity([]int32{sign(a), sign(product / a), sign(product)}, true)
		}
	}
}

func statusOfDiscrepancy(v values) Status {
	c, n := v.wholeNumber("c"), v.wholeNumber("n")
	longest := longestSigns[v.wholeNumber("multiplicative")]
	switch {
	case n <= c:
		return Status{Satisfiable, fmt.Sprintf("no sum of %d signs exceeds %d", n, n)}
	case c <= len(longest):
		return statusUpTo(n, longest[c-1], fmt.Sprintf("the longest sequence for c = %d has %d signs", c, longest[c-1]))
	case n <= longest[len(longest)-1]:
		return Status{Satisfiable, fmt.Sprintf("c = %d allows %d signs", len(longest), longest[len(longest)-1])}
	}
	return Status{}
}
