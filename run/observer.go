package run

import (
	"treesplit/comm"
	"treesplit/lb"
	"treesplit/sim"
	"treesplit/spmd"
)

// Observer observes the ranks of a run. It adds statistics and a trace to the counts of the run.
// Package run/observe implements it.
type Observer interface {
	// ObserveRank begins to observe a real rank. All ranks of a run call it, each with its own
	// transport. start is the time at which the run and the observation begin.
	ObserveRank(t comm.Transport) (rank RankObserver, start comm.Time, err error)
	// ObserveMachine begins to observe all ranks of a simulated machine, at virtual time 0.
	ObserveMachine(m sim.Machine, ranks int) MachineObserver
}

// RankObserver observes one real rank. During a search, package spmd reports the rank's actions
// to it.
type RankObserver interface {
	spmd.Observer
	// BeginSearch begins a search. The rank's scheme notes its requests in the returned record.
	BeginSearch() *lb.Requests
	// EndSearch ends the search.
	EndSearch()
	// SearchedAlone notes that the rank has expanded nodes by itself between two moments.
	SearchedAlone(since, until comm.Time, nodes int64)
	// SpentUntil returns how the rank has spent its time until now, or nil if the result leaves it out.
	SpentUntil(now comm.Time) *Spent
	// Describe adds the observations of all ranks to the result. All ranks call it together. The
	// result already has the times of the ranks; it is nil on ranks other than 0.
	Describe(res *Result) error
}

// Reporting is a RankObserver whose reports reach rank 0 during the run. All ranks of a run have it
// or none. spmd.Config describes the methods. AppendReport may append nothing at any time.
type Reporting interface {
	AppendReport(dst []byte) []byte
	TakeReport(rank int, report []byte)
}

// MachineObserver observes all ranks of a simulated machine.
type MachineObserver interface {
	// BeginSearch begins a search of a rank. The rank's scheme notes its requests in the returned
	// record.
	BeginSearch(rank int) *lb.Requests
	// BeginSegment begins a segment: it lets the simulation report its events. balancers points
	// to the balancers of the ranks, which are made later.
	BeginSegment(o *sim.Options, balancers *[]lb.Balancer)
	// EndSegment ends a segment with the outcome out. closing is the time that all ranks need
	// after the segment.
	EndSegment(out *sim.Result, closing comm.Time)
	// SearchedAlone notes that each rank has expanded the given number of nodes by itself in the
	// time took.
	SearchedAlone(nodes int64, took comm.Time)
	// Describe adds the observations to the result.
	Describe(res *Result)
}
