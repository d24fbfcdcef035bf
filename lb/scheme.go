package lb

import (
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
	// RouteThroughScheduler sends SB's pieces through the scheduler.
	RouteThroughScheduler bool
}

// Scheme is an entry of the registry.
type Scheme struct {
	Name string // as on the command line
	Help string // one line
	make func(o Options, rank, size int) Balancer
}

// receiver makes the entry of a scheme that differs in its Selector alone.
func receiver(name, help string, selector func(o Options, rank, size int) Selector) Scheme {
	return Scheme{name, help, func(o Options, rank, size int) Balancer {
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
	{"sb", "scheduler based: rank 0 polls the donors",
		func(o Options, _, _ int) Balancer { return NewScheduledRank(o) }},
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

// New returns the given rank of size under the scheme of that name.
func New(name string, o Options, rank, size int) (Balancer, error) {
	for _, s := range Schemes {
		if s.Name == name {
			return s.make(o, rank, size), nil
		}
	}
	return nil, Check(name)
}
