package run

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/local"
	"treesplit/spmd"
)

// Pacing describes, in a Result, how far paced ranks were from the processors that they emulate.
type Pacing struct {
	Waits                   int64   `json:"waits"`                   // number of waits of all ranks
	MeanOvershootSeconds    float64 `json:"meanOvershootSeconds"`    // mean time by which a wait ended late
	LargestOvershootSeconds float64 `json:"largestOvershootSeconds"` // largest of these times
	CoreWaitShare           float64 `json:"coreWaitShare"`           // of the ranks' time: they could run and waited for a core
	BehindShare             float64 `json:"behindShare"`             // of the ranks' time: they were behind their pace at the end
}

// honestShare is the share of time from which on a paced run warns: its ranks waited for a core, or
// were behind their pace.
const honestShare = 0.02

// defaultQuantum is the time of a quantum of paced nodes, as of nodes that are not paced (package
// spmd).
const defaultQuantum comm.Time = 75 * 1000

// CheckEmulation returns an error for invalid values of the fields of emulation. The error is an
// InputError.
func (p Plan) CheckEmulation() error {
	net := p.Network
	for _, c := range []struct {
		ok       bool
		flag     string
		value    any
		expected string
	}{
		{p.Pace == nil || !p.Sequential, "sequential", p.Sequential, "no --pace with it: the sequential time of paced nodes is their number times the pace"},
		{net.Latency >= 0 && net.Latency <= maxLatency, "latency", net.Latency.Duration(), fmt.Sprintf("a time of 0 to %v", maxLatency.Duration())},
		{net.Bandwidth == 0 || net.Bandwidth >= 1 && !math.IsInf(net.Bandwidth, 0), "bandwidth", net.Bandwidth, "a number of bytes per second, at least 1, or 0 for no limit"},
	} {
		if !c.ok {
			return FlagError(c.flag, fmt.Errorf("%v: expected %s", c.value, c.expected))
		}
	}
	if p.Pace == nil {
		return nil
	}
	if flag, err := p.Pace.Check(p.Ranks); err != nil {
		return FlagError(flag, err)
	}
	return nil
}

// maxLatency bounds the delay of a message.
const maxLatency comm.Time = 10e9

// errEmulated returns the error of a runtime that cannot delay messages and, unless it paces ranks, nodes.
func errEmulated(p Plan, paces bool, why string) error {
	switch {
	case p.Pace != nil && !paces:
		return FlagError("pace", errors.New(why))
	case p.Network.Latency > 0:
		return FlagError("latency", errors.New(why))
	case p.Network.Bandwidth > 0:
		return FlagError("bandwidth", errors.New(why))
	}
	return nil
}

// longestStall returns Stall, and more if nodes or messages are slow because they are emulated: a message of a
// detector may visit all ranks in turn, three times, and a rank sends nothing during a node.
func (p Plan) longestStall() comm.Time {
	stall := comm.Time(p.Stall)
	if stall == 0 {
		return 0
	}
	hop := p.Network.ArrivalTime(comm.Message{})
	if p.Pace != nil {
		hop += p.Pace.MessageTime()
		stall = saturatingSum(stall, 2*p.Pace.SlowestNodeTime())
	}
	return saturatingSum(stall, 3*comm.Time(p.Ranks)*hop)
}

// saturatingSum returns the sum of two times, or the longest time if the sum is longer. The times are not negative.
func saturatingSum(a, b comm.Time) comm.Time {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// startPacer makes the pacer of a rank, if the ranks are paced. It must follow the start of the run.
func (r *realRank) startPacer() {
	if r.plan.Pace == nil {
		return
	}
	halt := newHaltCheck(r.plan, r.hooks, r.start, r.Now)
	stop := func() bool { _, ended := halt(); return ended || r.Err() != nil }
	r.pacer = r.plan.Pace.Begin(r.Rank(), r.plan.Seed, r.Transport, stop)
}

// pacedPhase returns the length of a phase of poll and shuffle. If ranks are paced and the plan names
// none, it depends on the cost of messages. sim.Machine.PhaseLength has the same rule.
func (p Plan) pacedPhase() time.Duration {
	if p.Pace == nil || p.Phase > 0 || p.PhaseNodes > 0 {
		return p.Phase
	}
	return lb.RealPhase(p.Pace.MessageTime()).Duration()
}

// paceShares makes the nodes of all shares of a segment take their time.
func (r *realRank) paceShares(work *shareSet) {
	if r.pacer == nil {
		return
	}
	work.Pace = r.pacer.PaceShare
}

// pacedQuantum returns the number of nodes between two polls: as many as a processor would expand
// whose nodes take that long.
func (r *realRank) pacedQuantum() int {
	p := r.plan
	if p.Quantum > 0 || r.pacer == nil {
		return p.Quantum
	}
	span := comm.Time(p.QuantumTime)
	if span == 0 {
		span = defaultQuantum
	}
	return p.Pace.QuantumSize(r.Rank(), span)
}

// honesty returns the measurements of the rank; nil if it is not paced.
func (r *realRank) honesty() *spmd.Honesty {
	if r.pacer == nil {
		return nil
	}
	h := r.pacer.Honesty()
	return &h
}

// describePacing adds the pace to the result, on rank 0.
func (r *realRank) describePacing(res *Result, parts []part) {
	if r.pacer == nil {
		return
	}
	var all spmd.Honesty
	for _, p := range parts {
		all.AddRank(*p.Pacing)
	}
	if _, shared := r.Transport.(*local.Endpoint); shared { // at most, each message wakes a rank
		all.CoreWait += r.pacer.MeanQueue() * comm.Time(res.Messages)
	}
	total := max(res.Seconds*float64(res.Ranks), 1e-9)
	res.Paced = strings.Replace(r.plan.Pace.MeanNodeTime().Duration().String(), "µs", "us", 1) // as --pace gives it
	res.Pacing = &Pacing{
		Waits: all.Waits, MeanOvershootSeconds: toSeconds(all.MeanOvershoot()), LargestOvershootSeconds: toSeconds(all.Largest),
		CoreWaitShare: min(toSeconds(all.CoreWait)/total, 1), BehindShare: min(toSeconds(all.Behind)/total, 1),
	}
	r.warnOfPace(res.Pacing)
}

// warnOfPace warns the user if the ranks were not the processors that they emulate.
func (r *realRank) warnOfPace(p *Pacing) {
	if r.hooks.Warn == nil || p.CoreWaitShare <= honestShare && p.BehindShare <= honestShare {
		return
	}
	r.hooks.Warn(0, fmt.Sprintf("this machine is too small for %s at a pace of %v: ranks waited for a core for %.1f %% of their time, and were %.1f %% of it behind their pace at the end (expected at most %.0f %%): use a longer --pace or fewer ranks",
		countRanks(r.Size()), r.plan.Pace.MeanNodeTime().Duration(), 100*p.CoreWaitShare, 100*p.BehindShare, 100*honestShare))
}

func countRanks(n int) string {
	if n == 1 {
		return "1 rank"
	}
	return fmt.Sprintf("%d ranks", n)
}
