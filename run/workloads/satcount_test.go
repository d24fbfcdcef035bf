package workloads_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"treesplit/lb"
	"treesplit/run"
	"treesplit/run/workloads"
	"treesplit/sat"
	"treesplit/sat/ruletest"
	"treesplit/sim"
)

// simplifications lists values of SAT.Simplify that keep all models.
var simplifications = []string{"auto", "on", "off", "subsume", "failed", "equivalent", "xor", "equivalent,failed", "xor,subsume", "vivify", "subsume,failed,equivalent,xor,vivify"}

// countingRules returns the rules that can count models.
func countingRules() []string {
	return slices.DeleteFunc(workloads.RuleNames(), func(r string) bool { return r == "cdcl" || r == "cubes" })
}

// modelsOf returns the number of models that a run counts.
func modelsOf(t testing.TB, f *sat.Formula, rule, simplify string, ranks int) *big.Int {
	t.Helper()
	return modelsUnder(t, f, rule, simplify, run.DefaultPlan(ranks))
}

// modelsUnder is modelsOf with a plan.
func modelsUnder(t testing.TB, f *sat.Formula, rule, simplify string, p run.Plan) *big.Int {
	t.Helper()
	w := satOf(t, f, rule)
	w.All, w.Simplify = true, simplify
	r, err := run.RunOnGoroutines(p, w, run.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := w.ReadResult(r)
	if err != nil {
		t.Fatal(err)
	}
	n := found.Models
	if (n.Sign() > 0) != (r.Witness != nil) {
		t.Fatalf("%v models, witness %v", n, r.Witness)
	}
	return n
}

// structured draws a formula that every technique of simplification can change: it has variables
// that occur nowhere or once, implications both ways, parity constraints, and clauses that
// subsume others.
func structured(rng *rand.Rand) *sat.Formula {
	f := ruletest.RandomFormula(rng, 9, rng.IntN(14), 2, 3, 4)
	f.Variables += rng.IntN(3)
	for range rng.IntN(3) {
		p := rng.Perm(9)
		a, b, c := int32(p[0]+1), int32(p[1]+1), int32(p[2]+1)
		switch rng.IntN(3) {
		case 0:
			f.AddClause(a, b)
			f.AddClause(-a, -b)
		case 1:
			for _, s := range [][]int32{{a, b, c}, {a, -b, -c}, {-a, b, -c}, {-a, -b, c}} {
				f.AddClause(s...)
			}
		default:
			f.AddClause(a, -b)
			f.AddClause(a, -b, c)
		}
	}
	return f
}

// After every simplification, every rule counts the models of a truth table.
func TestModelsAgainstTruthTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	rules := countingRules()
	formulas := 600
	if testing.Short() {
		formulas = 60
	}
	for i := range formulas {
		f := ruletest.MixedFormula(rng)
		if i%2 == 0 {
			f = structured(rng)
		}
		rule, simplify := rules[i%len(rules)], simplifications[rng.IntN(len(simplifications))]
		if got, want := modelsOf(t, f, rule, simplify, 1+rng.IntN(3)), ruletest.CountModels(f); got.Cmp(big.NewInt(want)) != 0 {
			t.Fatalf("formula %d, rule %s, simplify %s: %v models, want %d: %v", i, rule, simplify, got, want, f)
		}
	}
}

// placed returns the formula in which every row has a column and no two rows have the same
// column. It has n! models for n rows and n columns.
func placed(n int) *sat.Formula {
	f := new(sat.Formula)
	at := func(row, column int) int32 { return int32(row*n + column + 1) }
	for row := range n {
		some := make([]int32, n)
		for column := range n {
			some[column] = at(row, column)
			for other := range n {
				if other > row {
					f.AddClause(-at(row, column), -at(other, column))
				}
				if other > column {
					f.AddClause(-at(row, column), -at(row, other))
				}
			}
		}
		f.AddClause(some...)
	}
	return f
}

// queens returns placed with the condition that no two of n queens attack each other.
func queens(n int) *sat.Formula {
	f := placed(n)
	for a := range n * n {
		for b := range a {
			if dr, dc := a/n-b/n, a%n-b%n; dr != 0 && (dr == dc || dr == -dc) {
				f.AddClause(int32(-a-1), int32(-b-1))
			}
		}
	}
	return f
}

