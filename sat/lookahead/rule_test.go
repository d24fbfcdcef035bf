package lookahead

import (
	"math/rand/v2"
	"testing"

	"treesplit/sat"
	"treesplit/sat/gen"
	"treesplit/sat/ruletest"
)

func TestRule(t *testing.T) {
	ruletest.Suite{
		New:      func(f *sat.Formula) sat.Rule { return New(f) },
		Counting: func(f *sat.Formula) sat.Rule { return NewCounting(f) },
		Trees: map[string]*sat.Formula{
			"php-7":     generate(t, "php", 7),
			"parity-11": generate(t, "parity", 11),
		},
		Variables: 60,
	}.Run(t)
}

func generate(t *testing.T, family string, n float64) *sat.Formula {
	t.Helper()
	g, err := gen.FindFamily(family)
	if err != nil {
		t.Fatal(err)
	}
	f, _, err := g.MakeFormula(map[string]float64{"n": n}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A Visit must leave no trace after it was taken back: the tree is the same if every node is
// reached by its own path, from a procedure that has visited only that path.
func TestVisitsAreFunctionsOfThePath(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for name, f := range map[string]*sat.Formula{
		"random-3": ruletest.RandomFormula(rng, 160, 700, 3),
		"random-4": ruletest.RandomFormula(rng, 45, 440, 4),
		"mixed":    ruletest.RandomFormula(rng, 90, 520, 3, 3, 4, 5),
		"counting": ruletest.RandomFormula(rng, 22, 60, 3, 3, 4, 5),
	} {
		rule := New(f)
		if name == "counting" {
			rule = NewCounting(f)
		}
		whole, nodes := rule.Begin(), 0
		var descend func(path []int32)
		descend = func(path []int32) {
			nodes++
			branch, outcome := whole.Visit(path[len(path)-1], nil)
			alone := rule.Begin()
			for i, l := range path {
				b, o := alone.Visit(l, nil)
				if i == len(path)-1 && (b != branch || o != outcome) {
					t.Fatalf("%s: node %v branches on %d (%d) by itself, and on %d (%d) in the tree", name, path, b, o, branch, outcome)
				}
			}
			if outcome == sat.Inner {
				descend(append(path[:len(path):len(path)], branch))
				descend(append(path[:len(path):len(path)], branch^1))
			}
			whole.Back()
		}
		descend([]int32{sat.NoLiteral})
		if nodes < 30 {
			t.Errorf("%s: %d nodes show little", name, nodes)
		}
	}
}
