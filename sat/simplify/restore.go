package simplify

// Every variable that leaves the formula leaves a step behind. Undone in reverse order,
// each step finds the literal that it depends on restored, since that one left later
// or is there still.

// step says that literal l takes the value of r, or is true if r is always.
type step struct{ l, r lit }

// always is the r of a step whose literal is true.
const always = lit(-1)

// Determined returns the number of variables that left the formula with a value, or with that
// of another literal. Every other variable that does not occur in the simplified formula is
// free: unless Options.Pure was set the input has 2^(those) times its models.
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
