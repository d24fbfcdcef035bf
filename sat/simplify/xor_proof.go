package simplify

import (
	"math/bits"
	"slices"
)

// Proofs of sums of parities, in one of two forms.
//
// A short parity is written as its 2^(k−1) clauses. Such a clause of the sum of a and b,
// assumed false, leaves in both just the variables they share. If that is one, a makes
// it true and b false. If they are w1 … wm the clause extended by either literal of w1 is
// proved first, that extended by those of w2 before, and so on.
//
// A long parity x1 ⊕ … ⊕ xk is a variable of its own that the proof defines: the sums
// p2 = x1 ⊕ x2, p3 = p2 ⊕ x3 … of its first variables in ascending order are extension
// variables, equal beginnings having the same, and the parity is the unit pk or ¬pk. For
// the sum c of a and b go through the variables in order and prove of the sums so far
// that a ⊕ b ⊕ c is even: four clauses, each preceded by itself with the variable that
// the step is about. This takes 8 lemmas a variable, however long the parities are, and
// they can be deleted once the unit is there.
//
// Source: T. Philipp, A. Rebola-Pardo, DRAT Proofs for XOR Reasoning, JELIA 2016, for
// sums of short parities and for cutting long ones; R. Bryant, M. Heule, Generating
// Extended Resolution Proofs with a BDD-Based SAT Solver, TACAS 2021, for the ordered
// sums, which are the nodes of a parity's decision diagram.
type prover struct {
	*system
	write    func(clause []lit) // adds a lemma
	drop     func(clause []lit) // deletes one, or is nil
	next     int32              // the variable to be defined next, from 0
	prefixes map[[2]int32]int32 // a sum of first variables and the next one: their sum
	defined  [][3]int32         // each new variable and the two that it is the sum of
	forms    []forms            // by row
	long     []int32            // by row in long form: the variable that is its sum
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

// forms says in which forms a row has been written.
type forms struct{ short, long bool }

// countLines is what it takes to write a row of k variables in either form.
func (f forms) countLines(k int) (short, long int) {
	switch {
	case f.short:
	case k > maxParity:
		short = 1 << 30
	default:
		short = 1 << max(k-1, 0)
	}
	if !f.long {
		long = 1<<k + 4*k // the row is short then, and k is small
	}
	return short, long
}

// planProof chooses the form in which to prove a sum of two rows, given how many variables
// the three have and how the two are written, and bounds the lemmas.
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

// writeRowProof writes row r, whose parts have been proved, in the form that takes fewer lines.
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

// flushLine hands the line to to, unless it is empty: whoever asked for that contradiction
// writes the empty clause. All but the first n literals are then dropped.
func (p *prover) flushLine(to func(clause []lit), n int) {
	if len(p.line) > 0 {
		to(p.line)
	}
	p.line = p.line[:n]
}

// appendAssumption appends to the line that not just the variables of bits are true.
func (p *prover) appendAssumption(variables []int32, truths int) {
	for i, v := range variables {
		p.line = append(p.line, lit(2*v)+lit(truths>>i&1))
	}
}

// eachWrongParity calls f with each assignment of k variables whose parity is not this one.
func eachWrongParity(k int, odd bool, f func(truths int)) {
	for truths := range 1 << k {
		if bits.OnesCount(uint(truths))&1 == 1 != odd {
			f(truths)
		}
	}
}

// proveShortRow proves the clauses of row r from those of its parts.
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

// writeLongForm writes the unit that stands for row r, from its clauses: one variable after
// the other is replaced by the sum of the first ones.
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

// writeTwice writes or deletes the clause that not just the variables of truths are true,
// first with x.
func (p *prover) writeTwice(x int32, variables []int32, truths int, to func(clause []lit)) {
	p.appendAssumption(variables, truths)
	p.line = append(p.line, lit(2*x))
	p.flushLine(to, 0)
	p.appendAssumption(variables, truths)
	p.flushLine(to, 0)
}

// none is the sum of no variables, which needs no definition.
const none = int32(-1)

// extendPrefix returns the variable that is prefix ⊕ v, and defines it the first time.
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

// writeDefinition writes or deletes a definition. The new variable stands first.
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

// proveLongRow proves the unit that stands for row r from those of its parts.
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

// followRowSum writes or deletes what leads through the variables of the parts of row r, and
// returns the variable that is the row's sum. While one of the three sums is empty the
// other two are the same variable, and the step after that is a definition.
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
