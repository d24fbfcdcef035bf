package workloads

import (
	"time"

	"treesplit/run"
	"treesplit/sat"
	"treesplit/sat/cdcl"
)

// Auto and rule cubes. Samples estimate the time of rule cubes, but they take seconds, and clause learning
// has no estimate. So if no tree is small, clause learning comes first, for about eight seconds. Then rule cubes
// is picked if the samples expect a short search, or, for formulas of few lengths, any end of it. If a
// tree of such a formula is expected to take minutes, the samples decide alone.
//
// The samples see a few anchors, and miss rare hard ones: expected times were mostly 0.1 to 0.7 of the real ones.
//
// Running one rule for a bounded time before another one, because the times of both are unknown, is the idea of
// B. Huberman, R. Lukose, T. Hogg, An Economics Approach to Hard Computational Problems, Science 275 (1997).

// Expected times of rule cubes are too small.
const (
	cubesBias = 5      // the usual factor
	leastCube = 0.3e-3 // seconds of an expected cube below which the factor is much larger: the trials saw easy cubes only
	quick     = 1.0    // expected seconds up to which short cubes do not matter
)

// Samples take less care if the expected time is more than usefulFactor times the largest one for which auto picks cubes.
const usefulFactor = 3

// CubesGuess is an estimate of rule cubes.
type CubesGuess struct {
	Cubes   float64 `json:"cubes"`
	Seconds float64 `json:"seconds"` // on a usual machine, one rank; 0: no estimate
}

// prolong continues the try up to the bound of formulas without a small tree.
func (t *try) prolong(p *Picked, halted func() bool) {
	for t.ticks < t.w.limits.long && t.status == cdcl.Unknown && (halted == nil || !halted()) {
		t.ticks = min(t.ticks+t.w.limits.try, t.w.limits.long)
		t.status = t.solver.Continue(cdcl.Limit{Conflicts: cdcl.NoLimit, Ticks: t.w.limits.try})
	}
	p.Conflicts, p.Decided = t.solver.Stats().Conflicts, t.status != cdcl.Unknown
}

// mostOfCubes returns the seconds up to which rule cubes is picked, if the better tree takes some seconds.
func (w *SAT) mostOfCubes(tree float64, fewLengths bool) float64 {
	if fewLengths {
		return tree
	}
	return w.limits.cubes
}

// expectCubes reports whether rule cubes is expected to search a formula within some seconds, its bias
// included. A run that resumes a search by rule cubes expects the same again, without samples.
func (w *SAT) expectCubes(f *sat.Formula, c *chooser, seconds float64, l run.Loading) bool {
	if w.resumeCut(l) {
		return true
	}
	begun := time.Now()
	one := chooseCut(f, usefulFactor*seconds/cubesBias, l)
	c.Cubes = &CubesGuess{one.Cubes, one.Seconds}
	if one.Seconds == 0 || one.Seconds*cubesBias > seconds || one.Seconds > quick && one.Seconds < leastCube*one.Cubes {
		return false
	}
	w.useCut(one, begun)
	return true
}
