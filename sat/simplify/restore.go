package simplify

// Every variable that leaves the formula adds a step. The steps are undone in reverse order. The
// literal that a step depends on left the formula later or is still in it, so it already has its
// value.

// step means that literal l takes the value of r, or is true if r is always.
type step struct{ l, r lit }

// always is the r of a step whose literal is true.
const always = lit(-1)

// Determined returns the number of variables that left the formula with a value, or with the
// value of another literal. All other variables that do not occur in the simplified formula are
// free. Unless Options.Pure was set, the number of models of the input is 2^(number of free
// variables) times the number of models of the simplified formula.
func (r *Result) Determined() int {
	seen := map[lit]bool{}
	for _, s := range r.steps {
		seen[s.l>>1] = true
	}
	return len(seen)
}

func restoreModel(steps []step, model []bool) {
	for i := len(steps) - 1; i >= 0; i-- {
		l, r := steps[i].l, steps[i].r
		truth := r == always || model[r>>1] != (r&1 == 1)
		model[l>>1] = truth != (l&1 == 1)
	}
}
