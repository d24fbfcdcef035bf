package report

import (
	"math/big"
	"slices"
)

// speedup is T_1/T_P over one or more problems.
type speedup struct {
	value     float64  // cumulative sequential time divided by cumulative parallel time
	low, high float64  // with the slowest and the fastest repeat of each problem
	cases     int      // problems that were measured on one rank and on many ranks
	wanted    int      // all problems, also problems whose runs have all failed
	repeats   int      // of the problem with the most repeats
	requests  *big.Rat // mean of the problems' medians
	t1, tp    float64  // the cumulative times
}

// speedupAt adds up the problems for which keep returns true. ok is false if no problem was
// measured both on one rank and at this place.
func (s *set) speedupAt(at place, keep func(problem) bool) (sp speedup, ok bool) {
	fastest, slowest := 0.0, 0.0
	sp.requests = new(big.Rat)
	for _, p := range s.cases {
		if !keep(p) {
			continue
		}
		sp.wanted++
		t, t1, ok := s.problemTimes(at, p)
		if !ok {
			continue
		}
		sp.cases++
		sp.repeats = max(sp.repeats, len(t.seconds))
		sp.requests.Add(sp.requests, new(big.Rat).SetInt64(medianCount(t.requests)))
		sp.t1 += t1
		sp.tp += medianValue(t.seconds)
		fastest += slices.Min(t.seconds)
		slowest += slices.Max(t.seconds)
	}
	if sp.cases == 0 {
		return sp, false
	}
	sp.value, sp.low, sp.high = sp.t1/sp.tp, sp.t1/slowest, sp.t1/fastest
	sp.requests.Quo(sp.requests, new(big.Rat).SetInt64(int64(sp.cases)))
	return sp, true
}

// problemTimes returns the repeats of a problem at a place, and the time of one rank alone. ok is false
// unless both were measured.
func (s *set) problemTimes(at place, p problem) (t *times, t1 float64, ok bool) {
	if t = s.parallel[at][p]; !t.hasSeconds() {
		return t, 0, false
	}
	t1, ok = s.sequentialTime(p)
	return t, t1, ok
}

// everyProblem keeps all problems.
func everyProblem(problem) bool { return true }

// ofInstance returns a function that keeps the problems of one instance.
func ofInstance(instance string) func(problem) bool {
	return func(p problem) bool { return p.instance == instance }
}
