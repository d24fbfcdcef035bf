package bb

import (
	"cmp"

	"treesplit/mapping"
	"treesplit/search"
)

// Solved is the outcome of a search.
type Solved struct {
	Map      mapping.Map // better than Options.Upper; nil if none was found
	Makespan int64       // of Map, or Options.Upper
	Lower    int64       // no map is better; where the search has ended it is Makespan, less what Options.Narrow leaves
	Ended    bool        // the whole tree has been searched
	Counts
}

// SolveSequentially searches the whole tree in one loop, or until stop, which it asks after every
// few nodes, says that it is enough; nil: never. With the printed bound nothing is
// proved: Lower is Instance.LowerBound, whatever Ended says.
func (in *Instance) SolveSequentially(stop func() bool) Solved {
	s := in.NewSearch(search.DefaultSplitting, true)
	r := Solved{Lower: in.LowerBound()}
	for !s.Empty() && (stop == nil || !stop()) {
		s.Expand(in.NodesPerLook())
	}
	r.Map, _, _ = s.BestFoundMap()
	r.Makespan, r.Ended, r.Counts = s.bound, s.Empty(), s.counts
	if in.options.Bound == Printed {
		return r
	}
	open := s.limit
	for d := range s.depth + 1 {
		for _, k := range s.kids[d*in.p+int(s.levels[d].lo) : d*in.p+int(s.levels[d].hi)] {
			open = min(open, k.bound)
		}
	}
	if !s.atRoot {
		r.Lower = max(r.Lower, min(open, r.Makespan))
	}
	return r
}

// UpperBound is the makespan that is known before the search, or None.
func (in *Instance) UpperBound() int64 { return cmp.Or(in.options.Upper, None) }

// ProvedBound is the lower bound of all maps that is proved when the whole tree has been
// searched and the best makespan known is best: best itself, except for Narrow, and 0 under
// the printed bound, which proves nothing.
func (in *Instance) ProvedBound(best int64) int64 {
	if in.options.Bound == Printed {
		return 0
	}
	return in.pruningLimit(best)
}

// LowerBound is a bound of all maps of the problem: the admissible one before any object is
// placed but fixed ones, whatever Options.Bound is.
func (in *Instance) LowerBound() int64 {
	if in.options.Bound == Admissible {
		return newState(in).lowerBound()
	}
	admissible := *in
	admissible.options.Bound = Admissible
	return newState(&admissible).lowerBound()
}
