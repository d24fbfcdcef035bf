package observe

import (
	"fmt"

	"treesplit/comm"
	"treesplit/local"
	"treesplit/run"
	"treesplit/run/observe/feed"
	"treesplit/run/observe/ledger"
	"treesplit/run/observe/trace"
	"treesplit/spmd"
)

// grain is the shortest handling of a message that has a span of its own in a trace: the larger
// part of a quantum.
const grain comm.Time = 50 * 1000

// realRank observes a rank on goroutines or under MPI. Package spmd reports a search to its
// ledger.
type realRank struct {
	*ledger.Rank
	t      comm.Transport
	wanted Observer
	clocks clocks // of a trace
}

// ObserveRank implements run.Observer.
func (o Observer) ObserveRank(t comm.Transport) (rank run.RankObserver, start comm.Time, err error) {
	r := &realRank{t: t, wanted: o}
	if _, together := t.(*local.Endpoint); o.TraceEvents > 0 && !together {
		if r.clocks, err = alignClocks(t); err != nil {
			return nil, 0, err
		}
	}
	start = t.Now()
	r.Rank = ledger.New(t.Rank(), new(ledger.Counts), o.newRecording(t.Rank(), t.Size(), grain), start)
	if o.Board == nil {
		return r, start, nil
	}
	if t.Rank() == 0 {
		o.Board.BeginReal(t.Size())
	}
	return &reportingRank{r, feed.NewReporter(r.Rank, t.Size()), start}, start, nil
}

// SearchedAlone notes that the rank has expanded nodes by itself between two times.
func (r *realRank) SearchedAlone(since, until comm.Time, nodes int64) {
	r.SpendTime(trace.Overhead, since, 0)
	r.SpendTime(trace.Busy, until, nodes)
}

// SpentUntil returns how the rank has spent its time until now, or nil without Stats.
func (r *realRank) SpentUntil(now comm.Time) *run.Spent {
	r.SpendTime(trace.Overhead, now, 0)
	if !r.wanted.Stats {
		return nil
	}
	return newSpentTimes(&r.Account)
}

// Describe sends the counts and the traces of all ranks to rank 0.
func (r *realRank) Describe(res *run.Result) error {
	var sum ledger.Counts
	all, err := spmd.GatherJSON(r.t, r.Counts)
	if err != nil {
		return err
	}
	for _, c := range all {
		sum.MergeFrom(c)
	}
	if r.wanted.Stats && res != nil {
		res.Stats = newStatistics(res, &sum)
	}
	if r.Record == nil {
		return nil
	}
	data, err := r.Record.AppendBinary(nil)
	if err != nil {
		return err
	}
	parts, err := r.t.Gather(0, data)
	if err != nil || res == nil {
		return err
	}
	records := make([]*trace.Recording, len(parts))
	for i, part := range parts {
		if records[i], err = trace.DecodeRecording(part); err != nil {
			return fmt.Errorf("rank 0 cannot decode the trace of rank %d: %w", i, err)
		}
	}
	res.Trace = joinRecordings(records, r.clocks.rankOffset, r.clocks.String())
	return nil
}
