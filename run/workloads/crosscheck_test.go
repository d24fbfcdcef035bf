package workloads_test

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"treesplit/lb"
	"treesplit/run"
	"treesplit/run/workloads"
	"treesplit/sat"
	"treesplit/sat/gen"
	"treesplit/sat/proof"
	"treesplit/sat/ruletest"
)

// rulesFor returns the rules by which a formula is searched. A large formula is searched only by
// the rules whose purpose is an answer.
func rulesFor(large bool) []string {
	return slices.DeleteFunc(workloads.RuleNames(), func(r string) bool {
		return r == "auto" || large && !slices.Contains([]string{"plain", "lookahead"}, r)
	})
}

// kinds are random formulas around the threshold at which half of the formulas are satisfiable.
// With few variables the threshold is higher than with many.
var kinds = []struct {
	name    string
	lengths []int
	ratio   float64
	from    int // number of variables
	to      int
	n       int
	large   bool
}{
	{"3", []int{3}, 4.6, 8, 26, 600, false},
	{"4", []int{4}, 10, 8, 17, 300, false},
	{"5", []int{5}, 21.5, 7, 12, 200, false},
	{"mixed", []int{2, 3, 3, 4, 5}, 4.6, 8, 24, 300, false},
	{"3 large", []int{3}, 4.3, 40, 110, 200, true},
	{"mixed large", []int{2, 3, 4, 6}, 4, 30, 80, 100, true},
}

// Every rule decides random formulas around the threshold as minisat and cadical do, under every
// scheme, on every number of ranks, with and without simplification. Its models satisfy the
// formula. The checker accepts the proof of each refutation.
func TestVerdictsOfRandomFormulas(t *testing.T) {
	for i, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			j := ruletest.NewJudges(t)
			rng := rand.New(rand.NewPCG(17, uint64(i)))
			n, satisfiable := k.n, 0
			if testing.Short() {
				n /= 20
			}
			for turn := range n {
				variables := k.from + rng.IntN(k.to-k.from+1)
				ratio := k.ratio * (0.9 + 0.2*rng.Float64())
				f := ruletest.RandomFormula(rng, variables, int(ratio*float64(variables)), k.lengths...)
				if crossCheck(t, j, f, turn, k.large) {
					satisfiable++
				}
			}
			if err := j.FinishJudging(); err != nil {
				t.Error(err)
			}
			if satisfiable < n/5 || satisfiable > n*4/5 {
				t.Errorf("%d of %d formulas are satisfiable: they are not around the threshold", satisfiable, n)
			}
		})
	}
}

// Every rule decides small formulas of all families as the judges do.
func TestVerdictsOfFamilies(t *testing.T) {
	j := ruletest.NewJudges(t)
	small := map[string][]map[string]float64{
		"random":           {{"n": 25}, {"n": 20, "k": 4, "ratio": 9}},
		"php":              {{"n": 1}, {"n": 3}, {"n": 5}},
		"parity":           {{"n": 2}, {"n": 8}},
		"tseitin-torus":    {{"r": 3, "c": 3}},
		"tseitin-regular":  {{"n": 6, "d": 3}, {"n": 5, "d": 4}},
		"vdw":              {{"j": 3, "k": 3, "n": 8}, {"j": 3, "k": 3, "n": 9}, {"j": 3, "k": 4, "n": 18}},
		"ramsey":           {{"s": 3, "t": 3, "n": 5}, {"s": 3, "t": 3, "n": 6}},
		"adder":            {{"n": 1}, {"n": 2}},
		"multiplier":       {{"n": 1}, {"n": 2}},
		"mycielski":        {{"order": 3, "colours": 2}, {"order": 3, "colours": 3}, {"order": 4, "colours": 3}},
		"queens":           {{"n": 3, "colours": 3}, {"n": 4, "colours": 4}, {"n": 5, "colours": 5}},
		"random-colouring": {{"n": 8, "p": 0.4}, {"n": 10, "p": 0.5}},

		"palindromic-vdw":   {{"j": 3, "k": 4, "n": 15}, {"j": 3, "k": 4, "n": 16}},
		"green-tao":         {{"j": 3, "k": 3, "n": 22}, {"j": 3, "k": 3, "n": 23}},
		"schur":             {{"colours": 2, "n": 4}, {"colours": 2, "n": 5, "break-symmetry": 1}},
		"weak-schur":        {{"colours": 2, "n": 9, "break-symmetry": 1}},
		"pythagorean":       {{"n": 20, "k": 3}, {"n": 23, "k": 6, "break-symmetry": 1}},
		"erdos-discrepancy": {{"c": 1, "n": 4}, {"c": 1, "n": 9, "multiplicative": 1}},
		"php-variant":       {{"n": 3, "functional": 1, "onto": 1}, {"n": 2, "capacity": 2}},
		"chessboard":        {{"n": 4}},
		"sgen":              {{"groups": 1}, {"groups": 2}},
		"latin":             {{"n": 3, "holes": 5}},
		"langford":          {{"n": 2}, {"n": 3}, {"n": 4, "break-symmetry": 1}},
		"parity-learning":   {{"n": 3, "samples": 4, "errors": 1}},
	}
	turns := 6
	if testing.Short() {
		turns = 1
	}
	for _, family := range gen.ListFamilies() {
		if len(small[family.Name]) == 0 {
			t.Errorf("no sizes for family %q", family.Name)
		}
		for _, values := range small[family.Name] {
			for turn := range turns {
				crossCheck(t, j, made(t, family.Name, values, uint64(turn)), turn, false)
			}
		}
	}
	if err := j.FinishJudging(); err != nil {
		t.Error(err)
	}
}

// crossCheck decides a formula by every rule and compares the answers with the judges.
func crossCheck(t *testing.T, j *ruletest.Judges, f *sat.Formula, turn int, large bool) (satisfiable bool) {
	t.Helper()
	dir := t.TempDir()
	for i, rule := range rulesFor(large) {
		w := satOf(t, f, rule)
		w.Simplify = workloads.SimplifyNames()[(turn+i)%len(workloads.SimplifyNames())]
		w.Proof, w.ProofFormat = filepath.Join(dir, rule), proof.Format(turn/2%2)
		w.Learn = workloads.LearnNames()[turn%3]
		schemes := lb.SchemeNames()
		p := proofPlan(schemes[turn%len(schemes)], turn, 1+(turn+i)%3)
		r, err := run.RunOnGoroutines(p, w, run.Hooks{})
		w.Close()
		if err != nil {
			t.Fatalf("%v, rule %s, --simplify %s, %+v: %v", f, rule, w.Simplify, p, err)
		}
		found := r.Witness != nil
		if i == 0 {
			satisfiable = found
		}
		if found != satisfiable {
			t.Fatalf("%v, rule %s, --simplify %s: satisfiable %v, another rule %v", f, rule, w.Simplify, found, satisfiable)
		}
		if !found {
			checked(t, f, w.Proof)
			continue
		}
		decided, err := w.ReadResult(r)
		if err == nil {
			err = f.CheckModel(decided.Model)
		}
		if err != nil {
			t.Fatalf("%v, rule %s, --simplify %s: %v", f, rule, w.Simplify, err)
		}
	}
	if err := j.ExpectVerdict(f, satisfiable); err != nil {
		t.Fatal(err)
	}
	return satisfiable
}
