package simplify

import "treesplit/sat/parity"

// Parities (XOR constraints) are found among the clauses (sat/parity) and added up by Gaussian
// elimination (xor_eliminate.go). The consequences of the sums are proved (xor_proof.go). A sum
// without variables may refute the formula. A sum of one variable fixes the variable. A sum of
// two variables makes literals equivalent, and its two clauses are added for the technique of
// equivalent literals. Sums of three variables are added as clauses too, because unit propagation
// finds no consequence of parities that share more than one variable. Their number is at most the
// number of parities at the first search.
//
// Source: J. Warners, H. van Maaren, A Two-Phase Algorithm for Solving a Class of Hard
// Satisfiability Problems, Operations Research Letters 23 (1998); M. Heule, J. van Zwieten,
// M. Dufour, H. van Maaren, March_eq, SAT 2004.

// findParities returns the parities among the clauses.
func (s *simplifier) findParities() *system {
	y := &system{}
	for _, p := range parity.Find(len(s.clauses), s.presentLiterals, &s.work.xor) {
		y.appendRow(row{odd: p.Odd, a: -1, b: -1, forms: forms{short: true}}, p.Variables)
	}
	return y
}

// presentLiterals returns the literals of a clause, none if the clause was removed.
func (s *simplifier) presentLiterals(c int) []lit {
	if s.clauses[c].size < 0 {
		return nil
	}
	return s.clauseLiterals(c)
}

// maxParity is the largest number of variables of a parity that has short form.
const maxParity = parity.MaxSize

// useParities runs the three steps.
func (s *simplifier) useParities() {
	y := s.findParities()
	found := len(y.rows)
	s.stats.XORs = found
	if s.triples < 0 {
		s.triples = found
	}
	if found < 2 {
		return
	}
	contradiction := y.eliminate(len(s.value)/2, &s.work.xor)
	s.stats.Sums += len(y.rows) - found
	accepted, needed := s.chooseSums(y, found, contradiction)
	if len(accepted) == 0 {
		return
	}
	s.proveSums(y, accepted, needed)
	for _, r := range accepted {
		s.addRowClauses(y, r)
	}
}

// chooseSums returns the sums to use: only the contradiction if there is one, and otherwise all
// short new sums, as long as their proofs together are not too long. needed marks the rows of
// which they are sums.
func (s *simplifier) chooseSums(y *system, found int, contradiction int32) (accepted []int32, needed []bool) {
	needed = make([]bool, len(y.rows))
	lines := s.opt.Lines
	if contradiction >= 0 {
		if y.markNeeded(contradiction, needed, &lines, &s.work.xor) {
			return []int32{contradiction}, needed
		}
		s.stats.Skipped++
	}
	known := map[uint64]bool{}
	for r := range y.rows {
		if k := y.rows[r].size; k == 0 || k > 3 {
			continue
		}
		h := uint64(0)
		for _, v := range y.rowVariables(int32(r)) {
			h += parity.HashVariable(v)
		}
		triple := y.rows[r].size == 3
		if r >= found && !known[h] && !(triple && s.triples == 0) {
			if !y.markNeeded(int32(r), needed, &lines, &s.work.xor) {
				s.stats.Skipped++
				continue
			}
			if triple {
				s.triples--
			}
			accepted = append(accepted, int32(r))
		}
		known[h] = true
	}
	return accepted, needed
}

// markNeeded marks row r and the rows of which it is the sum, if their proofs take no more than
// the remaining lines.
func (y *system) markNeeded(r int32, needed []bool, lines, work *int) bool {
	if needed[r] {
		return true
	}
	marked, left := []int32{r}, *lines
	needed[r] = true
	for i := 0; i < len(marked) && left >= 0; i++ {
		at := y.rows[marked[i]]
		left -= at.lines
		*work -= 2
		for _, part := range [...]int32{at.a, at.b} {
			if part >= 0 && !needed[part] {
				needed[part] = true
				marked = append(marked, part)
			}
		}
	}
	if left < 0 || *work <= 0 {
		for _, x := range marked {
			needed[x] = false
		}
		return false
	}
	*lines = left
	return true
}

// proveSums writes the lemmas of the accepted sums. It then deletes the lemmas about variables
// that only these proofs define.
func (s *simplifier) proveSums(y *system, accepted []int32, needed []bool) {
	if s.opt.Lemma == nil {
		return
	}
	p := newProver(y, int32(s.maxVariable), func(clause []lit) { s.writeLemma(clause...) }, nil)
	if s.opt.Delete != nil {
		p.drop = s.writeDeletion
	}
	for r := range y.rows {
		if needed[r] {
			p.writeRowProof(int32(r))
		}
	}
	for _, r := range accepted {
		p.writeShortForm(r)
	}
	if p.drop != nil {
		p.deleteDefinitions()
	}
	s.maxVariable = int(p.next)
}

// addRowClauses adds row r, which is proved, to the formula.
func (s *simplifier) addRowClauses(y *system, r int32) {
	s.changes++
	own, odd := y.rowVariables(r), y.rows[r].odd
	switch len(own) {
	case 0:
		s.refuteFormula()
		return
	case 1:
		s.stats.XORUnits++
	case 2:
		s.stats.XORPairs++
	case 3:
		s.stats.XORTriples++
	}
	eachWrongParity(len(own), odd, func(truths int) {
		var clause [3]lit
		for i, v := range own {
			clause[i] = lit(2*v) + lit(truths>>i&1)
		}
		s.addClause(clause[:len(own)]...)
	})
}
