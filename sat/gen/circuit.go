package gen

// circuit builds a Boolean circuit as clauses: each gate has its own variable and the clauses
// that make the variable equal to the gate's function. In every clause inputs come before the
// output, and gates come after their inputs. So a rule that branches on the first literal of the
// first open clause branches on inputs, and unit propagation evaluates the gates.
//
// Source: G. Tseitin, On the Complexity of Derivation in Propositional Calculus, 1968.
type circuit struct{ d *draft }

// newInputs returns n new variables.
func (c circuit) newInputs(n int) []int32 {
	return firstNumbers(c.d.newVariables(n), n)
}

// addAndGate returns the variable of a gate a ∧ b.
func (c circuit) addAndGate(a, b int32) int32 {
	g := c.d.newVariables(1)
	c.d.addClause(a, -g)
	c.d.addClause(b, -g)
	c.d.addClause(-a, -b, g)
	return g
}

// addOrGate returns the variable of a gate a ∨ b.
func (c circuit) addOrGate(a, b int32) int32 {
	g := c.d.newVariables(1)
	c.d.addClause(-a, g)
	c.d.addClause(-b, g)
	c.d.addClause(a, b, -g)
	return g
}

// addXorGate returns the variable of a gate a ⊕ b.
func (c circuit) addXorGate(a, b int32) int32 {
	g := c.d.newVariables(1)
	c.d.addClause(a, b, -g)
	c.d.addClause(a, -b, g)
	c.d.addClause(-a, b, g)
	c.d.addClause(-a, -b, -g)
	return g
}

// halfAdder returns the sum and the carry of two bits.
func (c circuit) halfAdder(x, y int32) (sum, carry int32) {
	return c.addXorGate(x, y), c.addAndGate(x, y)
}

// fullAdder returns the sum and the carry of three bits.
func (c circuit) fullAdder(x, y, z int32) (sum, carry int32) {
	half, generated := c.halfAdder(x, y)
	sum, propagated := c.halfAdder(half, z)
	return sum, c.addOrGate(generated, propagated)
}

// assertDiffer asserts that two words of equal length differ in a bit: the miter.
func (c circuit) assertDiffer(x, y []int32) {
	clause := make([]int32, len(x))
	for i := range x {
		clause[i] = c.addXorGate(x[i], y[i])
	}
	c.d.addClause(clause...)
}
