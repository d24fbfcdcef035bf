package cli

import (
	"errors"
	"time"

	"github.com/spf13/pflag"

	"treesplit/cli/internal/help"
	"treesplit/comm"
	"treesplit/local"
	"treesplit/pace"
	"treesplit/run"
)

// paceFlags are the flags that emulate processors and networks on real ranks.
type paceFlags struct {
	node, send, receive, poll, latency time.Duration
	jitter, bandwidth                  float64
	slow                               []string
}

// addFlags defines the flags.
func (f *paceFlags) addFlags(flags *pflag.FlagSet) {
	flags.DurationVar(&f.node, "pace", 0, "`time` of a node on a rank, which waits for the rest of it; 0: as fast as possible")
	flags.Float64Var(&f.jitter, "pace-jitter", 0, "`fraction` by which the time of each node differs at most from --pace, at random")
	flags.StringSliceVar(&f.slow, "pace-slow", nil, "`rank=factor`: nodes take factor times as long on this rank; several with commas")
	flags.DurationVar(&f.send, "pace-send", 0, "`time` for which a message occupies the rank that sends it")
	flags.DurationVar(&f.receive, "pace-receive", 0, "`time` for which a message occupies the rank that receives it")
	flags.DurationVar(&f.poll, "pace-poll", 0, "`time` that a poll for messages takes a rank with work")
	flags.DurationVar(&f.latency, "latency", 0, "goroutine ranks: `time` that a message takes to arrive")
	flags.Float64Var(&f.bandwidth, "bandwidth", 0, "goroutine ranks: `bytes` per second of a rank's link to the network; 0: no limit")
	help.SetRest(flags, help.Emulation)
}

// completePlan adds the flags to a plan.
func (f *paceFlags) completePlan(p *run.Plan) error {
	slow, err := pace.ParseSlow(f.slow)
	if err != nil {
		return flagError("pace-slow", err)
	}
	rate := pace.Rate{Node: comm.Time(f.node), Jitter: f.jitter, Slow: slow, Send: comm.Time(f.send), Receive: comm.Time(f.receive), Poll: comm.Time(f.poll)}
	if !rate.IsZero() {
		p.Pace = rate
	}
	p.Network = local.Network{Latency: comm.Time(f.latency), Bandwidth: f.bandwidth}
	return nil
}

// checkUnderMPI returns an error for flags that have no effect under a launcher.
func checkUnderMPI(p run.Plan) error {
	err := errors.New("MPI delivers messages in its own time, but a launcher has started this program: expected goroutine ranks")
	switch {
	case p.Network.Latency > 0:
		return flagError("latency", err)
	case p.Network.Bandwidth > 0:
		return flagError("bandwidth", err)
	}
	return nil
}

// checkPacedRanks returns an error for a pace or a network that ranks of a plan cannot have.
func checkPacedRanks(p run.Plan, underMPI bool) error {
	if underMPI {
		if err := checkUnderMPI(p); err != nil {
			return err
		}
	}
	return p.CheckEmulation()
}
