package gen

// A miter of two n-bit multipliers. An array multiplier adds the rows of the schoolbook method
// one after the other. A column multiplier after Wallace and Dadda adds the bits of equal weight
// in the order in which they are computed. Both multiply the same numbers. The formula asserts
// that they differ in one of 2n bits. It is unsatisfiable. Variables 1..n are the bits of the
// first number, n+1..2n of the second, least significant first.
//
// Source: C. Wallace, A Suggestion for a Fast Multiplier, IEEE Trans. Electronic
// Computers 13 (1964); L. Dadda, Some Schemes for Parallel Multipliers, Alta
// Frequenza 34 (1965).
var multiplierFamily = Family{
	Name:    "multiplier",
	Help:    "miter of an array and a column multiplier; unsatisfiable",
	Example: "n=5",
	Params:  []Param{{Name: "n", Help: "bits of each number", Default: 5, Min: 1, Max: 256}},
	build:   buildMultiplier,
	status:  alwaysUnsatisfiable("both circuits multiply"),
}

func buildMultiplier(v values, d *draft) error {
	c := circuit{d}
	n := v.wholeNumber("n")
	a, b := c.newInputs(n), c.newInputs(n)
	c.assertDiffer(c.arrayProduct(a, b), c.columnProduct(a, b))
	return nil
}

// arrayProduct multiplies two words of length n ≥ 1. The product has 2n bits; for n = 1 the top
// bit, which is always 0, is left out.
func (c circuit) arrayProduct(a, b []int32) (product []int32) {
	row := c.multiplyByBit(a, b[0])
	for _, bit := range b[1:] {
		product = append(product, row[0])
		row = c.addToLonger(row[1:], c.multiplyByBit(a, bit))
	}
	return append(product, row...)
}

// multiplyByBit returns a if bit is set, and 0 otherwise.
func (c circuit) multiplyByBit(a []int32, bit int32) (row []int32) {
	for _, x := range a {
		row = append(row, c.addAndGate(x, bit))
	}
	return row
}

// addToLonger adds a word to a word of at least the same length by rippling the carry. The sum
// has one bit more than the longer word.
func (c circuit) addToLonger(short, long []int32) (sum []int32) {
	carry := int32(0) // no carry yet
	for i, x := range long {
		terms := []int32{x}
		if i < len(short) {
			terms = append(terms, short[i])
		}
		if carry != 0 {
			terms = append(terms, carry)
		}
		var s int32
		s, carry = c.addUpToThreeBits(terms)
		sum = append(sum, s)
	}
	if carry != 0 {
		sum = append(sum, carry)
	}
	return sum
}

// addUpToThreeBits adds one to three bits; carry is 0 for a single bit.
func (c circuit) addUpToThreeBits(terms []int32) (sum, carry int32) {
	switch len(terms) {
	case 1:
		return terms[0], 0
	case 2:
		return c.halfAdder(terms[0], terms[1])
	}
	return c.fullAdder(terms[0], terms[1], terms[2])
}

// columnProduct multiplies like arrayProduct. Column w holds the bits of weight 2^w. Up to three
// bits at a time, the oldest first, are replaced by their sum, which stays in the column, and
// their carry, which goes to the next column, until one bit remains.
func (c circuit) columnProduct(a, b []int32) (product []int32) {
	columns := make([][]int32, 2*len(a)+1)
	for i, x := range a {
		for j, y := range b {
			columns[i+j] = append(columns[i+j], c.addAndGate(x, y))
		}
	}
	for w := 0; len(columns[w]) > 0; w++ {
		column := columns[w]
		for len(column) > 1 {
			k := min(3, len(column))
			sum, carry := c.addUpToThreeBits(column[:k])
			column = append(column[k:], sum)
			columns[w+1] = append(columns[w+1], carry)
		}
		product = append(product, column[0])
	}
	return product
}
