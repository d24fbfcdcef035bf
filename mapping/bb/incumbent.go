package bb

import (
	"treesplit/mapping"
	"treesplit/search"
)

// splitting is that of shares which nobody splits.
var splitting = search.DefaultSplitting

// incumbent is the best map that a strategy knows, and the lower bound that it has told.
type incumbent struct {
	*mapping.Incumbent
	bound int64
}

// startIncumbent offers a first map, one that a descent of the tree finds: each object in turn goes
// where the bound rises least. It is the greedy strategy whose makespan section 3.1 takes
// for the first upper bound, with communication counted. Where there is no time for it,
// or no search of so large a problem, and no map to start with, nothing is moved from
// home, or from the first processor.
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

// descendGreedily returns the map that a search comes to first, or nil.
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

// takeFoundMap offers what a share has found.
func (k *incumbent) takeFoundMap(s *Search) {
	if s.value < k.Makespan {
		k.OfferMap(s.best, s.value)
	}
}

// raiseLowerBound tells a lower bound that is better than the last.
func (k *incumbent) raiseLowerBound(ns int64) {
	if ns > k.bound {
		k.bound = ns
		if k.Options.Bound != nil {
			k.Options.Bound(ns)
		}
	}
}
