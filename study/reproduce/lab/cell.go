package lab

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/run/shares"
	"treesplit/search"
	"treesplit/search/model"
	"treesplit/search/replay"
	"treesplit/sim"
	"treesplit/termination"
)

// Cell is one simulated run: everything on which its outcome depends, except the program.
type Cell struct {
	Instance Instance
	// Divisible replaces the instance by that many nodes of divisible work, which splits into parts
	// of at least the fraction Alpha.
	Divisible int64
	Alpha     float64
	// Halving, if it has nodes, replaces the instance by work that is halved according to a law.
	// Comb, if it has teeth, replaces it by a comb.
	// Thorny, if it has branches, replaces it by the tree of figure 3 of Sanders.
	Halving model.Halving
	Comb    Comb
	Thorny  Thorny
	// UTS replaces the instance by a tree of the UTS benchmark's sample file, by its name.
	UTS string

	Machine     sim.Machine
	P           int
	Scheme      string
	Termination string
	Seed        uint64
	Delay       time.Duration
	Splitting   search.Splitting
	Cutoff      int
	Arity       int  // m of ML
	Route       bool // SB's pieces are routed through the scheduler
	Equal       bool // all ranks of ARR ask rank 0 first
	Tuning      Tuning
}

// Comb is a model.Comb.
type Comb struct {
	Teeth int
	Bush  int64 // nodes of one
}

// Thorny is a model.Thorny.
type Thorny struct {
	Branches int
	Thorns   int   // of a branch
	Crown    int64 // nodes of a crown
}

// Tuning holds options of the schemes of Sanders; see lb.Options.
type Tuning struct {
	Splits      int     // k of a static start, or lb.AutoSplits
	Cluster     float64 // α of static+clustered
	Phase       time.Duration
	PhaseNodes  int
	Trigger     string
	TriggerAt   float64
	Permutation string
	// Network is the network whose neighbours the scheme uses; "": the machine's. On a hypercube,
	// poll and shuffle goes through all dimensions in their natural order.
	Network string
}

// seedless are the schemes that draw nothing at random. A receiver-initiated scheme that asks in turn
// has the same run with every seed.
var seedless = []string{"arr", "nn", "grr", "grr-m", "sb", "sl", "ml"}

// normalForm returns a cell with the same outcome that is equal for cells that differ only in what has
// no effect: the seed of a scheme that draws nothing, on work that does not depend on it, and the
// name of the machine's own network.
func (c Cell) normalForm() Cell {
	if c.Tuning.Network == c.Machine.Topology {
		c.Tuning.Network = ""
	}
	if slices.Contains(seedless, c.Scheme) && c.Divisible == 0 {
		c.Seed = 1
	}
	return c
}

// Outcome is the result of a cell.
type Outcome struct {
	Nodes    int64     // W
	Again    int64     // nodes on the ways to parts, and of samples, in addition to W
	T1       comm.Time // W · U_calc
	TP       comm.Time
	Requests int64
	Grants   int64
	Messages int64
	Moves    int64 // messages that carry a share to its rank after a shuffle, or report that there is none
	Events   int64
}

// Speedup returns T_1/T_P.
func (o Outcome) Speedup() float64 { return float64(o.T1) / float64(o.TP) }

// supply is the source of the work of a cell's ranks.
type supply struct {
	fresh  func(root bool) search.Work
	leftIn func(piece []byte) int64
	nodes  int64
}

// WorkloadName returns the name of a cell's workload.
func (c Cell) WorkloadName() string {
	switch {
	case c.Halving.Nodes > 0:
		return fmt.Sprintf("%d nodes that halve with σ = %v", c.Halving.Nodes, c.Halving.Sigma)
	case c.Comb.Teeth > 0:
		return fmt.Sprintf("a comb of %d bushes of %d nodes", c.Comb.Teeth, c.Comb.Bush)
	case c.Thorny.Branches > 0:
		return fmt.Sprintf("%d branches with %d thorns and a crown of %d nodes", c.Thorny.Branches, c.Thorny.Thorns, c.Thorny.Crown)
	case c.Divisible > 0:
		return fmt.Sprintf("%d nodes that split with α = %v", c.Divisible, c.Alpha)
	case c.UTS != "":
		return "uts " + c.UTS
	}
	return c.Instance.String()
}