// parity returns a formula of 2^(n−1) clauses: an odd number of its n variables is true.
func parity(n int) *sat.Formula {
	f := new(sat.Formula)
	for truths := range 1 << n {
		clause, odd := make([]int32, n), false
		for v := range clause {
			if clause[v] = int32(v + 1); truths>>v&1 == 1 {
				clause[v], odd = -clause[v], !odd
			}
		}
		if !odd {
			f.AddClause(clause...)
		}
	}
	return f
}

// cycle returns the formula of the colourings of a circle of n points with k colours in which
// neighbours have different colours. It has (k−1)^n + (−1)^n·(k−1) models.
func cycle(n, k int) *sat.Formula {
	f := new(sat.Formula)
	at := func(point, colour int) int32 { return int32(point%n*k + colour + 1) }
	for point := range n {
		some := make([]int32, k)
		for c := range k {
			some[c] = at(point, c)
			f.AddClause(-at(point, c), -at(point+1, c))
			for d := range c {
				f.AddClause(-at(point, c), -at(point, d))
			}
		}
		f.AddClause(some...)
	}
	return f
}

// Under every scheme all models are counted once each.
func TestModelsUnderEveryScheme(t *testing.T) {
	rules := countingRules()
	for i, scheme := range lb.SchemeNames() {
		p := run.DefaultPlan(3)
		p.Scheme, p.Quantum = scheme, 1
		if got, want := modelsUnder(t, cycle(8, 3), rules[i%len(rules)], "off", p), big.NewInt(258); got.Cmp(want) != 0 { // 2^8 + 2
			t.Errorf("%s: %v models, want %v", scheme, got, want)
		}
	}
}

// clauses returns a formula with the given number of variables.
func clauses(variables int, all ...[]int32) *sat.Formula {
	f := &sat.Formula{Variables: variables}
	for _, c := range all {
		f.AddClause(c...)
	}
	return f
}

// Every rule counts the known numbers of models of formulas with a closed form.
func TestModelsInClosedForm(t *testing.T) {
	disjunction := make([]int32, 100)
	for v := range disjunction {
		disjunction[v] = int32(v + 1)
	}
	power := func(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n) }
	for _, c := range []struct {
		name string
		f    *sat.Formula
		want *big.Int
	}{
		{"nothing", clauses(0), big.NewInt(1)},
		{"no clauses", clauses(100), power(100)},
		{"an empty clause", clauses(100, nil), big.NewInt(0)},
		{"a unit clause", clauses(100, []int32{-7}), power(99)},
		{"a tautology", clauses(70, []int32{3, 1, -3}), power(70)},
		{"x1 ∨ x2 ∨ x3", clauses(3, []int32{1, 2, 3}), big.NewInt(7)},
		{"x1 ∨ … ∨ x100", clauses(0, disjunction), new(big.Int).Sub(power(100), big.NewInt(1))},
		{"4 pigeons in 4 holes", placed(4), big.NewInt(24)},
		{"6 queens", queens(6), big.NewInt(4)},
		{"parity of 6", parity(6), big.NewInt(32)},
		{"a cycle of 7 in 3 colours", cycle(7, 3), big.NewInt(126)},
	} {
		for _, rule := range countingRules() {
			for _, simplify := range []string{"on", "off"} {
				if got := modelsOf(t, c.f, rule, simplify, 2); got.Cmp(c.want) != 0 {
					t.Errorf("%s, rule %s, simplify %s: %v models, want %v", c.name, rule, simplify, got, c.want)
				}
			}
		}
	}
}

// A technique that loses models is refused by name if models are counted.
func TestLosingModelsRefused(t *testing.T) {
	for _, name := range []string{"pure", "eliminate"} {
		w := satOf(t, clauses(3, []int32{1, 2, 3}), "plain")
		w.All, w.Simplify = true, "subsume,"+name
		if _, err := w.Load(); err == nil || !strings.HasPrefix(err.Error(), "--simplify: "+name+" loses models") {
			t.Errorf("%v", err)
		}
	}
}

// A simulated machine with many ranks counts the same models.
func TestModelsSimulated(t *testing.T) {
	machine, err := sim.FindMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range countingRules() {
		w := satOf(t, cycle(8, 3), rule)
		w.All, w.Simplify = true, "auto"
		r, err := run.RunSimulation(machine, run.DefaultPlan(16), w, run.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		if found, err := w.ReadResult(r); err != nil || fmt.Sprint(found.Models) != "258" {
			t.Errorf("rule %s: %v models, want 258; %v", rule, found.Models, err)
		}
	}
}
