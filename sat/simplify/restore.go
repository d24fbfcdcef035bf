package simplify

// Every variable that leaves the formula adds one or more steps. The steps are undone in reverse
// order. The literals that a step depends on left the formula later or are still in it, so they
// already have their values.
//
// An eliminated variable stores the clauses of one of its literals, l, without l. The last step,
// which is undone first, makes the opposite literal true, which satisfies the clauses of that
// literal. Then each stored clause whose literals are all false makes l true. This leaves no
// clause of the opposite literal false, because the resolvent of the two clauses is true.
//
// Source: N. Eén, A. Biere, SAT 2005, section 3; M. Järvisalo, A. Biere, Reconstructing Solutions
// after Blocked Clause Elimination, SAT 2010.

// step means that literal l takes the value of r. If r is always, l is true. If r < always, l is
// made true if all literals of the stored clause at −2 − r are false, and otherwise keeps its
// value.
type step struct{ l, r lit }

// always is the r of a step whose literal is true.
const always = lit(-1)

// storeClause adds a step that makes l true if the other literals of the clause are false. The
// clause is stored as the number of these literals and the literals.
func (s *simplifier) storeClause(l lit, clause []lit) {
	s.steps = append(s.steps, step{l, always - 1 - lit(len(s.kept))})
	s.kept = append(s.kept, lit(len(clause)-1))
	for _, x := range clause {
		if x != l {
			s.kept = append(s.kept, x)
		}
	}
}

// Determined returns the number of variables that left the formula with a value, with the value
// of another literal, or by elimination. All other variables that do not occur in the simplified
// formula are free. Unless Options.Pure or Options.Eliminate was set, the number of models of the
// input is 2^(number of free variables) times the number of models of the simplified formula.
func (r *Result) Determined() (n int) {
	seen := make([]bool, r.Formula.Variables)
	for _, s := range r.steps {
		if v := s.l >> 1; !seen[v] {
			seen[v] = true
			n++
		}
	}
	return n
}

// restoreModel undoes the steps. kept holds the stored clauses.
func restoreModel(steps []step, kept []lit, model []bool) {
	for i := len(steps) - 1; i >= 0; i-- {
		l, r := steps[i].l, steps[i].r
		truth := true
		switch {
		case r >= 0:
			truth = model[r>>1] != (r&1 == 1)
		case r < always && isSatisfied(kept[always-1-r:], model):
			continue
		}
		model[l>>1] = truth != (l&1 == 1)
	}
}

// isSatisfied reports whether a literal of the stored clause at the start of kept is true.
func isSatisfied(kept []lit, model []bool) bool {
	for _, l := range kept[1 : 1+kept[0]] {
		if model[l>>1] != (l&1 == 1) {
			return true
		}
	}
	return false
}
