// Package observe measures how the ranks of a run spend their time, counts their messages, pieces
// and requests, and records traces: on real ranks and on a simulated machine. It implements
// run.Observer. A program that sets no Plan.Observer does not need it.
package observe

import (
	"treesplit/comm"
	"treesplit/run"
	"treesplit/run/observe/feed"
	"treesplit/run/observe/trace"
)

// Observer is a run.Observer.
type Observer struct {
	Stats       bool // add Statistics and the times of the ranks, RankResult.Spent, to the result
	TraceEvents int  // most events recorded per rank; 0: the result has no trace
	// Board shows the activity of all ranks on rank 0 during the run; nil: no board. It must be set
	// on all ranks or on none.
	Board *feed.Board
	// Pace is called by a simulation with a board when its virtual time has reached the time that
	// the last call returned. column reports that a column of the board has ended. It may block, to
	// slow the simulation down, until stopped returns true. nil: the simulation does not wait.
	Pace func(now comm.Time, column bool, stopped func() bool) (next comm.Time)
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

// maxTraceEvents bounds the number of events of a run, but each rank keeps leastTraceEvents or more. Rank 0
// holds maxTraceEvents in about 200 MB, and in three times that amount while it sorts them. A simulation of
// 2^20 ranks has four times as many events.
const (
	maxTraceEvents   = 1 << 22
	leastTraceEvents = 16
)

// newRecording returns an empty recording of one rank of size, or nil if no trace is requested.
func (o Observer) newRecording(rank, size int, grain comm.Time) *trace.Recording {
	if o.TraceEvents <= 0 {
		return nil
	}
	return trace.New(rank, min(o.TraceEvents, max(maxTraceEvents/size, leastTraceEvents)), grain)
}

// joinRecordings makes a trace from the recordings of all ranks. clock describes their clock.
func joinRecordings(records []*trace.Recording, offset func(rank int) comm.Time, clock string) *trace.Trace {
	t := trace.JoinRecordings("", records, offset)
	t.Notes = append(t.Notes, trace.Note{Key: "clock", Value: clock})
	return t
}
