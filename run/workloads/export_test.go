package workloads

import (
	"math"

	"treesplit/run"
)

// PickedRule returns the rule that auto has picked, and its reasons.
func (w *SAT) PickedRule() (rule string, choice *Picked) { return w.picked, w.choice }

// SetLimits makes auto pick cdcl for trees above a time, after a try of the given ticks.
func (w *SAT) SetLimits(seconds float64, ticks int64) {
	l := &w.limits
	l.tree, l.uniform, l.try, l.long, l.cubes = seconds, seconds, ticks, ticks, 0
}

// SetCubesLimits makes auto pick cubes for trees above a time, after a try of the given ticks, if rule cubes is
// expected to search the formula in some seconds.
func (w *SAT) SetCubesLimits(seconds float64, ticks int64, cubes float64) {
	l := &w.limits
	l.tree, l.uniform, l.try, l.long, l.cubes = seconds, seconds, ticks, 2*ticks, cubes
}

// PreferElimination makes auto search the formula after elimination, if it picks plain, whatever the time.
func (w *SAT) PreferElimination() { w.limits.less = math.Inf(1) }

// ShortenDives makes the long dives of auto a twentieth as long.
func (w *SAT) ShortenDives() {
	w.limits.plain /= 20
	w.limits.lookahead /= 20
}

// CountDeposits returns the number of solvers that a search by rule cdcl keeps for pieces.
func CountDeposits(p run.Problem) int {
	d := p.(attemptsProblem).depot
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.engines)
}

// SetPresearch makes every search by cubes begin with a presearch, which takes a multiple of the expected time.
func (w *SAT) SetPresearch(multiple float64) {
	w.limits.presearch, w.limits.leastPresearch = multiple, 1
}
