package bb

import (
	"math/rand/v2"

	"treesplit/mapping"
)

// Strategies returns the strategies of this package, which run on one core. All but
// pair-bb prove the optimum where they are not stopped before.
func Strategies() []mapping.Strategy {
	return []mapping.Strategy{
		{Name: "bb", Doc: "branch and bound, depth first", Run: depthFirst, Anytime: true},
		{Name: "best-first", Doc: "branch and bound, the least bound first, in bounded memory", Run: bestFirst, Anytime: true},
		{Name: "pair-bb", Doc: "branch and bound of two processors at a time, in tournaments", Run: pairs, Anytime: true},
	}
}

// depthFirst is the strategy bb. It does not search what New refuses.
func depthFirst(p *mapping.Problem, o mapping.Options) mapping.Map {
	known := begin(p, o)
	in, err := New(p, Options{Upper: known.Makespan})
	if err != nil {
		return known.Map
	}
	known.lower(in.Lower())
	s := in.NewSearch(splitting, true)
	for !s.Empty() && s.bound > 0 && !known.Stopped() {
		s.Expand(in.Look())
		known.take(s)
	}
	if s.Empty() {
		known.lower(known.Makespan)
	}
	return known.Map
}

// frontier is how many bytes the open nodes of best-first may take.
const frontier = 64 << 20

// bestFirst is the strategy best-first.
func bestFirst(p *mapping.Problem, o mapping.Options) mapping.Map {
	known := begin(p, o)
	in, err := New(p, Options{Upper: known.Makespan})
	if err != nil {
		return known.Map
	}
	known.lower(in.Lower())
	b := in.NewBestFirst(frontier / (4*len(p.Objects) + 20))
	for !b.Empty() && b.Bound() > 0 && !known.Stopped() {
		b.Expand(in.lookBestFirst())
		known.take(b.share)
		known.lower(min(b.Lower(), known.Makespan))
	}
	return known.Map
}

// pairs is the strategy pair-bb.
func pairs(p *mapping.Problem, o mapping.Options) mapping.Map {
	known := begin(p, o)
	v, err := NewImprover(p, known.Map)
	if err != nil {
		return known.Map
	}
	if in, err := New(p, Options{}); err == nil {
		known.lower(in.Lower())
	}
	rng := rand.New(rand.NewPCG(o.Seed, 0))
	for t := NewTournament(v); !known.Stopped(); {
		round, ok := t.Next()
		if !ok {
			return known.Map
		}
		for _, pair := range round {
			if known.Stopped() {
				return known.Map
			}
			if t.Take(v.Search(pair, t.Limits, rng, o.Stop)) {
				known.Offer(v.Map(), v.Makespan())
			}
		}
	}
	return known.Map
}
