package run

import (
	"math"
	"testing"
	"time"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/local"
	"treesplit/pace"
	"treesplit/sim"
)

// Phases of poll and shuffle grow with the cost of messages of paced ranks, unless the user names their
// length.
func TestPacedPhase(t *testing.T) {
	slow := pace.Rate{Node: 1e6, Send: 2e6, Receive: 1e6}
	for _, c := range []struct {
		plan Plan
		want time.Duration
	}{
		{Plan{}, 0},
		{Plan{Pace: slow}, 48 * time.Millisecond},
		{Plan{Pace: pace.Rate{Node: 1e6}}, lb.DefaultPhase.Duration()},
		{Plan{Pace: slow, Phase: time.Millisecond}, time.Millisecond},
		{Plan{Pace: slow, PhaseNodes: 7}, 0},
	} {
		if got := c.plan.pacedPhase(); got != c.want {
			t.Errorf("%+v: phases of %v, want %v", c.plan, got, c.want)
		}
	}
}

// A simulation of a measured machine has the phases that real ranks take, with or without a pace. The machines of
// the papers have phases that suit the costs of their messages.
func TestSimulatedPhase(t *testing.T) {
	slow := pace.Rate{Node: 1e6, Send: 2e6, Receive: 1e6}
	for _, c := range []struct {
		startup, receive, rest comm.Time
		want                   comm.Time
	}{
		{500, 500, Rest, lb.RealPhase(0)},
		{slow.Send, slow.Receive, Rest, comm.Time(Plan{Pace: slow}.pacedPhase())},
		{500, 500, 0, 16_000},
		{slow.Send, slow.Receive, 0, 48e6},
	} {
		m := sim.Machine{Startup: c.startup, Receive: c.receive, Rest: c.rest}
		if got := m.PhaseLength(); got != c.want {
			t.Errorf("startup %v, receive %v, rest %v: phases of %v, want %v", c.startup.Duration(), c.receive.Duration(), c.rest.Duration(), got.Duration(), c.want.Duration())
		}
	}
}

// The watchdog waits for slow nodes and messages too, and its time does not overflow.
func TestLongestStall(t *testing.T) {
	slow, network := pace.Rate{Node: 1e9, Send: 2e6, Receive: 1e6}, local.Network{Latency: 1e6}
	for _, c := range []struct {
		plan Plan
		want comm.Time
	}{
		{Plan{Ranks: 2, Pace: slow, Network: network}, 0},
		{Plan{Ranks: 2, Stall: time.Second}, 1e9},
		{Plan{Ranks: 2, Stall: time.Second, Network: network}, 1e9 + 3*2*1e6},
		{Plan{Ranks: 2, Stall: time.Second, Network: network, Pace: slow}, 1e9 + 2*1e9 + 3*2*4e6},
		{Plan{Ranks: 2, Stall: math.MaxInt64, Network: network}, math.MaxInt64},
		{Plan{Ranks: 2, Stall: math.MaxInt64 - 1e9, Pace: slow}, math.MaxInt64},
	} {
		if got := c.plan.longestStall(); got != c.want {
			t.Errorf("%+v: %d ns, want %d ns", c.plan, got, c.want)
		}
	}
}
