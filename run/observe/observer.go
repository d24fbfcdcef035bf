// Package observe tells where the time of the ranks of a run went, counts their messages, pieces and
// requests, and records traces: on real ranks and on a simulated machine. It implements
// run.Observer; a program that sets no Plan.Observer does not need it.
package observe

import (
	"treesplit/comm"
	"treesplit/run"
	"treesplit/run/observe/trace"
)

// Observer is a run.Observer. Each result has the times of its ranks, RankResult.Spent, in any case.
type Observer struct {
	Stats       bool // the result has Statistics
	TraceEvents int  // most events that are recorded of each rank; 0: the result has no trace
}

// StatisticsOf returns the statistics of a result, or nil.
func StatisticsOf(r *run.Result) *Statistics {
	s, _ := r.Stats.(*Statistics)
	return s
}

// TraceOf returns the trace of a result, or nil.
func TraceOf(r *run.Result) *trace.Trace {
	t, _ := r.Trace.(*trace.Trace)
	return t
}

// maxTraceEvents bounds the events of a run, which rank 0 has to hold: some 200 MB, three
// times that while they are put in order.
const maxTraceEvents = 1 << 22

// newRecording returns an empty trace of one rank of size, or nil if no trace is wanted.
func (o Observer) newRecording(rank, size int, grain comm.Time) *trace.Recording {
	if o.TraceEvents <= 0 {
		return nil
	}
	return trace.New(rank, min(o.TraceEvents, max(maxTraceEvents/size, 16)), grain)
}

// joinRecordings makes a trace of the recordings of all ranks and says which clock they have.
func joinRecordings(records []*trace.Recording, offset func(rank int) comm.Time, clock string) *trace.Trace {
	t := trace.JoinRecordings("", records, offset)
	t.Notes = append(t.Notes, trace.Note{Key: "clock", Value: clock})
	return t
}
