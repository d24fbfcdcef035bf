package mapping

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// after says stop at the n-th question.
func after(n int) func() bool {
	return func() bool { n--; return n < 0 }
}

// placed draws a problem some of whose objects have homes and some of which are fixed,
// and now and then one that is empty or has more processors than objects.
func placed(rng *rand.Rand) *Problem {
	p := small(rng)
	switch rng.IntN(10) {
	case 0:
		p.Objects, p.Arcs = nil, nil
	case 1:
		p.Processors, p.Background = 9+rng.IntN(9), nil
	case 2:
		p.Processors, p.Background = 1, nil
	case 3:
		for i := range p.Objects {
			p.Objects[i].Comp = 0
		}
		p.Arcs, p.Background = nil, nil
	}
	for i := range p.Objects {
		if o := &p.Objects[i]; rng.IntN(2) == 0 {
			o.Home, o.Fixed = int32(rng.IntN(p.Processors)), rng.IntN(3) == 0
		}
	}
	return p
}

// large draws a problem of 200 objects on 4 processors, some fixed, with proxy groups.
func large(rng *rand.Rand) *Problem {
	p := &Problem{Processors: 4, Background: []int64{3, 1, 4, 1}}
	for range 200 {
		o := Object{Comp: rng.Int64N(30), Home: int32(rng.IntN(4))}
		o.Fixed = rng.IntN(20) == 0
		p.Objects = append(p.Objects, o)
	}
	for range 600 {
		p.Arcs = append(p.Arcs, Arc{int32(rng.IntN(200)), int32(rng.IntN(200)), rng.Int64N(9), rng.Int64N(9), int32(rng.IntN(3)) - 1})
	}
	return p
}

// Every strategy returns a complete map of the problem, never worse than its start, the
// last of a stream of ever better ones whose makespans are those of EvaluateMap, and the
// same one again for the same seed.
func TestStrategies(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for k := range 310 {
		p := placed(rng)
		if k >= 300 { // large enough to be coarsened
			p = large(rng)
		}
		if err := p.Check(); err != nil {
			t.Fatal(err)
		}
		var start Map
		if rng.IntN(2) == 0 {
			start = anywhere(p, rng)
			for i, o := range p.Objects {
				if o.Fixed {
					start[i] = o.Home
				}
			}
		}
		questions := rng.IntN(6)
		for _, s := range Strategies() {
			var last int64
			var stream []Map
			run := func() Map {
				stream = nil
				return s.Run(p, Options{Seed: 7, Start: start, Stop: after(questions), Better: func(m Map, makespan int64) {
					if e := p.EvaluateMap(m); e.Makespan != makespan || stream != nil && makespan >= last {
						t.Fatalf("%s: %d, want %d, below %d", s.Name, makespan, e.Makespan, last)
					}
					last, stream = makespan, append(stream, m)
				}})
			}
			m := run()
			if err := p.CheckMap(m); err != nil || m == nil {
				t.Fatalf("%s on %+v: %v: %v", s.Name, p, m, err)
			}
			if start != nil && p.EvaluateMap(m).Makespan > p.EvaluateMap(start).Makespan {
				t.Fatalf("%s on %+v: %v is worse than its start %v", s.Name, p, m, start)
			}
			if !slices.Equal(m, stream[len(stream)-1]) {
				t.Fatalf("%s returns %v, not the last of %v", s.Name, m, stream)
			}
			if again := run(); !slices.Equal(m, again) {
				t.Fatalf("%s on %+v: %v, then %v", s.Name, p, m, again)
			}
			if b := LowerBound(p); p.EvaluateMap(m).Makespan < b {
				t.Fatalf("%s on %+v: %v is below the bound %d", s.Name, p, m, b)
			}
		}
	}
}

// Strategies that end by themselves do so without being told, and refine leaves no
// improvement by a move at the busiest processor behind.
func TestRefineIsLocallyOptimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 3000 {
		p := placed(rng)
		var refining []Strategy
		for _, s := range Strategies() {
			if strings.HasSuffix(s.Name, "refine") {
				refining = append(refining, s)
			}
		}
		m := refining[rng.IntN(len(refining))].Run(p, Options{Seed: rng.Uint64()})
		e := p.EvaluateMap(m)
		for i, o := range p.Objects {
			for q := range p.Processors {
				if o.Fixed || int(m[i]) == q {
					continue
				}
				better := slices.Clone(m)
				better[i] = int32(q)
				if b := p.EvaluateMap(better); b.Makespan < e.Makespan {
					t.Fatalf("%v of %+v: object %d on %d: %d instead of %d", m, p, i, q, b.Makespan, e.Makespan)
				}
			}
		}
	}
}

// Where nothing can be improved strategies end though nobody stops them.
func TestNothingToImprove(t *testing.T) {
	home := Object{Comp: 3, Home: 0}
	fixed := Object{Comp: 3, Home: 1, Fixed: true}
	for name, p := range map[string]*Problem{
		"no objects":    {Processors: 2},
		"one processor": {Processors: 1, Objects: []Object{home, home}},
		"all fixed":     {Processors: 2, Objects: []Object{fixed, fixed}},
		"no cost":       {Processors: 2, Objects: make([]Object, 3)},
	} {
		for _, s := range Strategies() {
			questions := 0
			m := s.Run(p, Options{Stop: func() bool { questions++; return questions > 10000 }})
			if questions > 10000 || p.CheckMap(m) != nil {
				t.Errorf("%s: %s: %v after %d questions", name, s.Name, m, questions)
			}
		}
	}
}

// Annealing without an end of its own ends if nothing ever stops it, and finds the
// optimum of tiny problems.
func TestAnnealFindsOptima(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	missed := 0
	s, err := FindStrategy("anneal")
	if err != nil {
		t.Fatal(err)
	}
	for range 60 {
		p := placed(rng)
		if p.Processors > 4 {
			continue
		}
		if got, want := p.EvaluateMap(s.Run(p, Options{Seed: 1, Stop: after(400)})).Makespan, optimum(p); got < want {
			t.Fatalf("%+v: %d is below the optimum %d", p, got, want)
		} else if got > want {
			missed++
		}
	}
	if missed > 0 {
		t.Errorf("%d optima missed", missed)
	}
}

// optimum tries all maps.
func optimum(p *Problem) int64 {
	m := make(Map, len(p.Objects))
	best := int64(MaxTotal)
	var try func(i int)
	try = func(i int) {
		if i == len(m) {
			best = min(best, p.EvaluateMap(m).Makespan)
			return
		}
		for q := range p.Processors {
			if o := p.Objects[i]; !o.Fixed || int(o.Home) == q {
				m[i] = int32(q)
				try(i + 1)
			}
		}
	}
	try(0)
	return best
}

// The simple lower bound is never above the optimum.
func TestLowerBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	tight := 0
	for range 1500 {
		p := placed(rng)
		if p.Processors > 4 || len(p.Objects) > 6 {
			continue
		}
		b, want := LowerBound(p), optimum(p)
		if b > want {
			t.Fatalf("%+v: %d is above the optimum %d", p, b, want)
		}
		if b == want {
			tight++
		}
	}
	if tight == 0 {
		t.Error("never the optimum")
	}
}

func TestFind(t *testing.T) {
	for _, s := range Strategies() {
		if f, err := FindStrategy(s.Name); err != nil || f.Name != s.Name || s.Doc == "" {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
	if _, err := FindStrategy("best"); err == nil || !strings.Contains(err.Error(), `strategy "best": expected one of home`) {
		t.Error(err)
	}
}
