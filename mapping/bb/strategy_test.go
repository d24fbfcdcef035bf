package bb

import (
	"math/rand/v2"
	"testing"

	"treesplit/mapping"
)

// Every strategy except pair-bb finds and proves the optimum of small problems. All report only
// better maps and bounds, are never worse than their start map, and return a map if they are
// stopped at any time.
func TestStrategies(t *testing.T) {
	for _, s := range Strategies() {
		proves := s.Name != "pair-bb"
		t.Run(s.Name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(9, 1))
			for range 300 {
				p := tiny(rng, 7)
				best := optimum(p, nil)
				told, lower, calls, left := int64(None), int64(0), 0, rng.IntN(6)
				o := mapping.Options{
					Better: func(m mapping.Map, makespan int64) {
						if makespan >= told || p.CheckMap(m) != nil || p.EvaluateMap(m).Makespan != makespan {
							t.Fatalf("told of %v as %d after %d", m, makespan, told)
						}
						told = makespan
					},
					Bound: func(makespan int64) {
						if makespan <= lower && lower > 0 || makespan > best {
							t.Fatalf("told of bound %d after %d where the optimum is %d", makespan, lower, best)
						}
						lower = makespan
					},
				}
				if rng.IntN(2) == 0 {
					completions(p, nil, func(m mapping.Map) {
						if o.Start == nil || rng.IntN(50) == 0 {
							o.Start = append(mapping.Map(nil), m...)
						}
					})
				}
				stopped := rng.IntN(2) == 0
				if stopped {
					o.Stop = func() bool { calls++; return calls > left }
				}
				m := s.Run(p, o)
				if err := p.CheckMap(m); err != nil {
					t.Fatal(err)
				}
				got := p.EvaluateMap(m).Makespan
				switch {
				case got != told || got < best || lower > best:
					t.Fatalf("%d where %d was told, the bound is %d and the optimum %d", got, told, lower, best)
				case o.Start != nil && got > p.EvaluateMap(o.Start).Makespan:
					t.Fatalf("%d is worse than what it started with", got)
				case proves && !stopped && (got != best || lower != best && best > 0):
					t.Fatalf("%d with bound %d where the optimum is %d: %+v", got, lower, best, p)
				}
			}
		})
	}
}

// A problem that is too large for a search is still mapped.
func TestStrategiesRefuseNothing(t *testing.T) {
	const n = 3000 // as many processors: the tables of a search would be too large
	p := &mapping.Problem{Processors: n}
	for i := range int32(n) {
		p.Objects = append(p.Objects, mapping.Object{Comp: 1, Home: i / 2})
	}
	if _, err := New(p, Options{}); err == nil {
		t.Fatal("the problem is not refused: the test shows nothing")
	}
	for _, s := range Strategies() {
		calls := 0
		if m := s.Run(p, mapping.Options{Stop: func() bool { calls++; return calls > 3 }}); p.CheckMap(m) != nil {
			t.Errorf("%s: not a map of the problem", s.Name)
		}
	}
}
