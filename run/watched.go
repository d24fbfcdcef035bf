package run

import (
	"maps"
	"slices"

	"treesplit/search"
	"treesplit/spmd"
)

// Watched is a Problem with sums that users watch during the search, such as the number of decided
// cubes. They travel to rank 0 with the heartbeats. It must not be Iterated.
type Watched interface {
	Problem
	// WatchedSums returns the places in Counts.Sums of at most spmd.MaxCounts sums, by the keys of
	// the sums in the JSON of a result. They are the same on all ranks.
	WatchedSums() map[string]int
}

// watchedSums are the watched sums of a problem.
type watchedSums struct {
	keys   []string // in alphabetical order
	places []int    // in Counts.Sums
}

// sumsToWatch returns the watched sums of a problem. There are none if it is not Watched.
func sumsToWatch(problem Problem) (w watchedSums) {
	p, ok := problem.(Watched)
	if !ok {
		return w
	}
	places := p.WatchedSums()
	w.keys = slices.Sorted(maps.Keys(places))
	w.keys = w.keys[:min(len(w.keys), spmd.MaxCounts)]
	for _, key := range w.keys {
		w.places = append(w.places, places[key])
	}
	return w
}

// pick returns the watched sums of counts, which may be empty.
func (w watchedSums) pick(c Counts) []int64 {
	all := make([]int64, len(w.places))
	for i, place := range w.places {
		if place < len(c.Sums) {
			all[i] = c.Sums[place]
		}
	}
	return all
}

// byKey returns numbers by the keys of the sums, or nil if there are no sums.
func (w watchedSums) byKey(numbers []int64) map[string]int64 {
	if len(w.keys) == 0 {
		return nil
	}
	all := map[string]int64{}
	for i, key := range w.keys {
		all[key] = numbers[i]
	}
	return all
}

// watchedCounts returns a function that counts the watched sums of the shares, or nil if the problem
// has none.
func (w *shareSet) watchedCounts() func() []int64 {
	sums := sumsToWatch(w.problem)
	if len(sums.keys) == 0 {
		return nil
	}
	return func() []int64 {
		var all Counts
		w.Each(func(share search.Work) { all.addCounts(w.problem.Count(share)) })
		return sums.pick(all)
	}
}
