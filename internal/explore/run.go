package explore

import (
	"fmt"
	"math/rand/v2"
)

// Chooser picks one of n enabled actors.
type Chooser func(w *World, enabled []Actor) Actor

// Outcome is what a finished run showed.
type Outcome struct {
	Steps  int // actions taken
	Tokens int // Token messages delivered after the last node was expanded
}

// Run lets the world act until the run is over. It returns the first error: an early end, a lost
// or added node, a deadlock, or no end within limit actions. With a witness in the tree the run
// may end before all nodes are expanded.
func Run(w *World, choose Chooser, limit int) (Outcome, error) {
	var enabled []Actor
	acted := w.ranks // since the last check: at first all have started
	for step := 0; ; step++ {
		if err := w.checkInvariants(acted); err != nil {
			return Outcome{step, w.tokens}, err
		}
		enabled = w.EnabledActors(enabled[:0])
		switch {
		case len(enabled) == 0 && w.isFinished():
			return Outcome{step, w.tokens}, w.auditEndState()
		case len(enabled) == 0:
			return Outcome{step, w.tokens}, fmt.Errorf("deadlock after %d actions: %s", step, w.describeRanks())
		case step >= limit:
			return Outcome{step, w.tokens}, fmt.Errorf("late: no end after %d actions: %s", step, w.describeRanks())
		}
		n := w.StepActor(choose(w, enabled))
		acted = w.ranks[n : n+1]
	}
}

func (w *World) describeRanks() (s string) {
	for i, r := range w.ranks {
		s += fmt.Sprintf("\n  rank %d: %s", i, r.balancer.Dump())
	}
	return s
}

// RandomChooser returns a Chooser that weighs every actor by 1, 8 or 64, drawn once for
// the run: some ranks and channels are slow throughout.
func RandomChooser(seed uint64) Chooser {
	r := rand.New(rand.NewPCG(seed, 1))
	var weights []int // by actor
	return func(w *World, enabled []Actor) Actor {
		if weights == nil {
			weights = make([]int, w.countActors())
		}
		total := 0
		for _, a := range enabled {
			if weights[a] == 0 {
				weights[a] = 1 << (3 * r.IntN(3))
			}
			total += weights[a]
		}
		pick := r.IntN(total)
		for _, a := range enabled {
			if pick -= weights[a]; pick < 0 {
				return a
			}
		}
		panic("unreachable")
	}
}

// Systematic runs every schedule that deviates at most bound times, within the
// first horizon actions, from the default one: all actors in turn. fresh makes
// the same world each time. It returns the number of schedules and the first
// error, with the deviations that led to it.
func Systematic(fresh func() *World, bound, horizon, limit int) (schedules int, err error) {
	var deviate func(plan []deviation, from int) error
	deviate = func(plan []deviation, from int) error {
		widths, err := followPlan(fresh(), plan, horizon, limit)
		schedules++
		if err != nil {
			return fmt.Errorf("after deviations %v: %w", plan, err)
		}
		if len(plan) == bound {
			return nil
		}
		for step := from; step < len(widths); step++ {
			for by := 1; by < widths[step]; by++ {
				if err := deviate(append(plan[:len(plan):len(plan)], deviation{step, by}), step+1); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return schedules, deviate(nil, 0)
}

// deviation skips the given number of enabled actors at a step.
type deviation struct{ step, by int }

// followPlan runs one schedule and returns the number of enabled actors at each step
// up to the horizon.
func followPlan(w *World, plan []deviation, horizon, limit int) (widths []int, err error) {
	step, last := 0, Actor(-1)
	_, err = Run(w, func(_ *World, enabled []Actor) Actor {
		if step < horizon {
			widths = append(widths, len(enabled))
		}
		at := 0 // the default: the next actor in turn
		for at < len(enabled)-1 && enabled[at] <= last {
			at++
		}
		if enabled[at] <= last {
			at = 0
		}
		for _, d := range plan {
			if d.step == step {
				at = (at + d.by) % len(enabled)
			}
		}
		step++
		last = enabled[at]
		return last
	}, limit)
	return widths, err
}