// makeSupply makes the workload of a cell.
func (c Cell) makeSupply(f *forest) (supply, error) {
	switch {
	case c.Halving.Nodes > 0:
		return halvedSupply(c.Halving)
	case c.Comb.Teeth > 0:
		return synthetic(int64(c.Comb.Teeth)*(1+c.Comb.Bush), func(root bool) (search.Work, error) {
			return model.NewComb(c.Comb.Teeth, c.Comb.Bush, root)
		})
	case c.Thorny.Branches > 0:
		return synthetic(int64(c.Thorny.Branches)*(int64(c.Thorny.Thorns)+c.Thorny.Crown), func(root bool) (search.Work, error) {
			return model.NewThorny(c.Thorny.Branches, c.Thorny.Thorns, c.Thorny.Crown, root)
		})
	case c.Divisible > 0:
		s := model.Splitting{Alpha: c.Alpha, Least: int64(c.Splitting.MinOpen), Seed: c.Seed}
		return synthetic(c.Divisible, func(root bool) (search.Work, error) {
			if root {
				return model.New(c.Divisible, s), nil
			}
			return model.New(0, s), nil
		})
	}
	tree, err := c.recordedTree(f)
	if err != nil {
		return supply{}, err
	}
	return supply{
		fresh:  func(root bool) search.Work { return tree.Share(c.Splitting, root) },
		leftIn: tree.NodesInPiece,
		nodes:  tree.NodeCount(),
	}, nil
}

// halvedSupply returns a workload that is halved.
func halvedSupply(h model.Halving) (supply, error) {
	first, err := model.NewBinary(h, false)
	if err != nil {
		return supply{}, err
	}
	return supply{
		fresh:  func(root bool) search.Work { return first.Fresh(root) },
		leftIn: model.NodesInPiece,
		nodes:  h.Nodes,
	}, nil
}

// recordedTree returns the recorded tree of a cell without synthetic work.
func (c Cell) recordedTree(f *forest) (*replay.Tree, error) {
	if c.UTS != "" {
		return f.recordedTree(sampleTree(c.UTS))
	}
	return f.recordedTree(c.Instance)
}

// synthetic returns the workload of a function that makes shares. A function that makes one share
// without error makes all of them.
func synthetic(nodes int64, fresh func(root bool) (search.Work, error)) (supply, error) {
	if _, err := fresh(false); err != nil {
		return supply{}, err
	}
	return supply{
		fresh: func(root bool) search.Work {
			w, _ := fresh(root)
			return w
		},
		leftIn: model.NodesInPiece,
		nodes:  nodes,
	}, nil
}

// simulateCell simulates the cell.
func (c Cell) simulateCell(f *forest) (Outcome, error) {
	s, err := c.makeSupply(f)
	if err != nil {
		return Outcome{}, err
	}
	supposed := c.Machine
	supposed.Topology = cmp.Or(c.Tuning.Network, supposed.Topology)
	network, err := supposed.SchemeNetwork(c.P)
	if err != nil {
		return Outcome{}, err
	}
	permutations := new(lb.Permutations)
	builder := shares.Builder{Share: func(_ search.Splitting, root bool) search.Work { return s.fresh(root) }}
	var failed error
	r, err := sim.Run(c.Machine, c.P, c.Seed, func(rank int) lb.Balancer {
		detector, err := termination.New(c.Termination, rank, c.P)
		if err != nil {
			failed = err
		}
		o := lb.Options{
			Detector: detector, Network: network, Delay: comm.Time(c.Delay), Cutoff: c.Cutoff,
			Arity: c.Arity, RouteThroughScheduler: c.Route, EqualTargets: c.Equal, Permutations: permutations, Seed: c.Seed,
			Splits: c.Tuning.Splits, Cluster: c.Tuning.Cluster, Phase: cmp.Or(comm.Time(c.Tuning.Phase), c.Machine.PhaseLength()), PhaseNodes: c.Tuning.PhaseNodes,
			Trigger: c.Tuning.Trigger, TriggerAt: c.Tuning.TriggerAt, Permutation: c.Tuning.Permutation,
		}
		builder.FillOptions(&o, rank)
		b, err := lb.New(c.Scheme, o, rank, c.P)
		if err != nil {
			failed = err
		}
		return b
	}, sim.Options{Nodes: s.nodes, LeftIn: s.leftIn})
	if failed != nil {
		err = failed
	}
	return Outcome{
		Nodes: r.Stats.Expanded, Again: r.Stats.Redundant, T1: r.Sequential, TP: r.Time,
		Requests: r.Stats.Requests, Grants: r.Stats.Grants, Messages: r.AllMessages(), Moves: r.Messages[comm.Move], Events: r.Events,
	}, err
}
