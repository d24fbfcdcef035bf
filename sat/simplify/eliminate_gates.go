package simplify

// Gates: clauses that define a variable as a function of others. If the clauses G define x, and R
// are the other clauses with x, then the resolvents of G with R imply the resolvents of R with R,
// and the resolvents of G with G are tautologies. So only the resolvents of G with R are added.
// Two kinds are recognised: x = a1 ∧ … ∧ ak (also negated, and k = 1), and x = (if c then t else
// e), of which a ⊕ b is the case e = ¬t.
//
// Source: N. Eén, A. Biere, SAT 2005, section 4 (definitions).

// gate marks the clauses of a gate in the lists of a literal p and of its negation.
type gate struct {
	found    bool
	positive []bool // by position in the list of p
	negative []bool // by position in the list of the negation
	ternary  []branch
}

// branch is a clause of three literals with the literal of a gate: its other literals, and its
// position.
type branch struct {
	a, b lit
	at   int
}

// maxBranches is the largest number of clauses of three literals among which a gate is searched.
const maxBranches = 32

// omits reports whether the resolvent of the i-th clause of p and the j-th clause of its negation
// is not needed.
func (g *gate) omits(i, j int) bool { return g.found && g.positive[i] == g.negative[j] }

// findGate searches for a gate that defines p. The lists are the clauses of p and of its negation.
func (g *gate) findGate(s *simplifier, positive, negative []int32, p lit) {
	g.positive = resizeSlice(g.positive, len(positive))
	g.negative = resizeSlice(g.negative, len(negative))
	clear(g.positive)
	clear(g.negative)
	n := p.complement()
	g.found = s.findConjunction(positive, negative, g.positive, g.negative, p) ||
		s.findConjunction(negative, positive, g.negative, g.positive, n) ||
		g.findChoice(s, positive, negative, p)
}

// findConjunction searches for x = a1 ∧ … ∧ ak: a clause x ∨ ¬a1 ∨ … ∨ ¬ak in the list long, and
// the clauses ¬x ∨ ai in the list short. It marks them.
func (s *simplifier) findConjunction(long, short []int32, inLong, inShort []bool, x lit) bool {
	if !s.markImplied(short, x.complement()) {
		return false
	}
	for i, c := range long {
		if clause := s.clauseLiterals(int(c)); s.impliesOthers(clause, x) {
			inLong[i] = true
			s.markInputs(clause, short, inShort, x)
			return true
		}
	}
	return false
}

// markImplied makes the literals the current clause that form a clause of two literals with x. found
// reports whether there is one.
func (s *simplifier) markImplied(list []int32, x lit) (found bool) {
	s.clearMarks()
	for _, c := range list {
		if clause := s.clauseLiterals(int(c)); len(clause) == 2 {
			s.stamp[otherLiteral(clause, x)] = s.now
			found = true
		}
	}
	return found
}

// otherLiteral returns the literal of a clause of two literals that is not l.
func otherLiteral(clause []lit, l lit) lit { return clause[0] ^ clause[1] ^ l }

// impliesOthers reports whether the negations of all literals of the clause except x are marked.
func (s *simplifier) impliesOthers(clause []lit, x lit) bool {
	for i, l := range clause {
		if l != x && s.stamp[l.complement()] != s.now {
			s.work.eliminate -= i + 1
			return false
		}
	}
	s.work.eliminate -= len(clause)
	return true
}

// markInputs marks the clauses ¬x ∨ a of the literals ¬a in the clause.
func (s *simplifier) markInputs(clause []lit, short []int32, inShort []bool, x lit) {
	s.clearMarks()
	for _, l := range clause {
		s.stamp[l] = s.now
	}
	for i, c := range short {
		binary := s.clauseLiterals(int(c))
		if len(binary) == 2 && s.stamp[otherLiteral(binary, x.complement()).complement()] == s.now {
			inShort[i] = true
		}
	}
}

// findChoice searches for p = (if c then t else e): the clauses ¬p ∨ ¬c ∨ t, ¬p ∨ c ∨ e, p ∨ ¬c ∨
// ¬t and p ∨ c ∨ ¬e. It marks them.
func (g *gate) findChoice(s *simplifier, positive, negative []int32, p lit) bool {
	g.ternary = s.listTernary(g.ternary[:0], negative, p.complement())
	split := len(g.ternary)
	g.ternary = s.listTernary(g.ternary, positive, p)
	branches, opposite := g.ternary[:split], g.ternary[split:]
	s.work.eliminate -= len(branches) * len(branches)
	if len(branches) > maxBranches || len(opposite) > maxBranches {
		return false
	}
	for i, x := range branches {
		for _, y := range branches[:i] {
			for _, c := range [...]lit{x.a, x.b} {
				if y.a != c.complement() && y.b != c.complement() {
					continue
				}
				t, e := x.a^x.b^c, y.a^y.b^c.complement()
				first, second := findBranch(opposite, c, t.complement()), findBranch(opposite, c.complement(), e.complement())
				if first >= 0 && second >= 0 {
					g.negative[x.at], g.negative[y.at] = true, true
					g.positive[first], g.positive[second] = true, true
					return true
				}
			}
		}
	}
	return false
}

// listTernary appends the clauses of three literals in the list of x.
func (s *simplifier) listTernary(branches []branch, list []int32, x lit) []branch {
	for i, c := range list {
		clause := s.clauseLiterals(int(c))
		if len(clause) != 3 {
			continue
		}
		switch x {
		case clause[0]:
			branches = append(branches, branch{clause[1], clause[2], i})
		case clause[1]:
			branches = append(branches, branch{clause[0], clause[2], i})
		default:
			branches = append(branches, branch{clause[0], clause[1], i})
		}
	}
	return branches
}

// findBranch returns the position of the clause with the literals a and b, or −1.
func findBranch(branches []branch, a, b lit) int {
	for _, x := range branches {
		if x.a == a && x.b == b || x.a == b && x.b == a {
			return x.at
		}
	}
	return -1
}
