package run

import (
	"encoding/json"
	"fmt"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/local"
	"treesplit/run/observe/ledger"
	"treesplit/run/observe/trace"
)

// grain is how long the handling of a message must take to have a span of its own in a
// trace: the better part of a quantum.
const grain comm.Time = 50 * 1000

// maxTraceEvents bounds the events of a run, which rank 0 has to hold: some 200 MB, three
// times that while they are put in order.
const maxTraceEvents = 1 << 22

// isObserved reports whether anybody wants to know more of a run than its results.
func (p Plan) isObserved() bool { return p.Stats || p.TraceEvents > 0 }

// newRecording is an empty trace of one rank of size, if there is to be one.
func (p Plan) newRecording(rank, size int, grain comm.Time) *trace.Recording {
	if p.TraceEvents == 0 {
		return nil
	}
	return trace.New(rank, min(p.TraceEvents, max(maxTraceEvents/size, 16)), grain)
}

// beginObserving begins to observe the rank, if that is wanted. All ranks must call it; what it
// takes them comes before the run.
func (r *realRank) beginObserving() error {
	if !r.plan.isObserved() {
		return nil
	}
	if _, together := r.Transport.(*local.Endpoint); r.plan.TraceEvents > 0 && !together {
		var err error
		if r.clocks, err = alignClocks(r); err != nil {
			return err
		}
	}
	r.start = r.Now()
	r.observer = ledger.New(r.Rank(), new(ledger.Counts), r.plan.newRecording(r.Rank(), r.Size(), grain), r.start)
	return nil
}

// requests is what the scheme notes its requests in; nil where nobody observes.
func (r *realRank) requests(int) *lb.Requests {
	if r.observer == nil {
		return nil
	}
	return r.observer.BeginSearch()
}

// spentUntil is where the rank's time went until now; nil where nobody observes.
func (r *realRank) spentUntil(now comm.Time) *Spent {
	if r.observer == nil {
		return nil
	}
	r.observer.SpendTime(trace.Overhead, now, 0)
	return newSpentTimes(&r.observer.Account)
}

// describe implements ranks: it brings what all ranks have observed to rank 0, into a result that
// has their times already; it is nil on other ranks.
func (r *realRank) describe(res *Result) error {
	if r.observer == nil {
		return nil
	}
	var sum ledger.Counts
	all, err := gatherJSON(r, r.observer.Counts)
	if err != nil {
		return err
	}
	for _, c := range all {
		sum.MergeFrom(c)
	}
	if r.plan.Stats && res != nil {
		res.Stats = newStatistics(res, &sum)
	}
	if r.observer.Record == nil {
		return nil
	}
	data, err := r.observer.Record.AppendBinary(nil)
	if err != nil {
		return err
	}
	parts, err := r.Gather(0, data)
	if err != nil || res == nil {
		return err
	}
	records := make([]*trace.Recording, len(parts))
	for i, part := range parts {
		if records[i], err = trace.DecodeRecording(part); err != nil {
			return fmt.Errorf("the trace of rank %d: %w", i, err)
		}
	}
	res.Trace = trace.JoinRecordings("", records, r.clocks.rankOffset)
	res.Trace.Notes = append(res.Trace.Notes, trace.Note{Key: "clock", Value: r.clocks.String()})
	return nil
}

// gatherJSON gathers a value of every rank at rank 0, by way of JSON; elsewhere it returns
// nil.
func gatherJSON[T any](c comm.Collective, v *T) ([]*T, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	parts, err := c.Gather(0, data)
	if err != nil || parts == nil {
		return nil, err
	}
	all := make([]*T, len(parts))
	for i, part := range parts {
		all[i] = new(T)
		if err := json.Unmarshal(part, all[i]); err != nil {
			return nil, fmt.Errorf("from rank %d: %w", i, err)
		}
	}
	return all, nil
}

// observeAlone notes that the rank has expanded nodes by itself since a moment.
func (r *realRank) observeAlone(start comm.Time, nodes int64) {
	if r.observer != nil {
		r.observer.SpendTime(trace.Overhead, start, 0)
		r.observer.SpendTime(trace.Busy, r.Now(), nodes)
	}
}
