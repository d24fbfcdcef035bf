package mapping

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Between two questions whether to stop lie askSteps elementary steps, or a few passes over
// the problem. The tests count questions where it is known how many steps there must be.

// asked runs f with a Stop that never says so and returns how often it was asked.
func asked(f func(stop func() bool)) (questions int) {
	f(func() bool { questions++; return false })
	return questions
}

// spread returns a problem of n objects without homes on n processors.
func spread(n int) *Problem {
	p := &Problem{Processors: n}
	for i := range n {
		p.Objects = append(p.Objects, Object{Comp: int64(n + i), Home: Nowhere})
	}
	return p
}

// star is spread with an object that communicates with all others, and is the last to be
// placed; in a proxy group if there is one.
func star(n int, proxy int32) *Problem {
	p := spread(n)
	p.Objects[0].Comp = 0
	for i := 1; i < n; i++ {
		p.Arcs = append(p.Arcs, Arc{From: 0, To: int32(i), Receive: 1, Proxy: proxy})
	}
	return p
}

// Greedy strategies look at all processors for each object, and for one that communicates
// with many at all its partners for each processor.
func TestGreedyAsks(t *testing.T) {
	const n = 1500
	for _, c := range []struct {
		problem string
		p       *Problem
		names   []string
	}{
		{"spread", spread(n), []string{"home", "greedy", "greedy-printed", "lpt", "comm-greedy"}},
		{"star", star(n, NoProxy), []string{"greedy", "comm-greedy"}},
		{"star of a group", star(n, 0), []string{"greedy", "comm-greedy"}},
	} {
		for _, name := range c.names {
			s, err := FindStrategy(name)
			if err != nil {
				t.Fatal(err)
			}
			var m Map
			questions := asked(func(stop func() bool) { m = s.Run(c.p, Options{Stop: stop}) })
			if steps := n * n; questions < steps/askSteps/2 || c.p.CheckMap(m) != nil {
				t.Errorf("%s of %s: %d questions in %d steps or more", name, c.problem, questions, steps)
			}
		}
	}
}

// A step of refine looks at all processors for each object of the busiest, and then at
// all pairs of its objects and others.
func TestRefineAsks(t *testing.T) {
	const n = 1200
	p := spread(n)
	r := func(stop func() bool, m Map) *refiner {
		in := &Incumbent{Problem: p, Options: Options{Stop: stop}, Map: m, Makespan: p.EvaluateMap(m).Makespan}
		return &refiner{loads: newLoads(newGraph(p), m), in: in}
	}
	all := make(Map, n) // on processor 0
	if questions := asked(func(stop func() bool) { r(stop, all).relieveBusiest() }); questions < n*n/askSteps/2 {
		t.Errorf("moves: %d questions in %d steps or more", questions, n*n)
	}
	half := slices.Clone(all)
	for i := range n / 2 {
		half[i] = 1
	}
	questions := asked(func(stop func() bool) {
		x := r(stop, half)
		x.best = x.makespan()
		x.considerSwaps(0)
	})
	if questions < n*n/4/askSteps/2 {
		t.Errorf("swaps: %d questions in %d steps or more", questions, n*n/4)
	}
}

// Each better map is copied, by multilevel also to all finer problems: for each of many
// objects there is a question.
func TestImprovementsCount(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	p := &Problem{Processors: 16}
	const n = 20_000
	for range n {
		p.Objects = append(p.Objects, Object{Comp: 1000 + rng.Int64N(1000), Home: Nowhere})
	}
	for range n {
		p.Arcs = append(p.Arcs, Arc{int32(rng.IntN(n)), int32(rng.IntN(n)), rng.Int64N(900), rng.Int64N(900), NoProxy})
	}
	s, err := FindStrategy("anneal")
	if err != nil {
		t.Fatal(err)
	}
	better, questions := 0, 0
	s.Run(p, Options{Start: make(Map, n), Stop: func() bool { questions++; return questions > 1000 }, Better: func(Map, int64) { better++ }})
	if better < 100 || better > questions {
		t.Errorf("%d better maps and %d questions", better, questions)
	}
	in := NewIncumbent(p, Options{})
	first := coarsenGraph(newGraph(p), nil, 1<<30, rng)
	second := coarsenGraph(first.graph, nil, 1<<30, rng)
	if got, want := second.incumbent(first.incumbent(in)).above, n+len(first.graph.weight); got != want {
		t.Errorf("two levels up are %d objects, want %d", got, want)
	}
}

// Whenever a strategy is told to stop it ends after few more questions, with a complete
// map.
func TestStopEndsSoon(t *testing.T) {
	rng := rand.New(rand.NewPCG(53, 54))
	problems := []*Problem{large(rng), spread(300), star(300, NoProxy), star(300, 2)}
	for k, p := range problems {
		for _, s := range Strategies() {
			for _, at := range []int{0, 1, 2, 5, 17, 60} {
				questions := 0
				m := s.Run(p, Options{Seed: 1, Stop: func() bool { questions++; return questions > at }})
				if err := p.CheckMap(m); err != nil || m == nil || questions > at+20 {
					t.Errorf("problem %d, %s, stopped at question %d: %d questions, %v", k, s.Name, at, questions, err)
				}
			}
		}
	}
}

// The simple bound takes no time in proportion to (n/P)²: with a million objects on two
// processors that would be minutes.
func TestLowerBoundOfMany(t *testing.T) {
	p := &Problem{Processors: 2, Objects: make([]Object, 1_000_001)}
	for i := range p.Objects {
		p.Objects[i] = Object{Comp: 7, Home: Nowhere}
	}
	if got, want := LowerBound(p), int64(500_001*7); got != want {
		t.Errorf("%d, want %d", got, want)
	}
}
