package cubes_test

import (
	"math/rand/v2"
	"testing"

	"treesplit/sat"
	"treesplit/sat/cdcl"
	"treesplit/sat/cubes"
	"treesplit/sat/ruletest"
)

// Cuts of all kinds keep the promises of a rule: near the root and deep, with anchors above the cubes
// and at them, and with budgets that most cubes exceed.
func TestRule(t *testing.T) {
	for _, c := range []struct {
		name string
		o    cubes.Options
	}{
		{"shallow", cubes.Options{Cut: cubes.Cut{Measure: cubes.Assigned, Anchor: 1, Cube: 2}, Budget: 2}},
		{"deep", cubes.Options{Cut: cubes.Cut{Measure: cubes.Assigned, Anchor: 2, Cube: 6}, Budget: 1}},
		{"difficult", cubes.Options{Cut: cubes.Cut{Measure: cubes.Difficulty, Anchor: 0.2, Cube: 1}, Budget: 3}},
		{"free", cubes.Options{Cut: cubes.Cut{Measure: cubes.Free, Anchor: -8, Cube: -6}}},
	} {
		t.Run(c.name, func(t *testing.T) { suite(c.o).Run(t) })
	}
}

func suite(o cubes.Options) ruletest.Suite {
	return ruletest.Suite{New: func(f *sat.Formula) sat.Rule { return cubes.New(f, o) }, Variables: 50, Uncounted: true}
}

// A search with many anchors can be split, moved and repeated in all ways, and each node counts once.
func TestManyAnchors(t *testing.T) {
	s := suite(cubes.Options{Cut: cubes.Cut{Measure: cubes.Assigned, Anchor: 14, Cube: 18}, Budget: 10})
	s.Trees = map[string]*sat.Formula{"php-6": ruletest.MakeFamily(t, "php", 0, "n=6")}
	s.Run(t)
}

// A solver that stays on its share gives the same verdicts, and proofs that hold.
func TestLearningByRank(t *testing.T) {
	s := suite(cubes.Options{Cut: cubes.Cut{Measure: cubes.Assigned, Cube: 3}, Budget: 2, Shared: true})
	s.LearntFirst = true
	s.Run(t)
}

// Solvers that exchange clauses give the same verdicts, and proofs that hold.
func TestExchange(t *testing.T) {
	s := suite(cubes.Options{Cut: cubes.Cut{Measure: cubes.Assigned, Cube: 2}, Budget: 3, Shared: true, Exchange: true})
	s.LearntFirst = true
	s.Run(t)
}

// A share that gives away a cube in its middle forgets the clauses of its sums of parities. The log has
// their deletions before the end of the cube, and the proof holds.
func TestProofsOfMovedParities(t *testing.T) {
	for _, shared := range []bool{false, true} {
		o := cubes.Options{Cut: cubes.Cut{Measure: cubes.Assigned, Cube: 5}, Budget: 3, Shared: shared, Parities: cdcl.ShortParities}
		s := suite(o)
		s.LearntFirst = shared
		for family, parameters := range map[string]string{"adder": "n=9", "parity": "n=41"} {
			f := ruletest.MakeFamily(t, family, 1, parameters)
			if !cubes.New(f, o).HasParities() {
				t.Fatalf("%s has no parities", family)
			}
			s.RunProofs(t, f, 10)
		}
	}
}

// pigeonParities returns the pigeonhole formula with more variables and parities: each parity has a
// variable that no other clause has.
func pigeonParities(t *testing.T) *sat.Formula {
	f := ruletest.MakeFamily(t, "php", 0, "n=6")
	rng, n := rand.New(rand.NewPCG(2, 2)), f.Variables
	for range 24 {
		f.Variables++
		p := rng.Perm(n)
		ruletest.AddParity(f, rng, rng.IntN(2) == 0, []int32{int32(1 + p[0]), int32(1 + p[1]), int32(f.Variables)})
	}
	return f
}

// Sums of parities with a proof keep the promises of a rule, with anchors and without them.
func TestParities(t *testing.T) {
	for name, o := range map[string]cubes.Options{
		"anchors": {Cut: cubes.Cut{Measure: cubes.Assigned, Anchor: 1, Cube: 3}, Budget: 2},
		"many":    {Cut: cubes.Cut{Measure: cubes.Assigned, Anchor: 14, Cube: 18}, Budget: 10},
		"rank":    {Cut: cubes.Cut{Measure: cubes.Assigned, Cube: 2}, Budget: 3, Shared: true, Exchange: true},
	} {
		t.Run(name, func(t *testing.T) {
			o.Parities = cdcl.ShortParities
			s := suite(o)
			s.LearntFirst = o.Shared
			s.Draw = func(rng *rand.Rand) *sat.Formula { return ruletest.ParityFormula(rng, 5+rng.IntN(4)) }
			if name == "many" {
				s.Trees = map[string]*sat.Formula{"pigeons": pigeonParities(t)}
			}
			s.Run(t)
		})
	}
}
