package bb

import (
	"math/rand/v2"

	"treesplit/mapping"
)

// Strategies returns the strategies of this package, which run on one core. All except pair-bb
// prove the optimum if they are not stopped before.
func Strategies() []mapping.Strategy {
	return []mapping.Strategy{
		{Name: "bb", Doc: "branch and bound, depth first", Run: depthFirst, Anytime: true},
		{Name: "best-first", Doc: "branch and bound, the least bound first, in bounded memory", Run: bestFirst, Anytime: true},
		{Name: "pair-bb", Doc: "branch and bound of two processors at a time, in tournaments", Run: runPairStrategy, Anytime: true},
	}
}

// depthFirst is the strategy bb. It does not search a problem that New refuses.
func depthFirst(p *mapping.Problem, o mapping.Options) mapping.Map {
	known := startIncumbent(p, o)
	in, err := New(p, Options{Upper: known.Makespan})
	if err != nil {
		return known.Map
	}
	known.raiseLowerBound(in.LowerBound())
	s := in.NewSearch(splitting, true)
	for !s.Empty() && s.bound > 0 && !known.ShouldStop() {
		s.Expand(in.NodesPerLook())
		known.takeFoundMap(s)
	}
	if s.Empty() {
		known.raiseLowerBound(known.Makespan)
	}
	return known.Map
}

// frontier bounds the memory of the open nodes of best-first, in bytes.
const frontier = 64 << 20

// bestFirst is the strategy best-first.
func bestFirst(p *mapping.Problem, o mapping.Options) mapping.Map {
	known := startIncumbent(p, o)
	in, err := New(p, Options{Upper: known.Makespan})
	if err != nil {
		return known.Map
	}
	known.raiseLowerBound(in.LowerBound())
	b := in.NewBestFirst(frontier / (4*len(p.Objects) + 20))
	for !b.Empty() && b.Bound() > 0 && !known.ShouldStop() {
		b.Expand(in.lookBestFirst())
		known.takeFoundMap(b.share)
		known.raiseLowerBound(min(b.LowerBound(), known.Makespan))
	}
	return known.Map
}

// runPairStrategy is the strategy pair-bb.
func runPairStrategy(p *mapping.Problem, o mapping.Options) mapping.Map {
	known := startIncumbent(p, o)
	v, err := NewImprover(p, known.Map)
	if err != nil {
		return known.Map
	}
	if in, err := New(p, Options{}); err == nil {
		known.raiseLowerBound(in.LowerBound())
	}
	rng := rand.New(rand.NewPCG(o.Seed, 0))
	for t := NewTournament(v); !known.ShouldStop(); {
		round, ok := t.NextRound()
		if !ok {
			return known.Map
		}
		for _, pair := range round {
			if known.ShouldStop() {
				return known.Map
			}
			if t.TakeChange(v.SearchPair(pair, t.Limits, rng, o.Stop)) {
				known.OfferMap(v.CurrentMap(), v.Makespan())
			}
		}
	}
	return known.Map
}
