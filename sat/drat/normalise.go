package drat

import "fmt"

// normaliser translates clauses from the numbers of DIMACS.
type normaliser struct {
	variables variables

	// The current clause.
	clause []literal // without repetitions, in the order of the proof
	in     set       // its literals
	hash   uint32
}

// translate makes a clause of the formula or the proof the current clause.
func (n *normaliser) translate(numbers []int32) error {
	n.clause, n.hash = n.clause[:0], 0
	n.in.removeAll()
	for _, number := range numbers {
		l := n.literalFor(number)
		if n.in.hasLiteral(l) {
			continue
		}
		n.in.addLiteral(l)
		n.hash += hashLiteral(l)
		n.clause = append(n.clause, l)
	}
	if n.variables.count > maxVariables {
		return fmt.Errorf("formula and proof have more than %d variables: expected at most that number", maxVariables)
	}
	return nil
}

// literalFor returns the literal of a DIMACS number.
func (n *normaliser) literalFor(number int32) literal {
	l := 2 * n.variables.findIndex(max(number, -number))
	n.in.growTo(l >> 1)
	if number < 0 {
		l++
	}
	return l
}

// setClause makes a clause without repetitions the current one.
func (n *normaliser) setClause(clause []literal) { n.setHashed(clause, hashClause(clause)) }

// setHashed is setClause if the hash of the clause is known.
func (n *normaliser) setHashed(clause []literal, hash uint32) {
	n.clause, n.hash = append(n.clause[:0], clause...), hash
	n.in.removeAll()
	for _, l := range clause {
		n.in.addLiteral(l)
	}
}
