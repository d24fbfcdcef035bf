package bb

import (
	"treesplit/mapping"
	"treesplit/search"
)

// splitting is for shares that are never split.
var splitting = search.DefaultSplitting

// incumbent is the best map that a strategy knows, with the last lower bound that it has
// reported.
type incumbent struct {
	*mapping.Incumbent
	bound int64
}

// startIncumbent offers a first map, found by one descent of the tree: each object in turn goes
// where the bound rises least. Section 3.1 takes the makespan of this greedy strategy, with
// communication, for the first upper bound. If there is no time, or if the problem is too large
// for a search, and there is no start map, all objects stay at home, or on the first processor.
func startIncumbent(p *mapping.Problem, o mapping.Options) *incumbent {
	known := &incumbent{Incumbent: mapping.NewIncumbent(p, o)}
	m := descendGreedily(known)
	if m == nil && known.Map == nil {
		for _, o := range p.Objects {
			m = append(m, max(o.Home, 0))
		}
	}
	if m != nil {
		known.OfferMap(m, p.EvaluateMap(m).Makespan)
	}
	return known
}

// descendGreedily returns the first map of a search, or nil.
func descendGreedily(known *incumbent) mapping.Map {
	in, err := New(known.Problem, Options{})
	if err != nil {
		return nil
	}
	s := newState(in)
	for _, i := range in.order {
		if known.ShouldStop() {
			return nil
		}
		best := kid{bound: None, processor: nowhere}
		for q := range int32(in.p) {
			s.placeObject(i, q)
			if k := (kid{s.lowerBound(), s.cost[q], q}); best.processor == nowhere || k.expandsBefore(best) {
				best = k
			}
			s.unplaceObject(i)
		}
		s.placeObject(i, best.processor)
	}
	return s.where
}

// takeFoundMap offers the best map of a share.
func (k *incumbent) takeFoundMap(s *Search) {
	if s.value < k.Makespan {
		k.OfferMap(s.best, s.value)
	}
}

// raiseLowerBound reports a lower bound that is better than the last.
func (k *incumbent) raiseLowerBound(ns int64) {
	if ns > k.bound {
		k.bound = ns
		if k.Options.Bound != nil {
			k.Options.Bound(ns)
		}
	}
}
