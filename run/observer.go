package run

import (
	"treesplit/comm"
	"treesplit/lb"
	"treesplit/sim"
	"treesplit/spmd"
)

// Observer observes the ranks of a run, and tells more of it than its counts: statistics and a
// trace. Package run/observe has one.
type Observer interface {
	// ObserveRank begins to observe a real rank. All ranks of a run call it, each on its transport;
	// the run, and what is observed, begins at start.
	ObserveRank(t comm.Transport) (rank RankObserver, start comm.Time, err error)
	// ObserveMachine begins to observe all ranks of a simulated machine, at virtual time 0.
	ObserveMachine(m sim.Machine, ranks int) MachineObserver
}

// RankObserver observes one real rank. During a search spmd tells it what the rank does.
type RankObserver interface {
	spmd.Observer
	// BeginSearch begins a search. The rank's scheme notes its requests in what is returned.
	BeginSearch() *lb.Requests
	// EndSearch ends the search.
	EndSearch()
	// SearchedAlone notes that the rank has expanded nodes by itself between two moments.
	SearchedAlone(since, until comm.Time, nodes int64)
	// SpentUntil returns where the rank's time went until now.
	SpentUntil(now comm.Time) *Spent
	// Describe adds what was observed of all ranks, which call it together, to the result. That
	// has their times already; it is nil on ranks other than 0.
	Describe(res *Result) error
}

// MachineObserver observes all ranks of a simulated machine.
type MachineObserver interface {
	// BeginSearch begins a search of a rank, whose scheme notes its requests in what is returned.
	BeginSearch(rank int) *lb.Requests
	// BeginSegment begins a segment: it lets the simulation tell of what happens. Balancers are the
	// ranks', which are made later.
	BeginSegment(o *sim.Options, balancers *[]lb.Balancer)
	// EndSegment ends a segment that has ended so, and after which closing takes all ranks a time.
	EndSegment(out *sim.Result, closing comm.Time)
	// SearchedAlone notes that each rank has expanded the given number of nodes by itself.
	SearchedAlone(nodes int64, took comm.Time)
	// Describe adds what was observed to the result.
	Describe(res *Result)
}
