package cubes

import (
	"math"
	"testing"

	"treesplit/sat"
	"treesplit/sat/ruletest"
)

// searchAll returns the trial of the whole formula with a cut.
func searchAll(f *sat.Formula, c Cut) trial {
	return beginSampler(f, c.Measure, nil).tryRoot(c, math.Inf(1))
}

// The cut of the samples takes at most twice as many steps as the best cut, and the number of cubes is
// about as estimated.
func TestChooseAgainstAll(t *testing.T) {
	if testing.Short() {
		t.Skip("searches with all cuts")
	}
	for name, parameters := range map[string]string{"vdw": "n=46 j=3 k=7", "multiplier": "n=5"} {
		f := ruletest.MakeFamily(t, name, 0, parameters)
		s, best := newSampler(f, Assigned, nil), math.Inf(1)
		for _, x := range s.grid() {
			best = min(best, searchAll(f, s.enter(x).cut).seconds())
		}
		one := Choose(f, Assigned, nil, nil)
		all := searchAll(f, one.Cut)
		if all.seconds() > 2*best || one.Cubes < float64(all.cubes)/2 || one.Cubes > 2*float64(all.cubes) {
			t.Errorf("%s: %v takes %.3f s, the best cut %.3f s; %d cubes, estimated %.0f", name, one.Cut, all.seconds(), best, all.cubes, one.Cubes)
		}
	}
}

// Dives count the nodes of a cut and the cost of look-ahead without an error if they reach all leaves
// equally often.
func TestDives(t *testing.T) {
	d := dives{
		{{entered: 1, measure: 2, above: 0, look: 10, weight: 2}, {entered: 4, measure: 4, above: 10, look: 8, weight: 4}},
		{{entered: 3, measure: 3, above: 0, look: 20, weight: 2}},
	}
	for _, c := range []struct{ x, nodes, steps float64 }{
		{1, 2, 0}, {2, 2, 5}, {3, 3, 5}, {4, 2, 15}, {5, 0, 19},
	} {
		if nodes, steps := d.countNodes(c.x), d.countSteps(c.x); nodes != c.nodes || steps != c.steps {
			t.Errorf("at %v: %v nodes and %v steps, want %v and %v", c.x, nodes, steps, c.nodes, c.steps)
		}
	}
}

// The choice is the same each time.
func TestChooseAgain(t *testing.T) {
	f := ruletest.MakeFamily(t, "vdw", 0, "n=40 j=3 k=7")
	if a, b := Choose(f, Assigned, nil, nil), Choose(f, Assigned, nil, nil); a != b {
		t.Errorf("%+v, then %+v", a, b)
	}
}

// A choice that is halted makes no further dives and no further trials, at whatever moment it is halted.
func TestChooseHalted(t *testing.T) {
	f := ruletest.MakeFamily(t, "vdw", 0, "n=46 j=3 k=7")
	whole := Choose(f, Assigned, nil, nil)
	looks := 0
	never := func() bool { looks++; return false }
	if one := Choose(f, Assigned, nil, never); one != whole {
		t.Fatalf("%+v if it is never halted, want %+v", one, whole)
	}
	for at := 1; at <= looks; at = at*10 + 1 {
		calls := 0
		one := Choose(f, Assigned, nil, func() bool { calls++; return calls >= at })
		if calls != at {
			t.Errorf("halted returned true at call %d, and was called %d times", at, calls)
		}
		if one.Tried > whole.Tried || one.Budget <= 0 || math.IsInf(one.Cut.Cube, 0) {
			t.Errorf("halted at call %d: %+v", at, one)
		}
	}
	if s := newSampler(f, Assigned, func() bool { return true }); len(s.dives) != 1 {
		t.Errorf("%d dives of a choice that is halted at once, want 1", len(s.dives))
	}
}

// The whole formula is searched with few cubes if look-ahead alone would take much longer. The numbers are
// exact then, and no cube exceeds the budget.
func TestTryWhole(t *testing.T) {
	f := ruletest.MakeFamily(t, "palindromic-vdw", 0, "j=3 k=14 n=183")
	s := newSampler(f, Assigned, nil)
	race := s.enterAll()
	one, complete := s.tryWhole(race, math.Inf(1))
	if !complete || one.Cubes < fewCubes/4 || one.Cubes > fewCubes*4 || one.Seconds <= 0 {
		t.Fatalf("%+v, %v without a limit", one, complete)
	}
	if s.walk.depth() != 0 {
		t.Errorf("the sampler is at depth %d after the trial, want 0", s.walk.depth())
	}
	all := searchAll(f, one.Cut)
	if float64(all.cubes) != one.Cubes || all.conflicts >= one.Budget {
		t.Errorf("%d cubes and %d conflicts, the trial has %v", all.cubes, all.conflicts, one)
	}
	if part, complete := s.tryWhole(race, one.Seconds/2); complete || part.Seconds <= one.Seconds/2 {
		t.Errorf("%+v, %v with half of the time", part, complete)
	}
	for _, c := range []struct{ least, want float64 }{{0, 0}, {0.99 * leastWhole / wholeShare, 0}, {40, 40 * wholeShare}, {1e6, mostWhole}} {
		race = []*entrant{{cubes: 1, least: 1000}, {cubes: startCubes, least: c.least}, {cubes: 1e6, least: 1000}}
		if got := wholeLimit(race); got != c.want {
			t.Errorf("limit %v if look-ahead takes %v s, want %v", got, c.least, c.want)
		}
	}
}

// A choice for a short search makes fewer trials if the search takes long.
func TestChooseWithin(t *testing.T) {
	f := ruletest.MakeFamily(t, "vdw", 1, "j=3 k=9 n=77")
	whole := Choose(f, Assigned, nil, nil)
	if got := ChooseWithin(f, Assigned, 100*whole.Seconds, nil, nil); got != whole {
		t.Errorf("%+v within a hundred times the time, want %+v", got, whole)
	}
	if got := ChooseWithin(f, Assigned, whole.Seconds/10, nil, nil); got.Seconds != 0 && got.Seconds <= whole.Seconds/10 {
		t.Errorf("%+v, %v s without a limit", got, whole.Seconds)
	}
	f = ruletest.MakeFamily(t, "schur", 1, "colours=4 n=45")
	spent := func(seconds float64) float64 {
		s := newSampler(f, Assigned, nil)
		s.useful = seconds
		s.pickWinner(s.enterAll())
		return s.spent
	}
	if long, short := spent(math.Inf(1)), spent(0.01); short >= long {
		t.Errorf("%v s of trials for a short search, %v s otherwise", short, long)
	}
}

// A single incomplete trial does not tell the time of a cut.
func TestIsKnown(t *testing.T) {
	e := &entrant{anchors: 100}
	e.add(trial{look: 1000}, 1)
	if e.isKnown() {
		t.Error("known after one trial without an end")
	}
	e.add(trial{look: 1000}, 1)
	if !e.isKnown() {
		t.Error("unknown after two trials")
	}
	e = &entrant{anchors: 100}
	if e.add(trial{look: 1000, complete: true}, 1); !e.isKnown() || e.tries != 1000*LookStep {
		t.Errorf("unknown after a complete trial, %v s", e.tries)
	}
}
