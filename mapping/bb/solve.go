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
	Lower    int64       // lower bound of all maps; if the search has ended, it is Makespan minus the gap of Options.Narrow
	Ended    bool        // the whole tree has been searched
	Counts
}

// SolveSequentially searches the whole tree in one loop, or until stop returns true. It calls
// stop after every few nodes; nil: never. With the printed bound nothing is proved: Lower is then
// Instance.LowerBound, even if Ended is set.
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

// UpperBound returns the makespan that is known before the search, or None.
func (in *Instance) UpperBound() int64 { return cmp.Or(in.options.Upper, None) }

// ProvedBound returns the lower bound of all maps that is proved when the whole tree has been
// searched and the best known makespan is best. It is best, reduced by the gap of Narrow. It is 0
// under the printed bound, which proves nothing.
func (in *Instance) ProvedBound(best int64) int64 {
	if in.options.Bound == Printed {
		return 0
	}
	return in.pruningLimit(best)
}

// LowerBound returns a lower bound of all maps of the problem: the admissible bound with only the
// fixed objects placed, for every Options.Bound.
func (in *Instance) LowerBound() int64 {
	if in.options.Bound == Admissible {
		return newState(in).lowerBound()
	}
	admissible := *in
	admissible.options.Bound = Admissible
	return newState(&admissible).lowerBound()
}
