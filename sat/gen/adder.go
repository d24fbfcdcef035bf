package gen

// A miter of two n-bit adders. A ripple-carry adder and a Kogge–Stone adder, which computes all
// carries in log n steps, add the same two numbers. The formula asserts that they differ in a bit
// of the sum or in the carry out. It is unsatisfiable. Variables 1..2n are the bits a_0, b_0,
// a_1, b_1, …, least significant first. Branching on inputs with unit propagation must set all of
// them: 2^(2n+1) − 1 nodes.
//
// Source: P. Kogge, H. Stone, A Parallel Algorithm for the Efficient Solution of a
// General Class of Recurrence Equations, IEEE Trans. Computers 22 (1973); miters:
// D. Brand, Verification of Large Synthesized Designs, ICCAD 1993.
var adderFamily = Family{
	Name:    "adder",
	Help:    "miter of a ripple-carry and a Kogge-Stone adder; unsatisfiable",
	Example: "n=8",
	Params:  []Param{{Name: "n", Help: "bits of each number", Default: 8, Min: 1, Max: 4096}},
	build:   buildAdder,
	status:  alwaysUnsatisfiable("both circuits add"),
}

func buildAdder(v values, d *draft) error {
	c := circuit{d}
	in := c.newInputs(2 * v.wholeNumber("n"))
	var a, b []int32
	for i := 0; i < len(in); i += 2 {
		a, b = append(a, in[i]), append(b, in[i+1])
	}
	c.assertDiffer(c.rippleCarry(a, b), c.koggeStone(a, b))
	return nil
}

// rippleCarry adds two words of equal length n ≥ 1; the sum has n + 1 bits.
func (c circuit) rippleCarry(a, b []int32) (sum []int32) {
	s, carry := c.halfAdder(a[0], b[0])
	sum = append(sum, s)
	for i := 1; i < len(a); i++ {
		s, carry = c.fullAdder(a[i], b[i], carry)
		sum = append(sum, s)
	}
	return append(sum, carry)
}

// koggeStone adds like rippleCarry. After the step of a span, generate[i] means that bits
// i−2·span+1..i produce a carry, and propagate[i] means that they pass a carry on.
func (c circuit) koggeStone(a, b []int32) (sum []int32) {
	n := len(a)
	half, generate := make([]int32, n), make([]int32, n)
	for i := range n {
		half[i], generate[i] = c.halfAdder(a[i], b[i])
	}
	propagate := append([]int32(nil), half...)
	for span := 1; span < n; span *= 2 {
		for i := n - 1; i >= span; i-- { // from the top: lower values are still from the previous step
			generate[i] = c.addOrGate(generate[i], c.addAndGate(propagate[i], generate[i-span]))
			if i >= 2*span {
				propagate[i] = c.addAndGate(propagate[i], propagate[i-span])
			}
		}
	}
	sum = append(sum, half[0])
	for i := 1; i < n; i++ {
		sum = append(sum, c.addXorGate(half[i], generate[i-1]))
	}
	return append(sum, generate[n-1])
}
