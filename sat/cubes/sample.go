package cubes

import (
	"math/rand/v2"
	"slices"

	"treesplit/sat"
	"treesplit/sat/cdcl"
	"treesplit/sat/lookahead"
)

// The choice of the cut by samples. Random dives through look-ahead estimate how many cubes a cut
// makes and what it costs to find them (Knuth, as in package dive). For some cuts, with numbers of
// cubes that differ by a factor of four, the cubes on the dives are tried by the solver. The cut with
// the least estimated time wins. The order is from many cubes to few, and ends when the time rises.
//
// Source: O. Zaikin, Inverting Cryptographic Hash Functions via Cube-and-Conquer, JAIR 81 (2024),
// which enumerates all cubes of a cut and tries 1000 of them. Dives make that cheaper, by Knuth's
// weights.

// Costs of steps in seconds, from measurements on one machine. Only their ratio matters.
const (
	lookStep = 5e-9
	tickTime = 30e-9
)

// Limits of the samples.
const (
	sampleDives   = 24
	longestDive   = 400
	sampleSteps   = 60_000_000 // steps of look-ahead after which no dive begins
	gridFactor    = 4.0        // between the numbers of cubes of two cuts
	leastCubes    = 256.0      // cuts with fewer cubes are not tried
	mostCubes     = 1 << 20
	tryConflicts  = 2000
	cubesOfAnchor = 20.0
	budgetFactor  = 8 // of the mean number of conflicts, for Options.Budget
	leastBudget   = 1000
)

// Sample is what the samples say about a cut.
type Sample struct {
	Cut     Cut
	Cubes   float64 // number of cubes
	Seconds float64 // of splitting and conquering, on a usual machine, one rank
	Tried   int     // number of cubes that were tried
	Budget  int64   // a budget for cubes, in conflicts
}

// Choose returns the cut by a measure for which the estimated time is least. If no cut makes
// leastCubes cubes, the tree is small. Then the result is the deepest cut, so that look-ahead decides
// most of it, and has no time. The same arguments give the same result on every machine.
func Choose(f *sat.Formula, m Measure) Sample {
	s := newSampler(f, m)
	best := Sample{Cut: Cut{m, 0, 0}, Budget: DefaultBudget}
	if !s.dive() {
		return best
	}
	all := s.values()
	if len(all) == 0 { // a child of the root is a leaf on every dive
		return best
	}
	best.Cut.Cube = all[len(all)-1]
	for i, x := range s.grid() {
		one := s.try(x)
		if i == 0 || one.Seconds < best.Seconds {
			best = one
		} else if one.Seconds > 2*best.Seconds {
			break
		}
	}
	best.Cut.Anchor = s.anchorOf(best.Cut.Cube)
	return best
}

// WithAnchor returns a cut with an anchor that has about cubesOfAnchor cubes, and the estimated number
// of cubes.
func WithAnchor(f *sat.Formula, c Cut) (Cut, float64) {
	s := newSampler(f, c.Measure)
	if s.dive() {
		c.Anchor = s.anchorOf(c.Cube)
	}
	return c, s.countCubes(c.Cube)
}

// sampler is a choice in progress.
type sampler struct {
	rule      *lookahead.Rule
	splitter  lookahead.Splitter
	formula   *sat.Formula
	m         Measure
	atRoot    int
	branch    int32 // of the root
	dives     [][]point
	tried     *cdcl.Solver
	untouched *cdcl.Solver
}

// point is a node of a dive: the nodes before look-ahead.
type point struct {
	measure float64
	cost    float64 // steps of look-ahead above the node, times what they stand for
	cubes   float64 // number of nodes that the node stands for
	trail   []int32 // literals that are true, as DIMACS numbers
}

func newSampler(f *sat.Formula, m Measure) *sampler {
	r := lookahead.NewSplitting(f)
	return &sampler{rule: r, splitter: r.BeginSplitter(), formula: f, m: m}
}

// dive makes the dives. It returns false if the root is a leaf.
func (s *sampler) dive() bool {
	if !s.splitter.Enter(sat.NoLiteral, nil) {
		return false
	}
	var outcome sat.Outcome
	if s.branch, outcome = s.splitter.Look(nil); outcome != sat.Inner {
		return false
	}
	s.atRoot = len(s.splitter.Trail())
	rng := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < sampleDives && (i < 2 || s.splitter.Steps() < sampleSteps); i++ {
		s.dives = append(s.dives, s.diveOnce(rng))
	}
	return true
}

