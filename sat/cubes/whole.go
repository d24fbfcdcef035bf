package cubes

// The trial of the whole formula. If look-ahead is slow but a solver is quick, few cubes are best. Trials of
// anchors do not show this: the first cubes are the expensive ones, so the number of cubes times the cost of
// a tried cube is far above the time of the search. Therefore a cut with few cubes may first search the
// whole formula, for a small part of the time that the first cut needs for look-ahead alone.
//
// The trial is a rule of this program, without a source.

const (
	wholeShare = 0.05 // of the look-ahead of the first cut, for the whole formula
	leastWhole = 0.5  // seconds; with less, only anchors are tried
	mostWhole  = 6.0  // seconds
)

// wholeLimit returns the seconds that a search of the whole formula may take, or 0 if there is none.
func wholeLimit(race []*entrant) float64 {
	if limit := wholeShare * race[startOf(race, startCubes)].least; limit >= leastWhole {
		return min(limit, mostWhole)
	}
	return 0
}

// tryWhole searches the whole formula with about fewCubes cubes, until it takes more than limit seconds. If
// the search is complete, it returns the cut, with exact numbers. The budget is then more than the conflicts
// of all cubes together, so that no cube is given up. The time is not a part of the time for trials of
// anchors.
func (s *sampler) tryWhole(race []*entrant, limit float64) (one Sample, complete bool) {
	c := race[startOf(race, fewCubes)].cut
	s.useCut(c)
	t := s.tryRoot(limit)
	return Sample{Cut: c, Cubes: float64(t.cubes), Seconds: t.seconds(), Budget: max(leastBudget, t.conflicts+1)}, t.complete
}

// tryRoot searches both subtrees of the root, until they take more than limit seconds.
func (s *sampler) tryRoot(limit float64) (t trial) {
	hasTime := s.measureTrial(&t, limit)
	t.complete = true
	for _, l := range [2]int32{s.branch, s.branch ^ 1} {
		t.complete = t.complete && hasTime() && s.tryNode(l, &t, hasTime)
		hasTime()
		s.backToRoot()
	}
	return t
}
