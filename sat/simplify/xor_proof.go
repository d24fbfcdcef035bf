package simplify

import (
	"math/bits"
	"slices"
)

// Proofs of sums of parities have one of two forms.
//
// A short parity is written as its 2^(k−1) clauses. Consider a clause of the sum of a and b,
// assumed false. In both rows only the variables that they share remain. If there is one shared
// variable, a makes it true and b makes it false. If the shared variables are w1 … wm, the clause
// extended by each literal of w1 is proved first. Before these, the clauses extended by w2 are
// proved, and so on.
//
// A long parity x1 ⊕ … ⊕ xk is represented by a new variable that the proof defines. The sums p2
// = x1 ⊕ x2, p3 = p2 ⊕ x3 … of its first variables in ascending order are extension variables.
// Equal beginnings share them. The parity is the unit pk or ¬pk. To prove the sum c of a and b,
// the proof goes through the variables in order and proves that a ⊕ b ⊕ c of the sums so far is
// even. This takes four clauses, each preceded by the same clause with the variable of the step.
// So it takes 8 lemmas per variable for parities of any length. The lemmas can be deleted once
// the unit is proved.
//
// Source: T. Philipp, A. Rebola-Pardo, DRAT Proofs for XOR Reasoning, JELIA 2016, for
// sums of short parities and for cutting long ones; R. Bryant, M. Heule, Generating
// Extended Resolution Proofs with a BDD-Based SAT Solver, TACAS 2021, for the ordered
// sums, which are the nodes of a parity's decision diagram.
type prover struct {
	*system
	write    func(clause []lit) // adds a lemma
	drop     func(clause []lit) // deletes a lemma; or nil
	next     int32              // the next new variable, from 0
	prefixes map[[2]int32]int32 // a sum of first variables and the next variable: their sum
	defined  [][3]int32         // each new variable with the two variables of which it is the sum
	forms    []forms            // by row
	long     []int32            // by row in long form: the variable that represents its sum
	line     []lit
}

func newProver(y *system, next int32, write, drop func(clause []lit)) *prover {
	return &prover{
		system: y, write: write, drop: drop, next: next,
		prefixes: map[[2]int32]int32{},
		forms:    make([]forms, len(y.rows)),
		long:     make([]int32, len(y.rows)),
	}
}

// forms records in which forms a row has been written.
type forms struct{ short, long bool }

// countLines returns the number of lines for a row of k variables in either form.
func (f forms) countLines(k int) (short, long int) {
	switch {
	case f.short:
	case k > maxParity:
		short = 1 << 30
	default:
		short = 1 << max(k-1, 0)
	}
	if !f.long {
		long = 1<<k + 4*k // the row has short form in this case, and k is small
	}
	return short, long
}

// planProof chooses the form in which a sum of two rows is proved, from the numbers of variables
// of the three rows and the forms of the two. lines bounds the number of lemmas.
func planProof(a, b, sum int, formsA, formsB forms) (form forms, lines int) {
	shortA, longA := formsA.countLines(a)
	shortB, longB := formsB.countLines(b)
	shared := (a + b - sum) / 2
	long := longA + longB + 8*(sum+shared) + 4*sum + 1
	if sum > maxParity || shared > maxParity {
		return forms{long: true}, long
	}
	short := shortA + shortB + 1<<max(sum-1, 0)*(1<<shared-1)
	if short > long {
		return forms{long: true}, long
	}
	return forms{short: true}, short
}

// writeRowProof writes row r, whose two parts are proved, in the form that takes fewer lines.
func (p *prover) writeRowProof(r int32) {
	at := p.rows[r]
	if at.a < 0 {
		p.forms[r].short = true
		return
	}
	a, b := at.a, at.b
	form, _ := planProof(int(p.rows[a].size), int(p.rows[b].size), int(at.size), p.forms[a], p.forms[b])
	if form.short {
		p.writeShortForm(a)
		p.writeShortForm(b)
		p.proveShortRow(r)
	} else {
		p.writeLongForm(a)
		p.writeLongForm(b)
		p.proveLongRow(r)
	}
	p.forms[r] = form
}

// flushLine passes the line to to, unless the line is empty: the caller that requested the
// contradiction writes the empty clause. Then it drops all literals except the first n.
func (p *prover) flushLine(to func(clause []lit), n int) {
	if len(p.line) > 0 {
		to(p.line)
	}
	p.line = p.line[:n]
}

// appendAssumption appends to the line the clause that excludes this assignment of the variables.
func (p *prover) appendAssumption(variables []int32, truths int) {
	for i, v := range variables {
		p.line = append(p.line, lit(2*v)+lit(truths>>i&1))
	}
}

// eachWrongParity calls f with each assignment of k variables of the wrong parity.
func eachWrongParity(k int, odd bool, f func(truths int)) {
	for truths := range 1 << k {
		if bits.OnesCount(uint(truths))&1 == 1 != odd {
			f(truths)
		}
	}
}