// diveOnce goes from the root to a leaf and back.
func (s *sampler) diveOnce(rng *rand.Rand) (points []point) {
	branch, outcome, weight, cost, depth := s.branch, sat.Inner, 1.0, 0.0, 0
	for outcome == sat.Inner && depth < longestDive {
		weight *= 2
		depth++
		if !s.splitter.Enter(branch^int32(rng.IntN(2)), nil) {
			break
		}
		trail := s.splitter.Trail()
		p := point{measure: s.m.measure(place{len(trail), depth}, s.atRoot, s.rule.MaxDepth()), cost: cost, cubes: weight}
		for _, l := range trail[s.atRoot:] {
			p.trail = append(p.trail, s.rule.Name(l))
		}
		points = append(points, p)
		before := s.splitter.Steps()
		branch, outcome = s.splitter.Look(nil)
		cost += weight * float64(s.splitter.Steps()-before)
	}
	for range depth {
		s.splitter.Back()
	}
	return points
}

// find returns the first point of a dive that a cut makes a cube.
func find(dive []point, x float64) (p point, ok bool) {
	i := slices.IndexFunc(dive, func(p point) bool { return p.measure >= x })
	if i < 0 {
		return p, false
	}
	return dive[i], true
}

// countCubes estimates the number of cubes of a cut.
func (s *sampler) countCubes(x float64) (cubes float64) {
	for _, d := range s.dives {
		if p, ok := find(d, x); ok {
			cubes += p.cubes / float64(len(s.dives))
		}
	}
	return cubes
}

// values returns the measures of all points, in ascending order.
func (s *sampler) values() (all []float64) {
	for _, d := range s.dives {
		for _, p := range d {
			all = append(all, p.measure)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// grid returns the cuts to try, beginning with the one with the most cubes.
func (s *sampler) grid() (cuts []float64) {
	next := leastCubes
	for _, x := range s.values() {
		if n := s.countCubes(x); n >= next && n <= mostCubes {
			cuts = append(cuts, x)
			next = n * gridFactor
		}
	}
	slices.Reverse(cuts)
	return cuts
}

// anchorOf returns the measure of anchors with about cubesOfAnchor cubes of a cut.
func (s *sampler) anchorOf(cube float64) (anchor float64) {
	most := s.countCubes(cube) / cubesOfAnchor
	for i, x := range s.values() {
		if i == 0 || x <= cube && s.countCubes(x) <= most {
			anchor = min(x, cube)
		}
	}
	return anchor
}

// try conquers the cubes of a cut on the dives.
func (s *sampler) try(x float64) Sample {
	one := Sample{Cut: Cut{s.m, x, x}, Cubes: s.countCubes(x)}
	seconds, conflicts := 0.0, int64(0)
	for _, d := range s.dives {
		p, ok := find(d, x)
		if !ok {
			seconds += d[len(d)-1].cost * lookStep
			continue
		}
		ticks, n := s.tryCube(p)
		one.Tried++
		conflicts += n
		seconds += p.cost*lookStep + p.cubes*float64(ticks)*tickTime
	}
	one.Seconds = seconds / float64(len(s.dives))
	one.Budget = max(leastBudget, budgetFactor*conflicts/int64(max(one.Tried, 1)))
	return one
}

// tryCube conquers a cube with a new solver. A cube that is not decided counts as one that takes four
// times as long.
func (s *sampler) tryCube(p point) (ticks, conflicts int64) {
	if s.tried == nil {
		s.tried, s.untouched = cdcl.New(cdcl.Options{}), cdcl.New(cdcl.Options{})
		s.untouched.AddFormula(s.formula)
	}
	s.tried.CopyFrom(s.untouched)
	s.tried.Assume(p.trail...)
	status := s.tried.Continue(cdcl.Limit{Conflicts: tryConflicts, Ticks: cdcl.NoLimit})
	st := s.tried.Stats()
	if status == cdcl.Unknown {
		return 4 * st.Ticks, 4 * st.Conflicts
	}
	return st.Ticks, st.Conflicts
}
