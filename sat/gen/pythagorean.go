package gen

import (
	"fmt"
	"slices"
)

// Pythagorean tuples: colour 1..n with two colours so that no tuple of k numbers with
// x1² + … + x(k−1)² = xk² has one colour. For k = 3 these are the Pythagorean triples. Variable i
// is the colour of number i. Each set of numbers of a tuple, which has fewer than k elements if
// numbers are repeated, is a positive and a negative clause. Sets that contain another set are
// left out. The sets are ordered by xk, then lexicographically.
//
// The colours can be exchanged. With break-symmetry = 1 a last clause makes the number that occurs most
// often, the smallest of these, true.
//
// The formula is satisfiable exactly if n is less than 7825 for k = 3, 105 for k = 4, 37 for k = 5
// and 23 for k = 6.
//
// Source: M. Heule, O. Kullmann, V. Marek, Solving and Verifying the Boolean Pythagorean Triples
// Problem via Cube-and-Conquer, SAT 2016, which also has the numbers of longer tuples.
var pythagoreanFamily = Family{
	Name:    "pythagorean",
	Help:    "two colours for 1..n without a Pythagorean triple, or tuple of k numbers, of one colour",
	Example: "n=105 k=4",
	Params: []Param{
		{Name: "n", Help: "numbers to colour", Default: 105, Min: 1, Max: 10000},
		{Name: "k", Help: "numbers of a tuple", Default: 4, Min: 3, Max: 6},
		{Name: "break-symmetry", Help: "1 fixes the colour of one number; 0 does not", Default: 0, Min: 0, Max: 1},
	},
	build:  buildPythagorean,
	status: statusOfPythagorean,
}

// pythagoreanNumbers and pythagoreanLimits are by k: the first n without a colouring, and the
// largest n for which the tuples are listed in seconds.
var (
	pythagoreanNumbers = map[int]int{3: 7825, 4: 105, 5: 37, 6: 23}
	pythagoreanLimits  = map[int]int{3: 10000, 4: 1000, 5: 250, 6: 100}
)

func buildPythagorean(v values, d *draft) error {
	n, k := v.wholeNumber("n"), v.wholeNumber("k")
	if n > pythagoreanLimits[k] {
		return fmt.Errorf("n = %d: expected at most %d for k = %d", n, pythagoreanLimits[k], k)
	}
	first := d.newVariables(n)
	sets := minimalSets(pythagoreanSets(n, k))
	for _, set := range sets {
		for _, sign := range []int32{1, -1} {
			d.addNumbered(set, first-1, sign)
		}
	}
	if v.wholeNumber("break-symmetry") == 1 {
		d.addClause(first + int32(mostFrequent(sets, n)) - 1)
	}
	return nil
}

// pythagoreanSets returns the sets of numbers of all tuples with xk ≤ n, by xk and then by the
// smaller numbers.
func pythagoreanSets(n, k int) (sets [][]int) {
	tuple := make([]int, k-1)
	// extend chooses the numbers from position i on, in ascending order. squares is the sum of the
	// squares before.
	var extend func(i, squares int)
	extend = func(i, squares int) {
		if i == k-2 {
			sets = appendCompleted(sets, tuple, squares, n)
			return
		}
		for x := max(1, tuple[max(i-1, 0)]); squares+(k-1-i)*x*x <= n*n; x++ {
			tuple[i] = x
			extend(i+1, squares+x*x)
		}
		tuple[i] = 0
	}
	extend(0, 0)
	slices.SortStableFunc(sets, func(a, b []int) int { return a[len(a)-1] - b[len(b)-1] })
	return sets
}

// appendCompleted appends the sets of the tuples that begin with all numbers of tuple but the last
// one, whose squares have the given sum. The last number x and the root z grow together.
func appendCompleted(sets [][]int, tuple []int, squares, n int) [][]int {
	last := len(tuple) - 1
	z := 1
	for x := max(1, tuple[max(last-1, 0)]); squares+x*x <= n*n; x++ {
		for z*z < squares+x*x {
			z++
		}
		if z*z == squares+x*x {
			set := append(slices.Clone(tuple[:last]), x, z)
			sets = append(sets, slices.Compact(set))
		}
	}
	return sets
}

// mostFrequent returns the number from 1..n that occurs in most sets, the smallest of these.
func mostFrequent(sets [][]int, n int) int {
	count := make([]int, n+1)
	for _, set := range sets {
		for _, x := range set {
			count[x]++
		}
	}
	best := 1
	for x := range count {
		if count[x] > count[best] {
			best = x
		}
	}
	return best
}

func statusOfPythagorean(v values) Status {
	k := v.wholeNumber("k")
	name := fmt.Sprintf("the smallest n without a colouring for tuples of %d", k)
	return statusBelow(v.wholeNumber("n"), pythagoreanNumbers[k], name)
}
