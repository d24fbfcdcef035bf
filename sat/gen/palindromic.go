package gen

import (
	"fmt"
	"slices"
)

// Palindromic van der Waerden formulas: as vdw, but numbers x and n+1−x have the same colour.
// Variable i ≤ ⌈n/2⌉ stands for the colour of both. The clauses are the clauses of vdw over these
// variables, each literal once, without clauses that contain another clause. The formulas have
// half of the variables of vdw, and similar hardness in small steps of k.
//
// A palindromic colouring of n numbers is one of n−2 numbers too, without the two ends. So the
// answers for even n have a limit, and the answers for odd n have another one. Between the limits
// the answers alternate.
//
// Source: T. Ahmed, O. Kullmann, H. Snevily, On the van der Waerden Numbers w(2;3,t), Discrete
// Applied Mathematics 174 (2014), which gives the numbers.
var palindromicFamily = Family{
	Name:    "palindromic-vdw",
	Help:    "symmetric colourings of 1..n without progressions of j and k of their colour",
	Example: "j=3 k=7 n=44",
	Params: []Param{
		{Name: "j", Help: "length of progression that the first colour must not have", Default: 3, Min: 2, Max: 100},
		{Name: "k", Help: "length of progression that the second colour must not have", Default: 7, Min: 2, Max: 100},
		{Name: "n", Help: "numbers to colour", Default: 44, Min: 1, Max: 2000},
	},
	build:  buildPalindromic,
	status: statusOfPalindromic,
}

// palindromicLimits lists, from k = 3 on, p and q: with j = 3 the formulas up to p are satisfiable,
// and those from q on are not. Up to k = 16 CaDiCaL 1.5.3 gives these answers for n from p−1 to q+1.
// p = 0: only the answer for q and q+2, q+4, … is stated here.
var palindromicLimits = []struct{ p, q int }{
	{6, 9}, {15, 16}, {16, 21}, {30, 31}, {41, 44}, {52, 57}, {62, 77}, {93, 94}, {110, 113},
	{126, 135}, {142, 155}, {174, 183}, {200, 205}, {232, 237}, // k = 16
	{0, 279}, {0, 312}, {0, 347}, {0, 389}, {0, 405}, {0, 463}, {0, 507}, {0, 593}, {0, 607},
	{0, 643}, {0, 699}, // k = 27
}

func buildPalindromic(v values, d *draft) error {
	n := v.wholeNumber("n")
	first := d.newVariables((n + 1) / 2)
	for _, colour := range twoColours(v) {
		for _, set := range minimalSets(foldedProgressions(n, colour.length)) {
			d.addNumbered(set, first, colour.sign)
		}
	}
	return nil
}

// foldedProgressions returns the progressions of a length in 0..n−1 by first number and step, as
// sets in which the smaller one of x and n−1−x stands for both.
func foldedProgressions(n, length int) (sets [][]int) {
	for start := range n {
		for step := 1; start+step*(length-1) < n; step++ {
			set := make([]int, length)
			for i := range set {
				x := start + i*step
				set[i] = min(x, n-1-x)
			}
			slices.Sort(set)
			sets = append(sets, slices.Compact(set))
		}
	}
	return sets
}

func statusOfPalindromic(v values) Status {
	j, k, n := v.wholeNumber("j"), v.wholeNumber("k"), v.wholeNumber("n")
	j, k = min(j, k), max(j, k)
	if j == 3 && k-3 < len(palindromicLimits) {
		limits := palindromicLimits[k-3]
		name := fmt.Sprintf("the palindromic number of (3,%d) is (%d,%d)", k, limits.p, limits.q)
		switch p, q := limits.p, limits.q; {
		case n <= p:
			return Status{Satisfiable, name}
		case p > 0 && n >= q:
			return Status{Unsatisfiable, name}
		case p > 0 && (n-p)%2 == 0: // up to q−1
			return Status{Satisfiable, name}
		case p > 0:
			return Status{Unsatisfiable, name}
		case n >= q && (n-q)%2 == 0:
			return Status{Unsatisfiable, fmt.Sprintf("(3,%d) has no palindromic colouring of %d numbers", k, q)}
		}
	}
	if w := vanDerWaerdenNumber(j, k); w > 0 && n >= w {
		return Status{Unsatisfiable, fmt.Sprintf("W(2;%d,%d) = %d", j, k, w)}
	}
	return Status{}
}
