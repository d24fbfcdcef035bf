package simplify

import (
	"math/rand/v2"
	"slices"
	"testing"

	"treesplit/sat"
)

// twice simplifies in two steps: by parities and by elimination, then by all techniques.
func twice(f *sat.Formula, opt Options) *Result {
	first, second := opt, AllTechniques()
	second.Lemma, second.Delete, second.Work = opt.Lemma, opt.Delete, opt.Work
	return Run(f, first).SimplifyMore(second)
}

// Two steps keep what one step keeps: satisfiability, models and proofs.
func TestSimplifyMore(t *testing.T) {
	rounds := 2000
	if testing.Short() {
		rounds = 500
	}
	rng := rand.New(rand.NewPCG(6, 6))
	for i := range rounds {
		f := mixed(rng)
		opt := []Options{{Eliminate: true}, LookaheadTechniques(), {XOR: true}, {Eliminate: true, Vivify: true}}[i%4]
		if err := verifyRun(f, opt, twice); err != nil {
			t.Fatalf("%v\n%v", err, slices.Collect(clauses(f)))
		}
	}
}
