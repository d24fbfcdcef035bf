package report

import (
	"cmp"
	"maps"
	"slices"

	"treesplit/study/sweep"
)

// set holds the measurements of one sweep and world, whose times can be compared.
type set struct {
	sweep, world string
	instances    []string // in the order of the results
	rows         []row
	ranks        []int        // ascending
	cases        []problem    // also problems whose runs have all failed
	known        map[any]bool // the elements of instances, rows, ranks and cases
	sequential   map[problem]*times
	parallel     map[place]map[problem]*times
	commands     map[string]string // of an instance: verb and arguments
	treesOfSeeds map[string]bool   // of an instance: whether each seed has another tree
}

// row is a scheme with a detector.
type row struct{ scheme, detector string }

// place is a row at a number of ranks.
type place struct {
	row   row
	ranks int
}

// problem is an instance with a seed.
type problem struct {
	instance string
	seed     uint64
}

// times are the repeats of one run. A run of 0 s has nodes, and no other number: a run on a
// simulated machine can take no virtual time, and then it has no speedup.
type times struct {
	seconds  []float64
	expanded []int64
	requests []int64
	claimed  []float64 // the program's own sequentialSeconds, if known
}

func (t *times) addOutput(o output) {
	t.expanded = append(t.expanded, o.Expanded)
	if o.Seconds == 0 {
		return
	}
	t.seconds = append(t.seconds, o.Seconds)
	t.requests = append(t.requests, o.Requests)
	if o.SequentialSeconds > 0 {
		t.claimed = append(t.claimed, o.SequentialSeconds)
	}
}

// hasSeconds reports whether there is a run that took time.
func (t *times) hasSeconds() bool { return t != nil && len(t.seconds) > 0 }

// medianValue returns the middle value, or the mean of the two middle values.
func medianValue(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}

// medianCount returns the median of counters, rounded down, without loss of digits beyond 2^53.
func medianCount(v []int64) int64 {
	v = slices.Sorted(slices.Values(v))
	n := len(v)
	low, high := v[(n-1)/2], v[n/2]
	return low + (high-low)/2
}

// groupIntoSets groups the results of the newest command lines that are ok. The problem of a failed
// result is a case of its set, if the set has a result.
func (r *Results) groupIntoSets() []*set {
	var all []*set
	newest := r.newestCommands()
	for _, key := range r.keys {
		l := r.lines[key]
		if newest[caseOf(l)] != commandOf(l) {
			continue
		}
		i := slices.IndexFunc(all, func(s *set) bool { return s.sweep == l.Sweep && s.world == l.World })
		if i < 0 {
			i = len(all)
			all = append(all, &set{sweep: l.Sweep, world: l.World, known: map[any]bool{}, sequential: map[problem]*times{}, parallel: map[place]map[problem]*times{}, commands: map[string]string{}, treesOfSeeds: map[string]bool{}})
		}
		all[i].addCase(l)
		if o, ok := r.runs[key]; ok {
			all[i].addResult(l, o)
		}
	}
	all = slices.DeleteFunc(all, func(s *set) bool { return len(s.instances) == 0 })
	for _, s := range all {
		slices.Sort(s.ranks)
	}
	return all
}

// addCase adds the problem of a result, which may have failed.
func (s *set) addCase(l sweep.Line) {
	appendNew(s.known, &s.cases, problem{l.Instance, l.Seed})
	s.commands[l.Instance], s.treesOfSeeds[l.Instance] = instanceCommand(l), l.HasTreeOfSeed()
}

// addResult adds one result that is ok.
func (s *set) addResult(l sweep.Line, o output) {
	p := problem{l.Instance, l.Seed}
	appendNew(s.known, &s.instances, p.instance)
	if l.Sequential {
		ensureTimes(s.sequential, p).addOutput(o)
		return
	}
	at := place{row{cmp.Or(l.Scheme, o.Scheme), cmp.Or(l.Detector, o.Termination)}, l.Ranks}
	appendNew(s.known, &s.rows, at.row)
	appendNew(s.known, &s.ranks, at.ranks)
	if s.parallel[at] == nil {
		s.parallel[at] = map[problem]*times{}
	}
	ensureTimes(s.parallel[at], p).addOutput(o)
}

// appendNew appends a value that is not known. Values of several types are in one map.
func appendNew[T comparable](known map[any]bool, list *[]T, v T) {
	if !known[v] {
		known[v] = true
		*list = append(*list, v)
	}
}

func ensureTimes(m map[problem]*times, p problem) *times {
	if m[p] == nil {
		m[p] = new(times)
	}
	return m[p]
}

// sequentialTime returns the time of one rank alone on a problem: the time measured with its seed;
// otherwise the time with the only measured seed, if the tree does not depend on the seed; otherwise
// the time that runs on many ranks report. ok is false if none of them is known.
func (s *set) sequentialTime(p problem) (seconds float64, ok bool) {
	if t := s.sequential[p]; t.hasSeconds() {
		return medianValue(t.seconds), true
	}
	var same []*times
	for q, t := range s.sequential {
		if q.instance == p.instance && !s.treesOfSeeds[p.instance] && t.hasSeconds() {
			same = append(same, t)
		}
	}
	if len(same) == 1 {
		return medianValue(same[0].seconds), true
	}
	var claimed []float64
	for _, m := range s.parallel {
		if t := m[p]; t != nil {
			claimed = append(claimed, t.claimed...)
		}
	}
	if len(same) > 1 || len(claimed) == 0 {
		return 0, false
	}
	return medianValue(claimed), true
}

// problemSize returns W of a problem: the number of nodes that one rank alone has expanded,
// otherwise the median over all runs. ok is false if no run has a result.
func (s *set) problemSize(p problem) (w int64, ok bool) {
	if t := s.sequential[p]; t != nil {
		return medianCount(t.expanded), true
	}
	var all []int64
	for _, at := range slices.SortedFunc(maps.Keys(s.parallel), func(a, b place) int { return cmp.Compare(a.ranks, b.ranks) }) {
		if t := s.parallel[at][p]; t != nil {
			all = append(all, t.expanded...)
		}
	}
	if len(all) == 0 {
		return 0, false
	}
	return medianCount(all), true
}
