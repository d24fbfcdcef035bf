package gen

import "fmt"

// Minimal disagreement parity: learn a parity from noisy samples. A secret set of n bits is drawn.
// A sample is a random set of bits and the parity of its common bits with the secret. Some samples,
// as many as errors, have the wrong parity. The question is a set of bits that disagrees with at
// most this number of samples. The secret is one, so that the formula is satisfiable. It combines
// parities, for which solvers that learn clauses need long proofs, with a count.
//
// Variables 1..n are the bits of the set. For each sample follow the partial parities of its
// chain. Then come the variables of a sequential counter of the wrong samples: c(i, j) is true if
// at least j of the first i samples disagree.
//
// Source: J. Crawford, M. Kearns, R. Schapire, The Minimal Disagreement Parity Problem as a Hard
// Satisfiability Problem, 1994 (par32 of the DIMACS challenge); C. Sinz, Towards an Optimal CNF
// Encoding of Boolean Cardinality Constraints, CP 2005, for the counter.
var parityLearningFamily = Family{
	Name:    "parity-learning",
	Help:    "find a parity of n bits that disagrees with few samples; satisfiable",
	Example: "n=12 samples=24 errors=3",
	Params: []Param{
		{Name: "n", Help: "bits", Default: 12, Min: 1, Max: 1000},
		{Name: "samples", Help: "samples", Default: 24, Min: 1, Max: 10000},
		{Name: "errors", Help: "samples that may disagree", Default: 3, Min: 0, Max: 10000},
	},
	Seeded: true,
	build:  buildParityLearning,
	status: always(Satisfiable, "the secret set is a solution"),
}

func buildParityLearning(v values, d *draft) error {
	n, samples, errors := v.wholeNumber("n"), v.wholeNumber("samples"), v.wholeNumber("errors")
	if errors > samples {
		return fmt.Errorf("errors = %d: expected at most %d, the number of samples", errors, samples)
	}
	c := circuit{d}
	bits := c.newInputs(n)
	secret := d.drawBits(n)
	wrong := make([]bool, samples)
	for _, i := range d.shuffle(samples)[:errors] {
		wrong[i] = true
	}
	disagree := make([]int32, samples)
	for i := range disagree {
		sample := d.drawBits(n)
		odd := wrong[i]
		var chosen []int32
		for b, bit := range bits {
			if sample[b] {
				chosen = append(chosen, bit)
				odd = odd != secret[b]
			}
		}
		disagree[i] = c.parityChain(chosen)
		if odd {
			disagree[i] = -disagree[i]
		}
	}
	d.addAtMost(disagree, errors)
	return nil
}

// drawBits returns n random bits, at least one of which is set.
func (d *draft) drawBits(n int) []bool {
	bits := make([]bool, n)
	for {
		some := false
		for i := range bits {
			bits[i] = d.drawBelow(2) == 1
			some = some || bits[i]
		}
		if some {
			return bits
		}
	}
}

// addAtMost asserts by a sequential counter that at most k of the literals are true.
func (d *draft) addAtMost(literals []int32, k int) {
	if k >= len(literals) {
		return
	}
	before := []int32(nil) // before[j] is true if more than j of the earlier literals are true
	for _, l := range literals {
		if len(before) == k {
			d.addClause(append([]int32{-l}, negatedLast(before)...)...)
		}
		after := make([]int32, min(len(before)+1, k))
		for j := range after {
			after[j] = d.newVariables(1)
			if j < len(before) {
				d.addClause(-before[j], after[j])
			}
			if j == 0 {
				d.addClause(-l, after[j])
			} else {
				d.addClause(-before[j-1], -l, after[j])
			}
		}
		before = after
	}
}

// negatedLast returns the negation of the last literal, if there is one.
func negatedLast(literals []int32) []int32 {
	if len(literals) == 0 {
		return nil
	}
	return []int32{-literals[len(literals)-1]}
}
