package run

import (
	"testing"
	"time"

	"treesplit/lb"
	"treesplit/pace"
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
