package cubes_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"treesplit/sat"
	"treesplit/sat/cubes"
	"treesplit/sat/ruletest"
)

// leavesOf returns the leaves of a rule.
func leavesOf(r *cubes.Rule) (list *sat.Formula, outcomes []sat.Outcome) {
	list = new(sat.Formula)
	for decisions, outcome := range r.List() {
		list.AddClause(decisions...)
		outcomes = append(outcomes, outcome)
	}
	return list, outcomes
}

// isWithin reports whether all literals of a cube are true.
func isWithin(cube []int32, model []bool) bool {
	return !slices.ContainsFunc(cube, func(l int32) bool { return model[max(l, -l)-1] != (l > 0) })
}

// Every assignment satisfies exactly one leaf, and no model satisfies a leaf that look-ahead has
// refuted. The tree of the leaves has these leaves again.
func TestListCoversSpace(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	seen := map[sat.Outcome]int{}
	for range 300 {
		f := ruletest.MixedFormula(rng)
		o := cubes.Options{Cut: cubes.Cut{Measure: cubes.Assigned, Anchor: 1, Cube: float64(1 + rng.IntN(6))}}
		list, outcomes := leavesOf(cubes.New(f, o))
		checkCover(t, f, list, outcomes)
		for _, outcome := range outcomes {
			seen[outcome]++
		}
		if list.Len() == 1 { // the root is a leaf; in the tree it is looked at
			continue
		}
		tree, err := cubes.NewTree(f, list)
		if err != nil {
			t.Fatal(err)
		}
		again, outcomes := leavesOf(cubes.New(f, cubes.Options{Tree: tree}))
		checkCover(t, f, again, outcomes)
		if textOf(list) != textOf(again) {
			t.Fatalf("%v: cubes %v became %v", f, list, again)
		}
	}
	if seen[sat.Cube] == 0 || seen[sat.Conflict] == 0 || seen[sat.Solution] == 0 {
		t.Errorf("kinds of leaves: %v", seen)
	}
}

// textOf returns the clauses of a formula.
func textOf(f *sat.Formula) string {
	var text strings.Builder
	f.WriteDIMACS(&text)
	_, clauses, _ := strings.Cut(text.String(), "\n")
	return clauses
}

// checkCover checks leaves by a truth table.
func checkCover(t *testing.T, f, list *sat.Formula, outcomes []sat.Outcome) {
	t.Helper()
	model := make([]bool, f.Variables)
	for bits := range 1 << f.Variables {
		for v := range model {
			model[v] = bits>>v&1 == 1
		}
		within := 0
		for i, cube := range list.Clauses() {
			if isWithin(cube, model) {
				within++
				if outcomes[i] == sat.Conflict && f.CheckModel(model) == nil {
					t.Fatalf("%v: the refuted cube %v has the model %v", f, cube, model)
				}
			}
		}
		if within != 1 {
			t.Fatalf("%v: %v is in %d of the leaves %v", f, model, within, list)
		}
	}
}

// someCubes draws cubes that need neither cover all assignments nor be the leaves of a tree. A cube
// may be empty, contradict itself, and have variables that do not occur.
func someCubes(rng *rand.Rand, variables int) *sat.Formula {
	list := new(sat.Formula)
	for range rng.IntN(12) {
		cube := make([]int32, (rng.IntN(50)+9)/10)
		for i := range cube {
			cube[i] = int32(1+rng.IntN(variables+1)) * int32(1-2*rng.IntN(2))
		}
		list.AddClause(cube...)
	}
	return list
}

// mostLeaves returns two of three leaves of a rule.
func mostLeaves(f *sat.Formula) *sat.Formula {
	all, _ := leavesOf(cubes.New(f, cubes.Options{Cut: cubes.Cut{Measure: cubes.Assigned, Cube: 26}}))
	list := new(sat.Formula)
	for i, cube := range all.Clauses() {
		if i%3 > 0 {
			list.AddClause(cube...)
		}
	}
	return list
}

// Any list of cubes keeps the promises of a rule: verdicts, proofs, and the same tree in all parts.
func TestAnyCubes(t *testing.T) {
	php := ruletest.MakeFamily(t, "php", 0, "n=6")
	split := mostLeaves(php)
	s := suite(cubes.Options{})
	s.New = func(f *sat.Formula) sat.Rule {
		rng := rand.New(rand.NewPCG(uint64(f.LiteralCount()), uint64(f.Len()))) // the formula alone decides
		list := someCubes(rng, f.Variables)
		if f == php {
			list = split
		}
		tree, err := cubes.NewTree(f, list)
		if err != nil {
			t.Fatal(err)
		}
		return cubes.New(f, cubes.Options{Budget: 20, Tree: tree, Shared: s.LearntFirst})
	}
	s.Trees = map[string]*sat.Formula{"php-6": php}
	s.Run(t)
	s.LearntFirst = true
	t.Run("shared", s.Run)
}

// Cubes that make a tree that is too deep, or that reach both children of too many nodes, are
// refused.
func TestTreeLimits(t *testing.T) {
	wide := new(sat.Formula) // cubes without common variables
	for v := int32(1); v <= 2000; v++ {
		wide.AddClause(2*v, 2*v+1)
	}
	deep := new(sat.Formula)
	all := make([]int32, 1<<17)
	for i := range all {
		all[i] = int32(i + 1)
	}
	deep.AddClause(all...)
	for _, list := range []*sat.Formula{wide, deep} {
		if _, err := cubes.NewTree(list, list); err == nil || !strings.HasPrefix(err.Error(), "the cubes make too large a tree: expected ") {
			t.Errorf("%v", err)
		}
	}
}
