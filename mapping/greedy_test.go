package mapping

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// made is the map of a constructive strategy.
func made(p *Problem, m method) Map {
	in := NewIncumbent(p, Options{})
	m(in, newGraph(p))
	return in.Map
}

func objects(comp ...int64) (all []Object) {
	for _, ns := range comp {
		all = append(all, Object{Comp: ns, Home: Nowhere})
	}
	return all
}

// The first half of the objects is placed by load, the second half by communication alone,
// even if one processor gets most of the load.
//
// Reference: Radhakrishnan et al., section 3.1, "Greedy Heuristic"; L/2 there is half of the
// number of objects.
func TestGreedyByHand(t *testing.T) {
	p := &Problem{Processors: 2, Objects: objects(10, 9, 8, 7), Arcs: []Arc{{2, 0, 1, 1, NoProxy}, {3, 2, 1, 1, NoProxy}}}
	if m := made(p, placeGreedily); !slices.Equal(m, Map{0, 1, 0, 0}) {
		t.Errorf("greedy: %v", m)
	}
	if m := made(p, placeLongestFirst); !slices.Equal(m, Map{0, 1, 1, 0}) {
		t.Errorf("lpt: %v", m)
	}
}

// An object that is placed raises the cost of its partner's processor too. The printed
// strategy ignores that: here it still assumes that processor 0 has the smaller load.
//
// Reference: Radhakrishnan et al., section 3.1, "Future-Cost Estimates", which adds the cost
// of messages to the processor of the placed object only; docs/mapping.md, "The claims".
func TestGreedyAsPrinted(t *testing.T) {
	p := &Problem{Processors: 2, Objects: objects(10, 9, 8, 1, 1, 1), Arcs: []Arc{{0, 1, 5, 2, NoProxy}}}
	if m := made(p, placeGreedily); m[2] != 1 {
		t.Errorf("greedy: %v", m)
	}
	if m := made(p, greedyPrinted); m[2] != 0 {
		t.Errorf("as printed: %v", m)
	}
}

// Without communication lpt is at most 4/3 − 1/(3P) of the optimum, and comm-greedy is lpt.
func TestGrahamsBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for range 300 {
		p := &Problem{Processors: 1 + rng.IntN(3)}
		for range rng.IntN(8) {
			p.Objects = append(p.Objects, Object{Comp: rng.Int64N(30), Home: Nowhere})
		}
		q, m := int64(p.Processors), made(p, placeLongestFirst)
		if got, best := p.EvaluateMap(m).Makespan, optimum(p); 3*q*got > (4*q-1)*best {
			t.Fatalf("%+v: %d where the optimum is %d", p, got, best)
		}
		if c := made(p, commGreedy); p.EvaluateMap(c).Makespan != p.EvaluateMap(m).Makespan {
			t.Fatalf("%+v: comm-greedy %v, lpt %v", p, c, m)
		}
	}
}

// The predicted and the actual cost of placing an object equal the costs that Evaluate computes
// for the problem with only the placed objects. No processor is better for the object than the
// best candidate.
func TestPartialAgainstEvaluate(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for range 1000 {
		p := placed(rng)
		g := newGraph(p)
		s := newPartial(&Incumbent{Problem: p}, g)
		for _, i := range g.movable {
			worst := func(q int32) (cost int64) {
				for _, c := range s.costChangesOfPlacing(i, q) {
					cost = max(cost, s.cost[c.processor]+c.by)
				}
				return cost
			}
			best := worst(0)
			for q := range int32(p.Processors) {
				best = min(best, worst(q))
			}
			near := int64(MaxTotal)
			for _, q := range s.candidates(i) {
				near = min(near, worst(q))
			}
			if near > best {
				t.Fatalf("object %d of %+v after %v: %d on a candidate, %d elsewhere", i, p, s.at, near, best)
			}
			s.placeObject(i, int32(rng.IntN(p.Processors)))
			if want := only(p, s.at); !slices.Equal(s.cost, want) {
				t.Fatalf("%v of %+v: %v, want %v", s.at, p, s.cost, want)
			}
		}
	}
}

// only evaluates the objects that are placed.
func only(p *Problem, at Map) []int64 {
	sub := &Problem{Processors: p.Processors, Background: p.Background}
	number, m := make([]int32, len(at)), Map{}
	for i, q := range at {
		if q != Nowhere {
			number[i] = int32(len(m))
			sub.Objects, m = append(sub.Objects, p.Objects[i]), append(m, q)
		}
	}
	largest := map[[2]int32][2]int64{}
	for _, a := range p.Arcs {
		k := [2]int32{a.From, a.Proxy}
		largest[k] = [2]int64{max(largest[k][0], a.Send), max(largest[k][1], a.Receive)}
	}
	for _, a := range p.Arcs {
		if at[a.From] == Nowhere || at[a.To] == Nowhere {
			continue
		}
		if a.Proxy != NoProxy { // what a message of the group costs does not depend on who is there
			a.Send, a.Receive = largest[[2]int32{a.From, a.Proxy}][0], largest[[2]int32{a.From, a.Proxy}][1]
		}
		a.From, a.To = number[a.From], number[a.To]
		sub.Arcs = append(sub.Arcs, a)
	}
	return sub.EvaluateMap(m).Cost
}
