package lb

import (
	"cmp"
	"fmt"
	"strings"

	"treesplit/comm"
	"treesplit/search"
	"treesplit/termination"
	"treesplit/topology"
)

// Options is what a rank of a scheme is made of.
type Options struct {
	Work     search.Work          // the rank's share: the root on rank 0, empty elsewhere
	Detector termination.Detector // this rank's part of it
	Network  topology.Topology    // whose neighbours NN asks
	Delay    comm.Time            // δ of GRR-M
	Rest     comm.Time            // the shortest rest of a requester that all have refused; 0: none
	Cutoff   int                  // depth at which SL and ML cut off subtasks, and above which RA scatters; at least 1
	Levels   int                  // l of ML; 0: 2
	Fresh    func() search.Work   // makes an empty share, for the generators of SL and ML
	// RouteThroughScheduler sends SB's pieces through the scheduler.
	RouteThroughScheduler bool
}

// Scheme is an entry of the registry.
type Scheme struct {
	Name  string // as on the command line
	Help  string // one line
	tasks bool   // Work must be a search.Subtasker
	make  func(o Options, rank, size int) Balancer
}

// receiver makes the entry of a scheme that differs in its Selector alone.
func receiver(name, help string, selector func(o Options, rank, size int) Selector) Scheme {
	return Scheme{name, help, false, func(o Options, rank, size int) Balancer {
		return NewReceiver(o, selector(o, rank, size))
	}}
}

// Schemes is the registry.
var Schemes = []Scheme{
	receiver("arr", "asynchronous round robin: every rank asks the others in turn",
		func(Options, int, int) Selector { return &AsynchronousRoundRobin{} }),
	receiver("nn", "nearest neighbour: the neighbours of --topology in turn",
		func(o Options, rank, _ int) Selector { return NewNearestNeighbour(o.Network, rank) }),
	receiver("grr", "global round robin: one counter at rank 0",
		func(Options, int, int) Selector { return &GlobalRoundRobin{} }),
	receiver("grr-m", "global round robin with message combining, held for --delay",
		func(o Options, rank, size int) Selector { return NewCombining(o.Delay, rank, size) }),
	receiver("rp", "random polling: any other rank",
		func(Options, int, int) Selector { return RandomPolling{} }),
	{"sb", "scheduler based: rank 0 polls the donors", false,
		func(o Options, _, _ int) Balancer { return NewScheduledRank(o) }},
	{"sl", "single level: rank 0 hands out subtasks of depth --cutoff on demand", true,
		func(o Options, rank, size int) Balancer { return NewGeneratorRank(o, 1, rank, size) }},
	{"ml", "multi level: a tree of generators, --levels deep, cuts up subtasks on demand", true,
		func(o Options, rank, size int) Balancer { return NewGeneratorRank(o, cmp.Or(o.Levels, 2), rank, size) }},
	{"ra", "randomized allocation: every node above --cutoff goes to a random rank", true,
		func(o Options, _, _ int) Balancer { return NewScatterRank(o, anyRank) }},
	{"ranade", "randomized allocation over a butterfly in the hypercube", true,
		func(o Options, _, _ int) Balancer { return NewScatterRank(o, butterfly) }},
	{"lifeline", "two random requests, then hypercube neighbours that remember the requester", false,
		func(o Options, rank, size int) Balancer { return NewLifelineRank(o, rank, size) }},
}

// Names lists the schemes that New knows.
func Names() []string {
	var names []string
	for _, s := range Schemes {
		names = append(names, s.Name)
	}
	return names
}

// Check says whether there is a scheme of that name.
func Check(name string) error {
	for _, s := range Schemes {
		if s.Name == name {
			return nil
		}
	}
	return fmt.Errorf("unknown scheme %q: expected one of %s", name, strings.Join(Names(), ", "))
}

// CutsSubtasks says whether the scheme of that name takes the tree apart from
// above, which needs a search.Subtasker.
func CutsSubtasks(name string) bool {
	for _, s := range Schemes {
		if s.Name == name {
			return s.tasks
		}
	}
	return false
}

// New returns the given rank of size under the scheme of that name.
func New(name string, o Options, rank, size int) (Balancer, error) {
	for _, s := range Schemes {
		if s.Name == name {
			return s.make(o, rank, size), nil
		}
	}
	return nil, Check(name)
}