// proveShortRow proves the clauses of row r from the clauses of its parts.
func (p *prover) proveShortRow(r int32) {
	at := p.rows[r]
	own := p.rowVariables(r)
	shared := []int32{}
	for _, v := range p.rowVariables(at.a) {
		if _, ok := slices.BinarySearch(p.rowVariables(at.b), v); ok {
			shared = append(shared, v)
		}
	}
	eachWrongParity(len(own), at.odd, func(truths int) {
		p.line = p.line[:0]
		p.appendAssumption(own, truths)
		for n := len(shared) - 1; n >= 0; n-- {
			for truths := range 1 << n {
				p.appendAssumption(shared[:n], truths)
				p.flushLine(p.write, len(own))
			}
		}
	})
	p.line = p.line[:0]
}

// writeShortForm writes the clauses of row r, which follow from the unit by propagation.
func (p *prover) writeShortForm(r int32) {
	if p.forms[r].short {
		return
	}
	p.forms[r].short = true
	own := p.rowVariables(r)
	eachWrongParity(len(own), p.rows[r].odd, func(truths int) {
		p.appendAssumption(own, truths)
		p.flushLine(p.write, 0)
	})
}

// writeLongForm writes the unit that represents row r, from the clauses of the row: one variable
// after the other is replaced by the sum of the first variables.
func (p *prover) writeLongForm(r int32) {
	if p.forms[r].long {
		return
	}
	p.forms[r].long = true
	replace := func(to func(clause []lit)) {
		own := slices.Clone(p.rowVariables(r))
		for i := 1; i < len(own); i++ {
			x := own[i]
			own[i] = p.extendPrefix(own[i-1], x)
			eachWrongParity(len(own)-i, p.rows[r].odd, func(truths int) { p.writeTwice(x, own[i:], truths, to) })
		}
		p.long[r] = own[len(own)-1]
	}
	replace(p.write)
	if p.drop != nil {
		replace(p.drop)
	}
}

// writeTwice writes or deletes the clause that excludes the assignment truths of the variables,
// first with x.
func (p *prover) writeTwice(x int32, variables []int32, truths int, to func(clause []lit)) {
	p.appendAssumption(variables, truths)
	p.line = append(p.line, lit(2*x))
	p.flushLine(to, 0)
	p.appendAssumption(variables, truths)
	p.flushLine(to, 0)
}

// none represents the sum of no variables, which needs no definition.
const none = int32(-1)

// extendPrefix returns the variable that represents prefix ⊕ v. It defines the variable at the
// first call.
func (p *prover) extendPrefix(prefix, v int32) int32 {
	if prefix == none {
		return v
	}
	key := [2]int32{prefix, v}
	sum, ok := p.prefixes[key]
	if !ok {
		sum = p.next
		p.next++
		p.prefixes[key] = sum
		p.defined = append(p.defined, [3]int32{sum, prefix, v})
		p.writeDefinition(len(p.defined)-1, p.write)
	}
	return sum
}

// writeDefinition writes or deletes a definition. The new variable is the first literal.
func (p *prover) writeDefinition(i int, to func(clause []lit)) {
	eachWrongParity(3, false, func(truths int) {
		p.appendAssumption(p.defined[i][:], truths)
		p.flushLine(to, 0)
	})
}

// deleteDefinitions deletes all definitions.
func (p *prover) deleteDefinitions() {
	for i := range p.defined {
		p.writeDefinition(i, p.drop)
	}
}

// proveLongRow proves the unit that represents row r from the units of its parts.
func (p *prover) proveLongRow(r int32) {
	sum := p.followRowSum(r, p.write)
	p.long[r] = sum
	if sum != none {
		eachWrongParity(1, p.rows[r].odd, func(truths int) {
			p.appendAssumption([]int32{sum}, truths)
			p.flushLine(p.write, 0)
		})
	}
	if p.drop != nil {
		p.followRowSum(r, p.drop)
	}
}

// followRowSum writes or deletes the lemmas along the variables of the parts of row r. It returns
// the variable that represents the row's sum. While one of the three sums is empty, the other two
// are the same variable, and the next step is a definition.
func (p *prover) followRowSum(r int32, to func(clause []lit)) int32 {
	a, b := p.rowVariables(p.rows[r].a), p.rowVariables(p.rows[r].b)
	sums := [3]int32{none, none, none}
	for len(a) > 0 || len(b) > 0 {
		x := int32(1<<31 - 1)
		if len(a) > 0 {
			x = a[0]
		}
		if len(b) > 0 {
			x = min(x, b[0])
		}
		trivial := slices.Contains(sums[:], none)
		inA, inB := len(a) > 0 && a[0] == x, len(b) > 0 && b[0] == x
		if inA {
			sums[0], a = p.extendPrefix(sums[0], x), a[1:]
		}
		if inB {
			sums[1], b = p.extendPrefix(sums[1], x), b[1:]
		}
		if inA != inB {
			sums[2] = p.extendPrefix(sums[2], x)
		}
		if !trivial {
			eachWrongParity(3, false, func(truths int) { p.writeTwice(x, sums[:], truths, to) })
		}
	}
	return sums[2]
}
