package lookahead

import "treesplit/sat"

// A rule that splits a formula for a clause-learning solver branches in another way than a rule that
// refutes it. What counts is how short the clauses become for the solver, so scores ignore the
// weights of literals. A variable that is good for splitting may have a small weight, so all
// variables are tried. In return no trials are made below trials: they find more forced literals,
// but the solver finds these too.
//
// Source: the solver march_cu of M. Heule, whose parameters for cubes differ in the same way from its
// parameters for refutation (Heule et al., Cube and Conquer, HVC 2011).

// NewSplitting compiles the version of the rule for Splitter. All literals that it makes true at a
// node follow from the formula and the path: it makes no autarky true.
func NewSplitting(f *sat.Formula) *Rule {
	r := New(f)
	r.splitting = true
	return r
}

// scoring is how trials are scored.
type scoring struct {
	ones   []float32            // the weights of literals if weights are ignored
	factor [longest + 1]float32 // of a clause by the number of remaining literals
}

// splittingDecay is the value of a clause in comparison with a clause that is shorter by one.
const splittingDecay = 0.5

// newScoring returns how the rule scores trials.
func (r *Rule) newScoring() (s scoring) {
	s.factor = longFactor
	if !r.splitting {
		return s
	}
	s.ones = make([]float32, 2*len(r.names))
	for i := range s.ones {
		s.ones[i] = 1
	}
	for i := 3; i <= longest; i++ {
		s.factor[i] = s.factor[i-1] * splittingDecay
	}
	return s
}

// ignoresWeights reports whether the weights of literals have no effect: the rule tries all variables.
func (w *walk) ignoresWeights() bool { return w.rule.splitting && len(w.rule.names) <= mostTried }
