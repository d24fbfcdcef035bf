package lookahead

// long holds the clauses of more than three literals, and for each literal the clauses that it
// satisfies. The lists do not change. Counters give the number of remaining literals of a clause.
type long struct {
	clauses [][]int32
	in      [][]int32 // in[l]: the clauses with literal l
	free    []int32   // per clause: number of literals that are not false, by propagated literals
	true    []int32   // per clause: number of literals that are true, by propagated literals
	cost    int64     // steps of a trial that visits a clause: half of the mean length
}

func newLong(clauses [][]int32, literals int) long {
	g := long{clauses: clauses, in: make([][]int32, literals), free: make([]int32, len(clauses)), true: make([]int32, len(clauses))}
	count := make([]int32, literals)
	total := 0
	for c, lits := range clauses {
		g.free[c] = int32(len(lits))
		total += len(lits)
		for _, l := range lits {
			count[l]++
		}
	}
	g.cost = int64(1 + total/(2*max(len(clauses), 1)))
	all := make([]int32, total)
	for l, n := range count {
		g.in[l], all = all[:0:n], all[n:]
	}
	for c, lits := range clauses {
		for _, l := range lits {
			g.in[l] = append(g.in[l], int32(c))
		}
	}
	return g
}

// assignLiteral counts a literal that became true.
func (g *long) assignLiteral(l int32) {
	for _, c := range g.in[l] {
		g.true[c]++
	}
	for _, c := range g.in[l^1] {
		g.free[c]--
	}
}

// retractLiteral undoes assignLiteral.
func (g *long) retractLiteral(l int32) {
	for _, c := range g.in[l] {
		g.true[c]--
	}
	for _, c := range g.in[l^1] {
		g.free[c]++
	}
}
