package lb_test

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"treesplit/comm"
	"treesplit/internal/explore"
	"treesplit/internal/scenario"
	"treesplit/lb"
	"treesplit/search"
	"treesplit/termination"
	"treesplit/topology"
)

// The scripts in testdata/scenarios show the behaviour of each scheme, one page each. -rewrite
// replaces their expected outputs.
func TestScenarios(t *testing.T) {
	scenario.Run(t, "testdata/scenarios", func() scenario.Do { return new(play).do })
}

// play executes the commands of a script on the ranks of a scheme over a toy tree. The
// commands in addition to those of scenario.World are:
//
//	ranks N scheme=NAME [OPTION=VALUE…]  makes and starts the ranks; rank 0 holds the root
//	work RANK N                          makes a busy rank expand up to N nodes
//	halt RANK [REASON]                   requests the end of the run
//	state                                prints one line for each rank
//	dump RANK                            prints the rank's Dump
//	left                                 prints the remaining pieces of a halted run at each rank
type play struct {
	world  *scenario.World
	shape  explore.Shape
	scheme string
	step   int // nodes that a rank expands in each round of stabilize
	toy    *explore.Toy
	summed bool // the end of the run has been printed
}

func (p *play) do(words []string) ([]string, error) {
	if words[0] == "ranks" {
		if err := p.make(words[1:]); err != nil {
			return nil, err
		}
		return p.world.TakeLines()
	}
	if p.world == nil {
		return nil, fmt.Errorf("there are no ranks yet")
	}
	if err := p.act(words[0], words[1:]); err != nil {
		return nil, err
	}
	p.sumUp()
	return p.world.TakeLines()
}

func (p *play) act(command string, args []string) error {
	switch command {
	case "state":
		p.states()
		return nil
	case "left":
		return p.left()
	case "work", "halt", "dump":
		if len(args) == 0 {
			return fmt.Errorf("the arguments are wrong: expected a rank")
		}
		rank, err := p.world.ParseRank(args[0])
		if err != nil {
			return err
		}
		return p.one(command, rank, args[1:])
	}
	return p.world.ExecuteCommand(append([]string{command}, args...))
}

// one executes a command about one rank.
func (p *play) one(command string, rank int, args []string) error {
	r := p.player(rank)
	switch {
	case command == "dump":
		for _, part := range strings.Split(r.Dump(), "; ") {
			p.world.Printf("%s", part)
		}
	case command == "halt":
		why, err := reason(args)
		if err != nil {
			return err
		}
		p.world.LetRankAct(rank, func(env comm.Env) string {
			r.Halt(env, why)
			return fmt.Sprintf("is to halt: %v", why)
		})
	case r.Balancer.State() != lb.Busy:
		return fmt.Errorf("rank %d is %v", rank, r.State())
	case len(args) != 1:
		return fmt.Errorf("the arguments are wrong: expected a rank and a number of nodes")
	default:
		nodes, err := strconv.Atoi(args[0])
		if err != nil {
			return err
		}
		p.world.LetRankAct(rank, func(env comm.Env) string { return r.expand(env, nodes) })
	}
	return nil
}

// reason reads the argument of halt.
func reason(args []string) (lb.Reason, error) {
	for _, why := range []lb.Reason{lb.Timeout, lb.Interrupted, lb.Paused} {
		if len(args) == 0 || args[0] == why.String() {
			return why, nil
		}
	}
	return 0, fmt.Errorf("%q is invalid: expected timeout, interrupted or paused", args)
}

// make makes the ranks.
func (p *play) make(words []string) error {
	if len(words) == 0 {
		return fmt.Errorf("the arguments are wrong: expected a number of ranks")
	}
	size, err := strconv.Atoi(words[0])
	if err != nil || size < 1 || p.world != nil {
		return fmt.Errorf("%q is invalid: expected a number of ranks, once", words[0])
	}
	var (
		o                 = lb.Options{Permutations: new(lb.Permutations)}
		detector, network string
		seed              uint64
	)
	set := flag.NewFlagSet("ranks", flag.ContinueOnError)
	set.StringVar(&p.scheme, "scheme", "", "")
	set.StringVar(&detector, "detector", "ring", "")
	set.StringVar(&network, "topology", "hypercube", "")
	set.Uint64Var(&seed, "seed", 1, "of the ranks' random numbers")
	set.Uint64Var(&p.shape.Seed, "tree", 6, "seed of the tree")
	set.IntVar(&p.shape.Depth, "depth", 4, "")
	set.IntVar(&p.shape.Width, "width", 4, "")
	set.BoolVar(&p.shape.Values, "values", false, "")
	set.IntVar(&p.step, "step", 1, "nodes in each round of stabilize")
	set.DurationVar((*time.Duration)(&o.Delay), "delay", 0, "")
	set.DurationVar((*time.Duration)(&o.Backoff), "rest", 0, "")
	set.IntVar(&o.Cutoff, "cutoff", 2, "")
	set.IntVar(&o.Levels, "levels", 0, "")
	set.IntVar(&o.Arity, "arity", 0, "")
	set.BoolVar(&o.EqualTargets, "equal-targets", false, "")
	set.IntVar(&o.Splits, "splits", 0, "")
	set.IntVar(&o.PhaseNodes, "phase", 0, "")
	if err := scenario.ParseOptions(set, words[1:]); err != nil {
		return err
	}
	if o.Network, err = topology.Parse(network, size); err != nil {
		return err
	}
	return p.start(o, detector, size, seed)
}

// start makes the ranks and starts them.
func (p *play) start(o lb.Options, detector string, size int, seed uint64) error {
	p.toy = explore.NewToy(p.shape, false)
	o.Fresh = func() search.Work { return p.toy.EmptyShare() }
	var ranks []scenario.Rank
	for i := range size {
		d, err := termination.New(detector, i, size)
		if err != nil {
			return err
		}
		o.Work, o.Detector = explore.NewToy(p.shape, i == 0), d
		b, err := lb.New(p.scheme, o, i, size)
		if err != nil {
			return err
		}
		ranks = append(ranks, &player{b, p.step})
	}
	p.world = scenario.NewWorld(ranks, seed, p.describe)
	p.world.Printf("a tree of %s", count(p.shape.CountNodes(), "node"))
	for i := range size {
		p.world.LetRankAct(i, func(env comm.Env) string {
			p.player(i).Start(env)
			if i == 0 {
				return "starts with the root"
			}
			return "starts"
		})
	}
	return nil
}
