package sat_test

import (
	"math/rand/v2"
	"testing"

	"treesplit/sat"
	"treesplit/sat/gen"
	"treesplit/sat/ruletest"
)

// All rules of this package, by the name they have on the command line.
var rules = map[string]func(*sat.Formula) sat.Rule{
	"paper":        func(f *sat.Formula) sat.Rule { return sat.NewPaper(f) },
	"paper-static": func(f *sat.Formula) sat.Rule { return sat.NewStatic(f) },
	"unit":         func(f *sat.Formula) sat.Rule { return sat.NewUnit(f) },
}

func TestRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for name, s := range map[string]ruletest.Suite{
		"paper": {Variables: 40, Trees: map[string]*sat.Formula{
			"php-6": generate(t, "php", "n", 6), "random": ruletest.RandomFormula(rng, 28, 130, 3)}},
		"paper-static": {Variables: 20, Trees: map[string]*sat.Formula{
			"php-4": generate(t, "php", "n", 4), "random": ruletest.RandomFormula(rng, 24, 120, 3)}},
		"unit": {Variables: 60, Trees: map[string]*sat.Formula{
			"php-6": generate(t, "php", "n", 6), "random": ruletest.RandomFormula(rng, 50, 215, 3)}},
	} {
		s.New = rules[name]
		t.Run(name, s.Run)
	}
}

// generate makes a formula of a family with one parameter.
func generate(t testing.TB, family, parameter string, value float64) *sat.Formula {
	t.Helper()
	return generateAll(t, family, map[string]float64{parameter: value})
}

func generateAll(t testing.TB, family string, parameters map[string]float64) *sat.Formula {
	t.Helper()
	g, err := gen.FindFamily(family)
	if err != nil {
		t.Fatal(err)
	}
	f, _, err := g.MakeFormula(parameters, 1)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// whole goes through the whole tree.
func whole(rule sat.Rule) sat.Counts {
	s := sat.NewSearch(rule, sat.Options{Root: true, All: true})
	for !s.Empty() {
		s.Expand(1 << 16)
	}
	return s.Counts()
}
