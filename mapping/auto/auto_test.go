package auto

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"treesplit/mapping"
	"treesplit/mapping/gen"
)

// tiny draws a problem small enough to try all maps.
func tiny(rng *rand.Rand) *mapping.Problem {
	p := &mapping.Problem{Processors: 1 + rng.IntN(3)}
	if rng.IntN(2) == 0 {
		for range p.Processors {
			p.Background = append(p.Background, rng.Int64N(20))
		}
	}
	n := rng.IntN(7)
	for range n {
		o := mapping.Object{Comp: rng.Int64N(30), Home: int32(rng.IntN(p.Processors+1)) - 1}
		o.Fixed = o.Home != mapping.Nowhere && rng.IntN(4) == 0
		p.Objects = append(p.Objects, o)
	}
	for range min(n, 1) * rng.IntN(20) {
		p.Arcs = append(p.Arcs, mapping.Arc{From: int32(rng.IntN(n)), To: int32(rng.IntN(n)), Send: rng.Int64N(9), Receive: rng.Int64N(9), Proxy: int32(rng.IntN(3)) - 1})
	}
	return p
}

// all calls f with every map of a problem.
func all(p *mapping.Problem, f func(mapping.Map)) {
	m := make(mapping.Map, len(p.Objects))
	var place func(i int)
	place = func(i int) {
		if i == len(m) {
			f(m)
			return
		}
		for q := range int32(p.Processors) {
			if o := p.Objects[i]; !o.Fixed || o.Home == q {
				m[i] = q
				place(i + 1)
			}
		}
	}
	place(0)
}

// auto proves the optimum of small problems. If it is stopped at any time, it returns a map that
// is no worse than the start. It reports only better maps and bounds. A second run gives the same
// result.
func TestAuto(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for k := range 300 {
		p := tiny(rng)
		best, start := int64(math.MaxInt64), mapping.Map(nil)
		all(p, func(m mapping.Map) {
			best = min(best, p.EvaluateMap(m).Makespan)
			if k%3 == 0 && (start == nil || rng.IntN(50) == 0) {
				start = slices.Clone(m)
			}
		})
		stopped, limit := k%2 == 0, rng.IntN(12)
		run := func() (mapping.Map, int64) {
			told, bound, left := int64(math.MaxInt64), int64(0), limit
			o := mapping.Options{
				Seed: 3, Start: start,
				Better: func(m mapping.Map, makespan int64) {
					if makespan >= told || p.CheckMap(m) != nil || p.EvaluateMap(m).Makespan != makespan {
						t.Fatalf("told of %v as %d after %d", m, makespan, told)
					}
					told = makespan
				},
				Bound: func(makespan int64) {
					if makespan <= bound || makespan > best {
						t.Fatalf("told of bound %d after %d where the optimum is %d", makespan, bound, best)
					}
					bound = makespan
				},
			}
			if stopped {
				o.Stop = func() bool { left--; return left < 0 }
			}
			m := find(t, "auto").Run(p, o)
			if err := p.CheckMap(m); err != nil {
				t.Fatal(err)
			}
			if got := p.EvaluateMap(m).Makespan; got != told {
				t.Fatalf("%d where %d was told", got, told)
			}
			return m, bound
		}
		m, bound := run()
		got := p.EvaluateMap(m).Makespan
		if start != nil && got > p.EvaluateMap(start).Makespan {
			t.Fatalf("%d is worse than the start", got)
		}
		if !stopped && (got != best || bound != best) {
			t.Fatalf("%+v: %d with bound %d where the optimum is %d", p, got, bound, best)
		}
		if again, _ := run(); !slices.Equal(m, again) {
			t.Fatalf("%+v: %v, then %v", p, m, again)
		}
	}
}

// On a mesh and on a random graph auto is better than the strategies that it starts with, refined,
// and goes on until it is stopped.
func TestAutoIsBetterThanItsStarts(t *testing.T) {
	for name, p := range map[string]*mapping.Problem{"mesh": gen.MeshProblem(4, 10, 10, false, 1, 1), "random": gen.RandomProblem(5, 70, 200, 300, 1)} {
		questions := 0
		got := p.EvaluateMap(find(t, "auto").Run(p, mapping.Options{Seed: 1, Stop: func() bool { questions++; return questions > 3000 }})).Makespan
		if questions <= 3000 {
			t.Errorf("%s: ended after %d questions", name, questions)
		}
		for _, s := range []string{"home", "comm-greedy-refine", "lpt-refine", "greedy-refine"} {
			if other := p.EvaluateMap(find(t, s).Run(p, mapping.Options{Seed: 1})).Makespan; got >= other {
				t.Errorf("%s: %d, and %s %d", name, got, s, other)
			}
		}
	}
}

func find(t *testing.T, name string) mapping.Strategy {
	t.Helper()
	s, err := FindStrategy(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Strategies() {
		if seen[s.Name] || s.Doc == "" || s.Run == nil {
			t.Errorf("%+v", s)
		}
		seen[s.Name] = true
	}
	for _, name := range []string{"auto", "pair-bb", "bb", "anneal", "random"} {
		if _, err := FindStrategy(name); err != nil {
			t.Error(err)
		}
	}
	if _, err := FindStrategy("metis"); err == nil {
		t.Error("metis found")
	}
}
