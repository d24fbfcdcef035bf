package termination_test

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"treesplit/comm"
	"treesplit/internal/scenario"
	"treesplit/termination"
)

// The scripts in testdata/scenarios show the behaviour of each detector, one page each.
// -rewrite replaces their expected outputs.
func TestScenarios(t *testing.T) {
	scenario.Run(t, "testdata/scenarios", func() scenario.Do { return new(play).do })
}

// play executes the commands of a script on detectors. There is no load balancing and no tree:
// a rank has a piece of work or none, and the script sends pieces between ranks. The commands
// in addition to those of scenario.World are:
//
//	ranks N detector=NAME  makes the ranks; rank 0 has the root, the others are idle
//	grant FROM>TO          splits the piece of a rank and sends a part of it
//	finish RANK            ends a rank's work on its piece
//	state                  prints one line for each rank
type play struct {
	world *scenario.World
	ranks []*worker
}

// worker is a rank.
type worker struct {
	detector termination.Detector
	busy     bool
	exponent int64 // the credit of the piece is 2^−exponent
	err      error
}

func (p *play) do(words []string) ([]string, error) {
	command, args := words[0], words[1:]
	var err error
	switch {
	case command == "ranks" && p.world == nil:
		err = p.make(args)
	case p.world == nil:
		return nil, fmt.Errorf("there are no ranks yet")
	case command == "grant":
		err = p.grant(args)
	case command == "finish":
		err = p.finish(args)
	case command == "state":
		for i, r := range p.ranks {
			p.world.Printf("%d %-4s %v", i, r.State(), r.detector)
		}
	default:
		err = p.world.ExecuteCommand(words)
	}
	if err != nil {
		return nil, err
	}
	return p.world.TakeLines()
}

func (p *play) make(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("the number of ranks is missing: expected ranks N detector=NAME")
	}
	size, err := strconv.Atoi(args[0])
	if err != nil || size < 1 {
		return fmt.Errorf("%q is invalid: expected a number of ranks", args[0])
	}
	set := flag.NewFlagSet("ranks", flag.ContinueOnError)
	name := set.String("detector", "", "")
	if err := scenario.ParseOptions(set, args[1:]); err != nil {
		return err
	}
	var ranks []scenario.Rank
	for i := range size {
		d, err := termination.New(*name, i, size)
		if err != nil {
			return err
		}
		p.ranks = append(p.ranks, &worker{detector: d, busy: i == 0})
		ranks = append(ranks, p.ranks[i])
	}
	p.world = scenario.NewWorld(ranks, 0, scenario.DescribeMessage)
	for i, r := range p.ranks {
		p.world.LetRankAct(i, func(env comm.Env) string {
			if r.busy {
				return "starts with the root"
			}
			r.detector.Idle(env)
			return "starts idle"
		})
	}
	return nil
}

// grant sends a piece.
func (p *play) grant(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("the arguments are wrong: expected FROM>TO")
	}
	first, second, _ := strings.Cut(args[0], ">")
	from, err := p.world.ParseRank(first)
	if err != nil {
		return err
	}
	to, err := p.world.ParseRank(second)
	if err != nil {
		return err
	}
	r := p.ranks[from]
	if !r.busy {
		return fmt.Errorf("rank %d has no work", from)
	}
	p.world.LetRankAct(from, func(env comm.Env) string {
		r.exponent++
		r.detector.Sent()
		env.Send(comm.Message{To: int32(to), Kind: comm.Grant, Arg: r.exponent})
		return "splits its work"
	})
	return nil
}

// finish ends the work of a rank.
func (p *play) finish(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("the arguments are wrong: expected a rank")
	}
	rank, err := p.world.ParseRank(args[0])
	if err != nil {
		return err
	}
	r := p.ranks[rank]
	if !r.busy {
		return fmt.Errorf("rank %d has no work", rank)
	}
	p.world.LetRankAct(rank, func(env comm.Env) string {
		r.busy = false
		r.detector.Recover(env, r.exponent)
		r.detector.Idle(env)
		return "has no work left"
	})
	return nil
}

// Deliver passes a message to the detector, as the ranks of package lb do.
func (r *worker) Deliver(env comm.Env, m comm.Message) {
	switch {
	case m.Kind != comm.Grant:
		r.detector.Receive(env, m, !r.busy)
	case r.busy:
		r.err = fmt.Errorf("rank %d sends a piece to a rank that has one", m.From)
	default:
		r.busy, r.exponent = true, m.Arg
		r.detector.Received()
	}
}

// Wake does nothing: detectors set no alarm.
func (r *worker) Wake(comm.Env) {}

// Work does nothing: the script decides when a piece is finished.
func (r *worker) Work(comm.Env) string { return "" }

// State is Over at the rank that has detected the end, which is rank 0.
func (r *worker) State() string {
	switch {
	case r.detector.Done():
		return "Over"
	case r.busy:
		return "Busy"
	}
	return "Idle"
}

func (r *worker) Err() error { return r.err }
