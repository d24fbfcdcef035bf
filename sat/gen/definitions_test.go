package gen

import (
	"fmt"
	"slices"
	"testing"

	"treesplit/sat"
)

// Formulas compared with the definitions of their families, on all assignments of the variables that
// the definitions know.

// eachAssignment calls f with all assignments of n variables.
func eachAssignment(n int, f func(model []bool)) {
	model := make([]bool, n)
	for bits := range 1 << n {
		for i := range model {
			model[i] = bits>>i&1 == 1
		}
		f(model)
	}
}

// compareModels checks that the formula is true exactly for the assignments of its first variables
// that the definition accepts. Later variables are determined by propagation.
func compareModels(t *testing.T, family, example string, n int, accepts func(model []bool) bool) {
	t.Helper()
	f := generate(t, family, example, 1)
	accepted := 0
	eachAssignment(n, func(model []bool) {
		want := accepts(model)
		if want {
			accepted++
		}
		if got := holdsWith(f, model); got != want {
			t.Fatalf("%s %s: %v is accepted: %v, want %v", family, example, model, got, want)
		}
	})
	if accepted == 0 || accepted == 1<<n {
		t.Errorf("%s %s: %d of %d assignments are accepted: the test shows nothing", family, example, accepted, 1<<n)
	}
}

// holdsWith reports whether the formula has a model that begins with the given values.
func holdsWith(f *sat.Formula, first []bool) bool {
	if len(first) == f.Variables {
		return f.CheckModel(first) == nil
	}
	d := &draft{}
	d.newVariables(f.Variables)
	for i, value := range first {
		d.addClause(signed(int32(i+1), value))
	}
	for _, clause := range f.Clauses() {
		d.addClause(clause...)
	}
	return satisfiable(&d.formula)
}

// isOneColour reports whether all numbers, from 1 on, have the same value as given.
func isOneColour(model []bool, value bool, numbers ...int) bool {
	return !slices.ContainsFunc(numbers, func(x int) bool { return model[x-1] != value })
}

// hasProgression reports whether the numbers of a value contain a progression among the listed
// numbers; place returns the variable of a number.
func hasProgression(model []bool, value bool, length int, numbers []int, place func(x int) int) bool {
	for _, start := range numbers {
		for step := 1; start+step*(length-1) <= numbers[len(numbers)-1]; step++ {
			all := true
			for i := range length {
				x := start + i*step
				all = all && slices.Contains(numbers, x) && model[place(x)] == value
			}
			if all {
				return true
			}
		}
	}
	return false
}

func TestProgressionsByDefinition(t *testing.T) {
	for _, n := range []int{5, 8, 11, 14} {
		compareModels(t, "palindromic-vdw", fmt.Sprintf("j=3 k=4 n=%d", n), (n+1)/2, func(model []bool) bool {
			numbers := firstNumbers(1, n)
			all := make([]int, n)
			for i, x := range numbers {
				all[i] = int(x)
			}
			place := func(x int) int { return min(x, n+1-x) - 1 }
			return !hasProgression(model, false, 3, all, place) && !hasProgression(model, true, 4, all, place)
		})
	}
	primes := []int{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31}
	if got := firstPrimes(11); !slices.Equal(got, primes) {
		t.Fatalf("primes %v", got)
	}
	compareModels(t, "green-tao", "j=4 k=3 n=11", 11, func(model []bool) bool {
		place := func(x int) int { return slices.Index(primes, x) }
		return !hasProgression(model, false, 4, primes, place) && !hasProgression(model, true, 3, primes, place)
	})
}

// The colours of Schur formulas are variables of their own: the definition reads them.
func TestSchurByDefinition(t *testing.T) {
	const n, colours = 4, 2
	for gap, family := range []string{"schur", "weak-schur"} {
		for symmetry := range 3 {
			compareModels(t, family, fmt.Sprintf("n=%d colours=%d break-symmetry=%d", n, colours, symmetry), n*colours, func(model []bool) bool {
				colour := make([]int, n+1)
				for i := 1; i <= n; i++ {
					if model[2*i-2] == model[2*i-1] {
						return false // no colour, or two
					}
					if model[2*i-1] {
						colour[i] = 1
					}
				}
				return (symmetry == 0 || colour[1] == 0) && !hasSum(colour, gap)
			})
		}
	}
}

