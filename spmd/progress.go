package spmd

import (
	"treesplit/lb"
	"treesplit/search"
)

// Progress is the progress of a run as rank 0 knows it from the messages received so far.
type Progress struct {
	Expanded int64 // nodes, by all ranks
	// Closed is the part of the tree that is closed, by weight (search.Sizer), 0 to 1. It never
	// falls: nodes in progress are open, and so are nodes that ranks have closed since their last
	// report to rank 0. Known reports whether ranks know this weight.
	Closed float64
	Known  bool
	Open   int64   // nodes that ranks still have to expand, as far as the ranks know them
	Idle   float64 // the part of the ranks' time without work, as of their last beats
	// Bound is the least value of a solution that rank 0 knows, or search.NoBound.
	Bound  int64
	Silent []Silence // ranks from which no message has arrived for Config.Stall
	Counts []int64   // the sums of Config.Counts over all ranks, as of their last beats; or nil
}

// told is what a rank reports in a Beat.
type told struct {
	expanded, open int64
	closed         float64
	known          bool
	idle           int32 // thousandths of the time since the beat before
	bound          int64 // the least value that the rank knows, or search.NoBound
	counts         watched
}

// always is the value of told.idle of a rank that had no work at all.
const always = 1000

// progressOfRank returns the progress of a rank that was idle for the given time, without counts. It
// examines the rank's work only if closely is set.
func progressOfRank(b lb.Balancer, idle int32, closely bool) told {
	t := told{expanded: b.Stats().Expanded, idle: idle, bound: search.NoBound}
	if !closely {
		return t
	}
	if b, ok := b.(interface{ Progress() lb.Progress }); ok {
		p := b.Progress()
		t.closed, t.open, t.known, t.bound = p.Closed, int64(p.Open), p.Sized, p.Bound
	}
	return t
}

// ProgressOfRanks returns the progress of ranks that are all in this process, as in a simulation.
// Idle is the share of the ranks that have no work at the moment.
func ProgressOfRanks(ranks []lb.Balancer) Progress {
	all := make([]told, len(ranks))
	for i, b := range ranks {
		idle := int32(0)
		if b.State() != lb.Busy {
			idle = always
		}
		all[i] = progressOfRank(b, idle, true)
	}
	return sumProgress(all)
}

// sumProgress adds up the reports of all ranks.
func sumProgress(all []told) (p Progress) {
	p.Bound = all[0].bound
	idle := int64(0)
	var sum watched
	for _, t := range all {
		sum.addCounts(t.counts)
		p.Expanded += t.expanded
		p.Closed += t.closed
		p.Open += t.open
		p.Known = p.Known || t.known
		idle += int64(t.idle)
	}
	p.Closed, p.Counts = min(p.Closed, 1), sum.list()
	p.Idle = float64(idle) / float64(always*len(all))
	return p
}
