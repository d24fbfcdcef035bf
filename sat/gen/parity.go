package gen

// Two chains compute the parity of the same n inputs. The formula asserts that one parity is odd
// and the other even. It is unsatisfiable. Variables 1..n are the inputs x. Then come the partial
// parities y_i = y_{i−1} ⊕ x_i of the first chain (y_1 is x_1 itself), then those of the second
// chain. Branching on inputs with unit propagation finds no conflict before n−1 inputs are set:
// 2^n − 1 nodes, a perfectly balanced tree.
//
// Source: the chains that cut a long XOR constraint short are G. Tseitin's, On the
// Complexity of Derivation in Propositional Calculus, 1968; contradicting parities as
// a benchmark: the par32 family of J. Crawford, M. Kearns and R. Schapire, DIMACS
// challenge 1993.
var parityFamily = Family{
	Name:    "parity",
	Help:    "two parity chains over n inputs that contradict one another; unsatisfiable",
	Example: "n=16",
	Params:  []Param{{Name: "n", Help: "inputs", Default: 16, Min: 2, Max: 100000}},
	build:   buildParity,
	status:  alwaysUnsatisfiable("a number is not both odd and even"),
}

func buildParity(v values, d *draft) error {
	n := v.wholeNumber("n")
	c := circuit{d}
	inputs := c.newInputs(n)
	odd := c.parityChain(inputs)
	even := c.parityChain(inputs)
	d.addClause(odd)
	d.addClause(-even)
	return nil
}

// parityChain returns the parity of the inputs, computed one after the other.
func (c circuit) parityChain(inputs []int32) int32 {
	parity := inputs[0]
	for _, x := range inputs[1:] {
		parity = c.addXorGate(parity, x)
	}
	return parity
}
