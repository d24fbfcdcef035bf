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
	base   comm.Time // the beginning of the segment under way
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
	if !p.observed() {
		return nil
	}
	o := &simObserver{ranks: make([]simRank, p.Ranks)}
	for i := range o.ranks {
		o.ranks[i].Rank = ledger.New(i, &o.counts, p.recording(i, p.Ranks, m.Expand), 0)
	}
	return o
}

// requests is what a rank's scheme notes its requests in.
func (o *simObserver) requests(rank int) *lb.Requests {
	if o == nil {
		return nil
	}
	return o.ranks[rank].Search()
}

// begin begins a segment, of which ranks will hold the Balancers.
func (o *simObserver) begin(options *sim.Options, ranks *[]lb.Balancer) {
	if o == nil {
		return
	}
	for i := range o.ranks {
		r := &o.ranks[i]
		r.busy, r.overhead, r.without, r.done = 0, 0, trace.Idle, false
		r.Begin(o.base, 0)
	}
	options.Trace = func(e sim.Entry) { o.entry(&e, (*ranks)[e.Rank]) }
}

// entry takes in what has happened. Since the entry before, the rank had nothing to do
// at first; then it did what ended with this entry.
func (o *simObserver) entry(e *sim.Entry, b lb.Balancer) {
	r, at := &o.ranks[e.Rank], o.base+e.At
	if !r.done {
		busy, overhead := e.Busy-r.busy, e.Overhead-r.overhead
		r.busy, r.overhead = e.Busy, e.Overhead
		r.Spend(r.without, at-busy-overhead, 0)
		if e.What == sim.Stepped { // the poll was before the step
			r.Spend(trace.Overhead, at-busy, 0)
		}
		r.Spend(trace.Busy, r.At()+busy, int64(e.Nodes))
		r.Spend(trace.Overhead, at, 0)
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
	r.without = r.Without(b.State())
}

// end ends a segment that took until the given time, and then closing for all ranks.
func (o *simObserver) end(out *sim.Result, closing comm.Time) {
	if o == nil {
		return
	}
	for i := range o.ranks {
		r := &o.ranks[i]
		r.Spend(trace.Done, o.base+out.Time, 0)
		r.Spend(trace.Overhead, o.base+out.Time+closing, 0)
		r.EndSearch()
	}
	o.base += out.Time + closing
}

// alone says that every rank has expanded so many nodes by itself, which took as long.
func (o *simObserver) alone(nodes int64, took comm.Time) {
	if o == nil {
		return
	}
	o.base += took
	for i := range o.ranks {
		o.ranks[i].Spend(trace.Busy, o.base, nodes)
	}
}

// result tells a result what was observed.
func (o *simObserver) result(p Plan, r *Result) {
	if o == nil {
		return
	}
	for i := range o.ranks {
		r.PerRank[i].Spent = newSpent(&o.ranks[i].Account)
	}
	if p.Stats {
		r.Stats = newStatistics(r, &o.counts)
	}
	if p.TraceEvents > 0 {
		records := make([]*trace.Recording, len(o.ranks))
		for i := range o.ranks {
			records[i] = o.ranks[i].Record
		}
		r.Trace = trace.Join("", records, clocks{}.ahead)
		r.Trace.Notes = append(r.Trace.Notes, trace.Note{Key: "clock", Value: "virtual"})
	}
}
