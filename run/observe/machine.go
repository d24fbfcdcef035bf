package observe

import (
	"treesplit/comm"
	"treesplit/lb"
	"treesplit/run"
	"treesplit/run/observe/feed"
	"treesplit/run/observe/ledger"
	"treesplit/run/observe/trace"
	"treesplit/sim"
)

// machine observes the ranks of a simulation, in virtual time. Its histograms are for all ranks
// together, because a simulation can have a million ranks.
type machine struct {
	wanted Observer
	ranks  []machineRank
	counts ledger.Counts
	base   comm.Time     // start of the current segment
	board  *feed.Machine // or nil
}

// machineRank is the state of a rank at its last entry.
type machineRank struct {
	*ledger.Rank
	busy, overhead comm.Time   // in this segment
	without        trace.State // the rank's state while it has nothing to do
	done           bool        // the rank has finished this segment
}

// ObserveMachine implements run.Observer.
func (o Observer) ObserveMachine(m sim.Machine, ranks int) run.MachineObserver {
	all := &machine{wanted: o, ranks: make([]machineRank, ranks)}
	for i := range all.ranks {
		all.ranks[i].Rank = ledger.New(i, &all.counts, o.newRecording(i, ranks, m.Expand), 0)
	}
	if o.Board != nil {
		all.board = o.Board.BeginMachine(ranks, m.TimeOfNodes(int64(max(m.Quantum, 1)), ranks))
		for i := range all.ranks {
			all.ranks[i].Given = all.board.Transfers()
		}
	}
	return all
}

// BeginSearch begins a search of a rank. The rank's scheme notes its requests in the returned
// record.
func (o *machine) BeginSearch(rank int) *lb.Requests { return o.ranks[rank].BeginSearch() }

// BeginSegment begins a segment. ranks will hold the balancers of the segment.
func (o *machine) BeginSegment(options *sim.Options, ranks *[]lb.Balancer) {
	for i := range o.ranks {
		r := &o.ranks[i]
		r.busy, r.overhead, r.without, r.done = 0, 0, trace.Idle, false
		r.Begin(o.base, 0)
	}
	options.Trace = func(e sim.Entry) { o.recordEntry(&e, (*ranks)[e.Rank]) }
	if o.board != nil {
		halt := options.Halt
		options.Look = func(now comm.Time) comm.Time {
			return o.lookAtRanks(o.base+now, func() bool { _, stopped := halt(); return stopped }) - o.base
		}
	}
}

// lookAtRanks updates the board and lets the pace hold the simulation. It returns the time of the
// next look, on the clock of the run.
func (o *machine) lookAtRanks(now comm.Time, stopped func() bool) (next comm.Time) {
	column := o.board.EndColumn(now, &o.counts, o.boardRank)
	next = o.board.Next()
	if o.wanted.Pace != nil {
		next = min(next, o.wanted.Pace(now, column, stopped))
	}
	return next
}

// boardRank returns a rank as the board looks at it.
func (o *machine) boardRank(i int) feed.Rank {
	return feed.Rank{Rank: o.ranks[i].Rank, Without: o.ranks[i].without}
}

// recordEntry records an entry of the simulation. After the previous entry the rank had nothing
// to do at first. Then it did the work that ends with this entry.
func (o *machine) recordEntry(e *sim.Entry, b lb.Balancer) {
	r, at := &o.ranks[e.Rank], o.base+e.At
	if !r.done {
		busy, overhead := e.Busy-r.busy, e.Overhead-r.overhead
		r.busy, r.overhead = e.Busy, e.Overhead
		r.SpendTime(r.without, at-busy-overhead, 0)
		if e.What == sim.Stepped { // the poll came before the step
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

// EndSegment ends a segment. closing is the time that all ranks need after it.
func (o *machine) EndSegment(out *sim.Result, closing comm.Time) {
	for i := range o.ranks {
		r := &o.ranks[i]
		r.SpendTime(trace.Done, o.base+out.Time, 0)
		r.SpendTime(trace.Overhead, o.base+out.Time+closing, 0)
		r.EndSearch()
	}
	o.base += out.Time + closing
}

// SearchedAlone notes that every rank has expanded the given number of nodes by itself in the
// time took.
func (o *machine) SearchedAlone(nodes int64, took comm.Time) {
	o.base += took
	for i := range o.ranks {
		o.ranks[i].SpendTime(trace.Busy, o.base, nodes)
	}
}

// Describe adds the observations to a result.
func (o *machine) Describe(r *run.Result) {
	if o.board != nil {
		o.board.EndLastColumn(o.base, &o.counts, o.boardRank)
	}
	if o.wanted.Stats {
		for i := range o.ranks {
			r.PerRank[i].Spent = newSpentTimes(&o.ranks[i].Account)
		}
		r.Stats = newStatistics(r, &o.counts)
	}
	if o.wanted.TraceEvents > 0 {
		records := make([]*trace.Recording, len(o.ranks))
		for i := range o.ranks {
			records[i] = o.ranks[i].Record
		}
		r.Trace = joinRecordings(records, clocks{}.rankOffset, "virtual")
	}
}
