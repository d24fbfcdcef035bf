package mapping_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"treesplit/mapping"
	"treesplit/mapping/gen"
)

// makespan of a strategy's map. Communication is what the last problem says.
func makespan(t *testing.T, name string, told, scored *mapping.Problem, seed uint64) float64 {
	t.Helper()
	s, err := mapping.FindStrategy(name)
	if err != nil {
		t.Fatal(err)
	}
	return float64(scored.EvaluateMap(s.Run(told, mapping.Options{Seed: seed})).Makespan)
}

// B3: counting communication gives a better map than ignoring it. Random maps that are
// refined with communication counted are better on average than random maps refined for
// computation alone. Without communication both are the same maps. In the paper the
// efficiencies are about 39 and 33 percent.
//
// Reference: Radhakrishnan et al., section 4.1; claim B3 of docs/claims.md.
func TestB3CountingCommunication(t *testing.T) {
	for _, c := range []float64{0, 120, 300, 600} {
		quotient, n := 0.0, 0
		for _, processors := range []int{9, 20} {
			for seed := range uint64(3) {
				p := gen.RandomProblem(processors, 100, 400, c, seed)
				silent := *p
				silent.Arcs = nil
				quotient += math.Log(makespan(t, "random-refine", &silent, p, seed) / makespan(t, "random-refine", p, p, seed))
				n++
			}
		}
		switch quotient = math.Exp(quotient / float64(n)); {
		case c == 0 && quotient != 1:
			t.Errorf("without communication: %v", quotient)
		case c > 0 && quotient < 1.05:
			t.Errorf("c = %v: ignoring communication costs a factor %.3f", c, quotient)
		}
	}
}

// Annealing is better than every other strategy below, among them all of table 1 except
// branch and bound, on graphs like those of table 1.
//
// Reference: Radhakrishnan et al., table 1. Claim B1 of docs/claims.md is about branch and
// bound.
func TestAnnealAgainstTable1(t *testing.T) {
	for _, processors := range []int{9, 20} {
		for _, c := range []float64{120, 300, 700} {
			p := gen.RandomProblem(processors, 100, 400, c, 1)
			s, err := mapping.FindStrategy("anneal")
			if err != nil {
				t.Fatal(err)
			}
			questions := 0
			annealed := float64(p.EvaluateMap(s.Run(p, mapping.Options{Stop: func() bool { questions++; return questions > 1200 }})).Makespan)
			for _, name := range []string{"greedy", "greedy-refine", "random", "random-refine", "lpt-refine", "comm-greedy-refine"} {
				if other := makespan(t, name, p, p, 1); annealed >= other {
					t.Errorf("P = %d, c = %v: %v, and %s %v", processors, c, annealed, name, other)
				}
			}
		}
	}
}

// Two pairs of objects that talk: each pair is put together.
func ExampleFindStrategy() {
	p := &mapping.Problem{Processors: 2}
	for range 4 {
		p.Objects = append(p.Objects, mapping.Object{Comp: 1000, Home: mapping.Nowhere})
	}
	for _, pair := range [][2]int32{{0, 2}, {3, 1}} {
		p.Arcs = append(p.Arcs, mapping.Arc{From: pair[0], To: pair[1], Send: 300, Receive: 200, Proxy: mapping.NoProxy})
	}
	s, err := mapping.FindStrategy("anneal")
	if err != nil {
		fmt.Println(err)
		return
	}
	m := s.Run(p, mapping.Options{Seed: 1})
	fmt.Println(m[0] == m[2], m[1] == m[3], p.EvaluateMap(m).Makespan, slices.Max(p.EvaluateMap(m).Cost))
	// Output: true true 2000 2000
}
