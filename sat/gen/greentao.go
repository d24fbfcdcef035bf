package gen

import "fmt"

// Green–Tao formulas: colour the first n primes with two colours so that no j primes in arithmetic
// progression have the first colour and no k primes the second. Variable i is true if the i-th
// prime has the second colour. The clauses are ordered as in vdw. By a theorem of B. Green and
// T. Tao the primes contain progressions of any length, and for every j and k the formula is
// unsatisfiable from some n on: the Green–Tao number, 23 for (3,3) and 79 for (3,4). Progressions
// of primes are rarer than progressions of numbers, so that the formulas have more variables and
// fewer clauses per variable than vdw.
//
// Source: B. Green, T. Tao, The Primes Contain Arbitrarily Long Arithmetic Progressions, Annals of
// Mathematics 167 (2008); O. Kullmann, Green-Tao Numbers and SAT, SAT 2010, for the numbers.
var greenTaoFamily = Family{
	Name:    "green-tao",
	Help:    "two colours for the first n primes without progressions of j and k",
	Example: "j=3 k=4 n=79",
	Params: []Param{
		{Name: "j", Help: "length of progression that the first colour must not have", Default: 3, Min: 2, Max: 100},
		{Name: "k", Help: "length of progression that the second colour must not have", Default: 4, Min: 2, Max: 100},
		{Name: "n", Help: "primes to colour", Default: 79, Min: 1, Max: 5000},
	},
	build:  buildGreenTao,
	status: statusOfGreenTao,
}

// greenTaoNumbers are known Green–Tao numbers, by j and k.
var greenTaoNumbers = map[[2]int]int{{3, 3}: 23, {3, 4}: 79, {3, 5}: 528, {4, 4}: 512}

func buildGreenTao(v values, d *draft) error {
	primes := firstPrimes(v.wholeNumber("n"))
	index := make([]int, primes[len(primes)-1]+1) // 1 + the index of each prime
	for i, p := range primes {
		index[p] = i + 1
	}
	first := d.newVariables(len(primes))
	for _, colour := range twoColours(v) {
		entries := make([]int, colour.length)
		for a, start := range primes {
			for _, second := range primes[a+1:] {
				step := second - start
				if start+step*(colour.length-1) >= len(index) {
					break
				}
				if isPrimeProgression(start, step, index, entries) {
					d.addNumbered(entries, first-1, colour.sign)
				}
			}
		}
	}
	return nil
}

// isPrimeProgression reports whether all numbers start + i·step are primes of the index, and
// writes their index entries.
func isPrimeProgression(start, step int, index, entries []int) bool {
	for i := range entries {
		entries[i] = index[start+i*step]
		if entries[i] == 0 {
			return false
		}
	}
	return true
}

// firstPrimes returns the first n ≥ 1 primes by trial division.
func firstPrimes(n int) []int {
	primes := []int{2}
next:
	for x := 3; len(primes) < n; x += 2 {
		for _, p := range primes {
			if p*p > x {
				break
			}
			if x%p == 0 {
				continue next
			}
		}
		primes = append(primes, x)
	}
	return primes
}

func statusOfGreenTao(v values) Status {
	j, k := v.wholeNumber("j"), v.wholeNumber("k")
	known := greenTaoNumbers[[2]int{min(j, k), max(j, k)}]
	return statusBelow(v.wholeNumber("n"), known, fmt.Sprintf("the Green-Tao number of (%d,%d)", min(j, k), max(j, k)))
}
