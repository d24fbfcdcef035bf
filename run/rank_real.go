package run

import (
	"encoding/json"
	"time"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/spmd"
)

// realRank is a rank on goroutines or under MPI during a run. It implements ranks.
type realRank struct {
	comm.Transport
	plan  Plan
	hooks Hooks
	stuck func(error)
	saver *saver // or nil
	start comm.Time

	own        part
	sequential time.Duration // time of the sequential run before; 0: none
	observer   RankObserver  // or nil
	balancer   lb.Balancer   // of the current segment

	pacer spmd.Pacer // nil: the rank is not paced
	parts []part     // of all ranks at the end, on rank 0
}

// part holds the numbers that a rank sends to rank 0 at the end.
type part struct {
	RankResult
	Missed map[int]float64 // silent ranks, with the longest silence of each in seconds
	Pacing *spmd.Honesty   // of a paced rank
}

func (r *realRank) now() comm.Time { return r.Now() }

// halting implements ranks. A run is halted for good or, by rank 0, to be saved.
func (r *realRank) halting() func() (lb.Reason, bool) {
	halt := newHaltCheck(r.plan, r.hooks, r.start, r.Now)
	if r.saver == nil || r.Rank() != 0 {
		return halt
	}
	return r.saver.haltOrPause(halt, r.plan.CheckpointEvery, r.Now, r.hooks.SaveNow)
}

// mayTimeOut reports whether the timeout counts: the rank has expanded a node in this run. So a chain of
// runs makes progress, however short the runs are. A rank without work leaves the timeout to the ranks with
// work. In the first run of a chain nodes of a sample of the tree count too: the next run takes no sample.
func (r *realRank) mayTimeOut() bool {
	s := r.balancer.Stats()
	nodes := r.own.Expanded + s.Expanded
	if r.saver == nil || r.saver.before.Sessions == 0 {
		nodes += s.Redundant
	}
	return nodes > 0
}

// requests implements ranks.
func (r *realRank) requests(int) *lb.Requests {
	if r.observer == nil {
		return nil
	}
	return r.observer.BeginSearch()
}

// search implements ranks.
func (r *realRank) search(work *shareSet) (segment, error) {
	r.paceShares(work)
	tally, err := r.beginSegment(work)
	if err != nil {
		return segment{}, err
	}
	report, err := spmd.DriveRank(r, r.balancer, r.driveConfig(work))
	if err != nil {
		return segment{}, err
	}
	if err := spmd.AuditCredits(r, report.Audit); err != nil {
		return segment{}, err
	}
	if r.observer != nil {
		r.observer.EndSearch()
	}
	r.own.addRankResult(rankResult(r.Rank(), report))
	return segment{report.Stats.Expanded, report.Reason, tally}, nil
}

// beginSegment makes this rank's protocol. count returns the counts of its shares at the end.
func (r *realRank) beginSegment(work *shareSet) (count func() (*tally, error), err error) {
	if own, ok := work.problem.(Protocol); ok {
		r.balancer, count = protocolRank(own)
		return count, nil
	}
	r.balancer, err = newBalancer(r.plan, work, r.Rank(), r.Size())
	return work.tallyShares, err
}

// driveConfig returns the options of package spmd for this rank, which searches the given shares.
func (r *realRank) driveConfig(work *shareSet) spmd.Config {
	p, halt := r.plan, r.halting()
	c := spmd.Config{
		Seed: p.Seed, Quantum: r.pacedQuantum(), QuantumTime: comm.Time(p.QuantumTime), Serve: p.Serve,
		Stall: p.longestStall(), Stuck: r.stuck, Silent: r.noticeSilence(), Pacer: r.pacer,
		Halt: func() (lb.Reason, bool) {
			why, ends := halt()
			return why, ends && (why != lb.Timeout || r.mayTimeOut())
		},
	}
	if r.observer != nil {
		c.Observer = r.observer
	}
	if o, ok := r.observer.(Reporting); ok {
		c.Report, c.TakeReport = o.AppendReport, o.TakeReport
	}
	if r.hooks.Progress != nil {
		c.Progress, c.Beat, c.Counts = r.hooks.meter.takeReports, beat, work.watchedCounts()
	}
	return c
}

// protocolRank makes a rank of a Protocol. count returns its counts at the end.
func protocolRank(own Protocol) (b lb.Balancer, count func() (*tally, error)) {
	b, end := own.Rank()
	return b, func() (*tally, error) {
		t := emptyTally()
		counts, found := end()
		t.Counts.addCounts(counts)
		t.witness = found
		return t, nil
	}
}

// searchedAlone implements ranks. Rank 0 counts the nodes; the other ranks count them as
// redundant.
func (r *realRank) searchedAlone(since comm.Time, nodes int64) {
	if r.pacer != nil {
		r.pacer.Rest()
		r.pacer.Settle(int(nodes), since)
		r.pacer.Rest()
	}
	r.own.WorkSeconds += toSeconds(r.Now() - since)
	if r.observer != nil {
		r.observer.SearchedAlone(since, r.Now(), nodes)
	}
	if r.Rank() == 0 {
		r.own.Expanded += nodes
	} else {
		r.own.Redundant += nodes
	}
}

// leftovers implements ranks.
func (r *realRank) leftovers() []leftover { return []leftover{{r.Rank(), takeRemaining(r.balancer)}} }

func (r *realRank) counted() RankResult { return r.own.RankResult }

// gather implements ranks.
func (r *realRank) gather(end comm.Time) (gathered, error) {
	if r.observer != nil {
		r.own.Spent = r.observer.SpentUntil(end)
	}
	r.own.Pacing = r.honesty()
	data, err := json.Marshal(r.own)
	if err != nil {
		return gathered{}, err
	}
	all, err := r.Gather(0, data)
	if err != nil {
		return gathered{}, err
	}
	parts := make([]part, len(all))
	for i, data := range all {
		if err := json.Unmarshal(data, &parts[i]); err != nil {
			return gathered{}, err
		}
	}
	joinSilence(parts)
	g := gathered{sequentialSeconds: r.sequential.Seconds()}
	for _, p := range parts {
		g.perRank = append(g.perRank, p.RankResult)
		if r.plan.Pace != nil {
			g.sequentialSeconds += r.plan.Pace.MeanNodeTime().Duration().Seconds()*float64(p.Expanded) - p.Pacing.Unpaid.Duration().Seconds()
		}
	}
	r.parts = parts
	return g, nil
}

// describe implements ranks.
func (r *realRank) describe(res *Result) error {
	if res != nil {
		r.describePacing(res, r.parts)
	}
	if r.observer == nil {
		return nil
	}
	return r.observer.Describe(res)
}