// hasSum reports whether a colour has a, b and a + b with b − a ≥ gap.
func hasSum(colour []int, gap int) bool {
	for a := 1; a < len(colour); a++ {
		for b := a + gap; a+b < len(colour); b++ {
			if colour[a] == colour[b] && colour[b] == colour[a+b] {
				return true
			}
		}
	}
	return false
}

func TestPythagoreanByDefinition(t *testing.T) {
	for k, n := range map[int]int{3: 10, 4: 7, 5: 5, 6: 5} {
		compareModels(t, "pythagorean", fmt.Sprintf("n=%d k=%d", n, k), n, func(model []bool) bool {
			return !hasTuple(model, nil, k, 0)
		})
	}
	if sets := pythagoreanSets(20, 3); len(sets) != 6 || fmt.Sprint(sets[5]) != "[12 16 20]" {
		t.Errorf("triples up to 20: %v", sets)
	}
}

// hasTuple reports whether a tuple of k numbers of one colour begins with the given numbers.
func hasTuple(model []bool, numbers []int, k, squares int) bool {
	if len(numbers) == k-1 {
		for z := 1; z <= len(model); z++ {
			if z*z == squares && isOneColour(model, model[z-1], numbers...) {
				return true
			}
		}
		return false
	}
	for x := 1; x <= len(model); x++ {
		if hasTuple(model, append(slices.Clone(numbers), x), k, squares+x*x) {
			return true
		}
	}
	return false
}

func TestDiscrepancyByDefinition(t *testing.T) {
	bounded := func(model []bool, c, d int) bool {
		sum := 0
		for i := d; i <= len(model); i += d {
			sum--
			if model[i-1] {
				sum += 2
			}
			if sum > c || sum < -c {
				return false
			}
		}
		return true
	}
	for c := 1; c <= 3; c++ {
		compareModels(t, "erdos-discrepancy", fmt.Sprintf("c=%d n=9", c), 9, func(model []bool) bool {
			for d := 1; d <= len(model); d++ {
				if !bounded(model, c, d) {
					return false
				}
			}
			return true
		})
		compareModels(t, "erdos-discrepancy", fmt.Sprintf("c=%d n=9 multiplicative=1", c), 9, func(model []bool) bool {
			for a := 1; a <= len(model); a++ {
				for b := 1; a*b <= len(model); b++ {
					if (model[a-1] == model[b-1]) != model[a*b-1] {
						return false
					}
				}
			}
			return bounded(model, c, 1)
		})
	}
}

// A set of bits with few errors is a model of parity learning. At most k of n literals are true
// exactly if the counter has values.
func TestCounterByDefinition(t *testing.T) {
	const n = 5
	for k := range n + 2 {
		d := &draft{}
		d.newVariables(n)
		d.addAtMost(firstNumbers(1, n), k)
		eachAssignment(n, func(model []bool) {
			count := 0
			for _, value := range model {
				if value {
					count++
				}
			}
			if got := holdsWith(&d.formula, model); got != (count <= k) {
				t.Errorf("%d of %d are true, at most %d: %v", count, n, k, got)
			}
		})
	}
}

// Without supersets and copies a family of sets keeps its minimal members.
func TestMinimalSets(t *testing.T) {
	sets := [][]int{{1, 2, 3}, {0, 4}, {2, 3}, {5}, {0, 4}, {0, 1, 4}, {1, 5}, {2, 3, 4}, {1, 3}}
	if got := fmt.Sprint(minimalSets(sets)); got != "[[0 4] [2 3] [5] [1 3]]" {
		t.Errorf("minimal sets %v", got)
	}
}
