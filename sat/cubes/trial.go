package cubes

import (
	"errors"

	"treesplit/sat"
)

// A trial searches the subtree of an anchor completely, as the search does, and measures the steps.
// So it sees what a cube costs if the solver knows the cubes before it, which is less than with a new
// solver: one fifth on some formulas.

// Costs of steps in seconds, from measurements on one machine. Only their ratio matters.
const (
	LookStep = 5e-9  // of look-ahead
	TickTime = 30e-9 // of a solver
)

// trialSteps is the number of conflicts between two looks at the limit of a trial.
const trialSteps = 64

// trial is the result of a trial.
type trial struct {
	way       int64 // steps of look-ahead on the way to the anchor
	look      int64 // steps of look-ahead
	ticks     int64 // of the solver
	cubes     int64
	conflicts int64 // and steps without a conflict
	complete  bool  // the limit was not reached
}

// seconds returns the time of the trial on a usual machine.
func (t trial) seconds() float64 {
	return float64(float64(t.look)*LookStep) + float64(float64(t.ticks)*TickTime)
}

// question describes a trial.
type question struct {
	cut   Cut
	limit float64 // seconds
	path  []int32 // literals of the decisions from the root to the anchor
}

// makeTrial searches the anchor at the end of a path, until that takes more than the limit. The way to the
// anchor is not a part of the trial. The walk is at the root, before and after. makeTrial returns an error
// if the path does not follow the branches of the tree.
func (s *sampler) makeTrial(q question) (t trial, err error) {
	s.useCut(q.cut)
	defer s.backToRoot()
	before, branch, outcome := s.walk.Steps(), s.branch, sat.Inner
	for i, l := range q.path {
		if outcome != sat.Inner || l>>1 != branch>>1 {
			return trial{}, errors.New("a trial does not follow the branches of the tree")
		}
		if i < len(q.path)-1 {
			branch, outcome = s.walk.Visit(l, nil)
			continue
		}
		t.way = s.walk.Steps() - before
		hasTime := s.measureTrial(&t, q.limit)
		t.complete = s.tryNode(l, &t, hasTime)
		hasTime()
	}
	return t, nil
}

// measureTrial begins a trial. The function that it returns sets the steps of t, and reports whether the trial
// may continue.
func (s *sampler) measureTrial(t *trial, limit float64) (hasTime func() bool) {
	look, ticks := s.walk.Steps(), s.walk.countTicks()
	return func() bool {
		t.look, t.ticks = s.walk.Steps()-look, s.walk.countTicks()-ticks
		return t.seconds() <= limit && !s.isHalted()
	}
}

// backToRoot undoes all visits below the root.
func (s *sampler) backToRoot() {
	for s.walk.depth() > 0 {
		s.walk.Back()
	}
}

// tryNode searches the subtree of a node as long as there is time, and stays at the node. It returns
// false, and stays at a node of the subtree, if the search is incomplete.
func (s *sampler) tryNode(literal int32, t *trial, hasTime func() bool) bool {
	branch, outcome := s.walk.Visit(literal, nil)
	for outcome == sat.Cube {
		var steps int
		steps, branch, outcome = s.walk.Conquer(trialSteps, nil)
		t.conflicts += int64(steps)
		if outcome == sat.Cube && !hasTime() {
			return false
		}
		if outcome != sat.Cube {
			t.cubes++
		}
	}
	if outcome != sat.Inner {
		return true
	}
	for _, l := range [2]int32{branch, branch ^ 1} {
		if !hasTime() || !s.tryNode(l, t, hasTime) {
			return false
		}
		s.walk.Back()
	}
	return true
}
