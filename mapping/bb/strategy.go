package bb

import "treesplit/mapping"

// Strategies returns the strategies of this package, which run on one core and prove
// the optimum where they are not stopped before.
func Strategies() []mapping.Strategy {
	return []mapping.Strategy{
		{Name: "bb", Doc: "branch and bound, depth first", Run: depthFirst, Anytime: true},
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
		s.Expand(stepNodes)
		known.take(s)
	}
	if s.Empty() {
		known.lower(known.Makespan)
	}
	return known.Map
}
