package reproduce

import (
	"time"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/search"
	"treesplit/search/model"
	"treesplit/sim"
	"treesplit/termination"
)

// Cell is one simulated run: all that its outcome depends on, but for the
// program.
type Cell struct {
	Instance Instance
	// Divisible replaces the instance by that many nodes of divisible work, which
	// split into shares of Alpha and more.
	Divisible int64
	Alpha     float64

	Machine     sim.Machine
	P           int
	Scheme      string
	Termination string
	Seed        uint64
	Delay       time.Duration
	Splitting   search.Splitting
	Cutoff      int
	Route       bool // SB's pieces by way of the scheduler
	Splits      int  // k of a static start, or lb.AutoSplits
}

// Outcome is what a cell gave.
type Outcome struct {
	Nodes    int64     // W
	T1       comm.Time // W · U_calc
	TP       comm.Time
	Requests int64
	Grants   int64
	Messages int64
	Events   int64
}

// Speedup is T_1/T_P.
func (o Outcome) Speedup() float64 { return float64(o.T1) / float64(o.TP) }

// shares is where a cell's ranks get their work.
type shares struct {
	fresh  func(root bool) search.Work
	leftIn func(piece []byte) int64
	nodes  int64
}

// shares makes the workload of a cell.
func (c Cell) shares(f *forest) (shares, error) {
	if c.Divisible > 0 {
		s := model.Splitting{Alpha: c.Alpha, Least: int64(c.Splitting.MinOpen), Seed: c.Seed}
		return shares{
			fresh: func(root bool) search.Work {
				if root {
					return model.New(c.Divisible, s)
				}
				return model.New(0, s)
			},
			leftIn: model.LeftIn,
			nodes:  c.Divisible,
		}, nil
	}
	tree, err := f.tree(c.Instance)
	if err != nil {
		return shares{}, err
	}
	return shares{
		fresh:  func(root bool) search.Work { return tree.Share(c.Splitting, root) },
		leftIn: tree.LeftIn,
		nodes:  tree.Nodes(),
	}, nil
}

// run simulates the cell.
func (c Cell) run(f *forest) (Outcome, error) {
	s, err := c.shares(f)
	if err != nil {
		return Outcome{}, err
	}
	network, err := c.Machine.Network(c.P)
	if err != nil {
		return Outcome{}, err
	}
	permutations := new(lb.Permutations)
	var failed error
	r, err := sim.Run(c.Machine, c.P, c.Seed, func(rank int) lb.Balancer {
		detector, err := termination.New(c.Termination, rank, c.P)
		if err != nil {
			failed = err
		}
		b, err := lb.New(c.Scheme, lb.Options{
			Work: s.fresh(rank == 0), Fresh: func() search.Work { return s.fresh(false) },
			Detector: detector, Network: network, Delay: comm.Time(c.Delay), Cutoff: c.Cutoff,
			RouteThroughScheduler: c.Route, Splits: c.Splits, Permutations: permutations,
		}, rank, c.P)
		if err != nil {
			failed = err
		}
		return b
	}, sim.Options{Nodes: s.nodes, LeftIn: s.leftIn})
	if failed != nil {
		err = failed
	}
	return Outcome{
		Nodes: r.Stats.Expanded, T1: r.Sequential, TP: r.Time,
		Requests: r.Stats.Requests, Grants: r.Stats.Grants, Messages: r.AllMessages(), Events: r.Events,
	}, err
}
