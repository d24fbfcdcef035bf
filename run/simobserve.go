package run

import (
	"treesplit/comm"
	"treesplit/lb"
	"treesplit/run/observe/ledger"
	"treesplit/run/observe/trace"
	"treesplit/sim"
)

// simObserver observes the ranks of a simulation, in virtual time. Its histograms are
// those of all ranks together, of which there can be a million.
type simObserver struct {
	ranks  []simRank
	counts ledger.Counts
	base   comm.Time // the beginning of the current segment
}

// simRank is what is known of a rank as of the last entry.
type simRank struct {
	*ledger.Rank
	busy, overhead comm.Time   // in this segment
	without        trace.State // what the rank does when it has nothing to do
	done           bool        // with this segment
}

// newSimObserver returns an observer, or nil where the plan wants none.
func newSimObserver(p Plan, m sim.Machine) *simObserver {
	if !p.isObserved() {
		return nil
	}
	o := &simObserver{ranks: make([]simRank, p.Ranks)}
	for i := range o.ranks {
		o.ranks[i].Rank = ledger.New(i, &o.counts, p.newRecording(i, p.Ranks, m.Expand), 0)
	}
	return o
}

// rankRequests is what a rank's scheme notes its requests in.
func (o *simObserver) rankRequests(rank int) *lb.Requests {
	if o == nil {
		return nil
	}
	return o.ranks[rank].BeginSearch()
}

// beginSegment begins a segment, of which ranks will hold the Balancers.
func (o *simObserver) beginSegment(options *sim.Options, ranks *[]lb.Balancer) {
	if o == nil {
		return
	}
	for i := range o.ranks {
		r := &o.ranks[i]
		r.busy, r.overhead, r.without, r.done = 0, 0, trace.Idle, false
		r.Begin(o.base, 0)
	}
	options.Trace = func(e sim.Entry) { o.recordEntry(&e, (*ranks)[e.Rank]) }
}

// recordEntry takes in what has happened. Since the entry before, the rank had nothing to do
// at first; then it did what ended with this entry.
func (o *simObserver) recordEntry(e *sim.Entry, b lb.Balancer) {
	r, at := &o.ranks[e.Rank], o.base+e.At
	if !r.done {
		busy, overhead := e.Busy-r.busy, e.Overhead-r.overhead
		r.busy, r.overhead = e.Busy, e.Overhead
		r.SpendTime(r.without, at-busy-overhead, 0)
		if e.What == sim.Stepped { // the poll was before the step
			r.SpendTime(trace.Overhead, at-busy, 0)
		}
		r.SpendTime(trace.Busy, r.AccountedUntil()+busy, int64(e.Nodes))
		r.SpendTime(trace.Overhead, at, 0)
	}
	switch e.What {
	case sim.Sent:
		r.Sent(at, e.Message, e.Bytes, b.Stats().Grants)
	case sim.Received:
		r.Received(at, e.Message)
	case sim.Ended:
		r.done = true
		r.Stopped(at)
	}
	r.without = r.StateWithoutWork(b.State())
}

// endSegment ends a segment that took until the given time, and then closing for all ranks.
func (o *simObserver) endSegment(out *sim.Result, closing comm.Time) {
	if o == nil {
		return
	}
	for i := range o.ranks {
		r := &o.ranks[i]
		r.SpendTime(trace.Done, o.base+out.Time, 0)
		r.SpendTime(trace.Overhead, o.base+out.Time+closing, 0)
		r.EndSearch()
	}
	o.base += out.Time + closing
}

// observeAlone notes that every rank has expanded the given number of nodes by itself, which took as long.
func (o *simObserver) observeAlone(nodes int64, took comm.Time) {
	if o == nil {
		return
	}
	o.base += took
	for i := range o.ranks {
		o.ranks[i].SpendTime(trace.Busy, o.base, nodes)
	}
}

// describeResult tells a result what was observed.
func (o *simObserver) describeResult(p Plan, r *Result) {
	if o == nil {
		return
	}
	for i := range o.ranks {
		r.PerRank[i].Spent = newSpentTimes(&o.ranks[i].Account)
	}
	if p.Stats {
		r.Stats = newStatistics(r, &o.counts)
	}
	if p.TraceEvents > 0 {
		records := make([]*trace.Recording, len(o.ranks))
		for i := range o.ranks {
			records[i] = o.ranks[i].Record
		}
		r.Trace = trace.JoinRecordings("", records, clocks{}.rankOffset)
		r.Trace.Notes = append(r.Trace.Notes, trace.Note{Key: "clock", Value: "virtual"})
	}
}
