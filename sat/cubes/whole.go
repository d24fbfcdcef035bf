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
	t := s.tryRoot(c, limit)
	return Sample{Cut: c, Cubes: float64(t.cubes), Seconds: t.seconds(), Budget: max(leastBudget, t.conflicts+1)}, t.complete
}

// tryRoot searches both subtrees of the root, until they take more than limit seconds together.
func (s *sampler) tryRoot(c Cut, limit float64) (t trial) {
	left, right := question{c, limit, []int32{s.branch}}, question{c, limit, []int32{s.branch ^ 1}}
	if s.team.Size() > 1 {
		both := s.makeTrials([]question{left, right})
		return both[0].join(both[1], limit)
	}
	if t = s.makeOwnTrial(left); !t.complete {
		return t
	}
	right.limit -= t.seconds()
	return t.join(s.makeOwnTrial(right), limit)
}

// join returns the trial of two subtrees. It is complete if both are, within a limit in seconds.
func (t trial) join(u trial, limit float64) trial {
	t.look, t.ticks, t.cubes, t.conflicts = t.look+u.look, t.ticks+u.ticks, t.cubes+u.cubes, t.conflicts+u.conflicts
	t.complete = t.complete && u.complete && t.seconds() <= limit
	return t
}
