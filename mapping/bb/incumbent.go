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

// begin offers a first map, one that a descent of the tree finds: each object in turn goes
// where the bound rises least. It is the greedy strategy whose makespan section 3.1 takes
// for the first upper bound, with communication counted. Where there is no time for it,
// or no search of so large a problem, and no map to start with, nothing is moved from
// home, or from the first processor.
func begin(p *mapping.Problem, o mapping.Options) *incumbent {
	known := &incumbent{Incumbent: mapping.NewIncumbent(p, o)}
	m := descent(known)
	if m == nil && known.Map == nil {
		for _, o := range p.Objects {
			m = append(m, max(o.Home, 0))
		}
	}
	if m != nil {
		known.Offer(m, p.Evaluate(m).Makespan)
	}
	return known
}

// descent returns the map that a search comes to first, or nil.
func descent(known *incumbent) mapping.Map {
	in, err := New(known.Problem, Options{})
	if err != nil {
		return nil
	}
	s := newState(in)
	for _, i := range in.order {
		if known.Stopped() {
			return nil
		}
		best := kid{bound: None, processor: nowhere}
		for q := range int32(in.p) {
			s.place(i, q)
			if k := (kid{s.bound(), s.cost[q], q}); best.processor == nowhere || k.before(best) {
				best = k
			}
			s.unplace(i)
		}
		s.place(i, best.processor)
	}
	return s.where
}

// take offers what a share has found.
func (k *incumbent) take(s *Search) {
	if s.value < k.Makespan {
		k.Offer(s.best, s.value)
	}
}

// lower tells a lower bound that is better than the last.
func (k *incumbent) lower(ns int64) {
	if ns > k.bound {
		k.bound = ns
		if k.Options.Bound != nil {
			k.Options.Bound(ns)
		}
	}
}
