package ruletest

import (
	"math/rand/v2"
	"testing"

	"treesplit/sat"
	"treesplit/search"
)

// threshold lists kinds of random formulas of which about half are satisfiable: n formulas of
// each kind, with share·Variables variables and the given number of clauses per variable.
var threshold = []struct {
	lengths []int
	ratio   float64
	share   float64
	n       int
}{
	{lengths: []int{3}, ratio: 4.26, share: 1, n: 200},
	{lengths: []int{2}, ratio: 1, share: 1, n: 100},
	{lengths: []int{4}, ratio: 9.8, share: 0.6, n: 80},
	{lengths: []int{5}, ratio: 21.2, share: 0.4, n: 60},
	{lengths: []int{2, 3, 4}, ratio: 2.7, share: 1, n: 100},
	{lengths: []int{2, 3, 4, 5, 6, 7}, ratio: 4.2, share: 0.6, n: 60},
}

// checkAgainstSolvers compares verdicts on random formulas around the threshold with minisat and
// cadical, if they are installed. It also checks the models and some of the proofs.
func (s Suite) checkAgainstSolvers(t *testing.T) {
	judges := NewJudges(t)
	satisfiable, total := 0, 0
	for _, kind := range threshold {
		rng := rand.New(rand.NewPCG(3, uint64(total)))
		n := kind.n
		if testing.Short() {
			n /= 10
		}
		variables := int(kind.share * float64(s.Variables))
		for i := range n {
			f := RandomFormula(rng, variables, int(kind.ratio*float64(variables)+0.5), kind.lengths...)
			has, err := s.decideFormula(rng, f, i%4 == 0)
			if err == nil {
				err = judges.ExpectVerdict(f, has)
			}
			if err != nil {
				t.Fatalf("formula %d of lengths %v: %v", i, kind.lengths, err)
			}
			total++
			if has {
				satisfiable++
			}
		}
	}
	if err := judges.FinishJudging(); err != nil {
		t.Error(err)
	}
	if satisfiable < total/5 || satisfiable > total*4/5 {
		t.Errorf("%d of %d formulas are satisfiable: they are not around the threshold", satisfiable, total)
	}
}

// decideFormula decides a formula and checks the model. If prove is set, it also checks the
// proof.
func (s Suite) decideFormula(rng *rand.Rand, f *sat.Formula, prove bool) (satisfiable bool, err error) {
	rule := s.New(f)
	share := runShareToEnd(sat.NewSearch(rule, sat.Options{Splitting: search.Splitting{}, Root: true}), 10_000)
	model := share.Model()
	switch {
	case model != nil:
		err = f.CheckModel(model)
	case prove:
		err = s.checkSharedProof(rng, f, rule)
	}
	return model != nil, err
}
