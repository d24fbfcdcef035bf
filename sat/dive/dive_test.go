package dive_test

import (
	"math"
	"testing"

	"treesplit/sat"
	"treesplit/sat/dive"
	"treesplit/sat/lookahead"
	"treesplit/sat/plain"
	"treesplit/sat/ruletest"
)

// treeSize returns the true number of nodes of a rule's tree.
func treeSize(rule sat.Rule) float64 {
	s := sat.NewSearch(rule, sat.Options{Root: true, All: true})
	for !s.Empty() {
		s.Expand(1 << 20)
	}
	return float64(s.Counts().Expanded)
}

// estimate makes many dives.
func estimate(rule sat.Rule, dives int) dive.Estimate {
	return dive.OfTree(rule, 5, 1, dive.Limit{Dives: dives, Steps: math.MaxInt64})
}

// In a tree all of whose leaves have the same depth, one dive knows the number of nodes. Under rule
// unit, a parity chain of n inputs has 2^n−1 nodes.
func TestEvenTree(t *testing.T) {
	for _, n := range []string{"n=3", "n=7"} {
		rule := sat.NewUnit(ruletest.MakeFamily(t, "parity", 0, n))
		e := estimate(rule, 5)
		if want := treeSize(rule); e.Nodes != want || e.Spread != 0 || e.Dives != 5 {
			t.Errorf("%s: %+v, want %v nodes", n, e, want)
		}
	}
}

// In a tree of more than 10^154 nodes the squares of the dives are above the largest float64. The standard error is
// then infinite. It is no NaN, because every comparison with NaN is false.
func TestHugeTree(t *testing.T) {
	for n, known := range map[string]bool{"n=500": true, "n=520": false, "n=900": false} {
		e := estimate(sat.NewUnit(ruletest.MakeFamily(t, "parity", 0, n)), 5)
		if e.Dives != 5 || e.Nodes < 1e150 || math.IsInf(e.Nodes, 0) || known != (e.Spread == 0) || known == math.IsInf(e.Spread, 1) {
			t.Errorf("%s: %+v; want a finite spread: %v", n, e, known)
		}
	}
}

// The expectation of a dive is the number of nodes. Reference: Knuth 1975, theorem 1.
func TestEstimatesAreUnbiased(t *testing.T) {
	for _, c := range []struct {
		family, values string
		rule           func(*sat.Formula) sat.Rule
	}{
		{"php", "n=5", plain.New},
		{"random", "n=60 ratio=5", plain.New},
		{"random", "n=90 ratio=5", func(f *sat.Formula) sat.Rule { return lookahead.New(f) }},
		{"vdw", "j=3 k=5 n=22", plain.New},
	} {
		rule := c.rule(ruletest.MakeFamily(t, c.family, 3, c.values))
		e, want := estimate(rule, 3000), treeSize(rule)
		if miss := math.Abs(e.Nodes-want) / e.Nodes; miss > 4*e.Spread+1e-9 || e.Spread > 0.2 {
			t.Errorf("%s %s: %.0f nodes ± %.1f %%, want %.0f", c.family, c.values, e.Nodes, 100*e.Spread, want)
		}
	}
}

// The same arguments give the same estimate; the number of steps bounds the dives, except the first
// one.
func TestLimitsOfDives(t *testing.T) {
	f := ruletest.MakeFamily(t, "random", 1, "n=80 ratio=4.6")
	rule := lookahead.New(f)
	if a, b := estimate(rule, 50), estimate(rule, 50); a != b {
		t.Errorf("%+v and %+v", a, b)
	}
	one := dive.OfTree(rule, 5, 1, dive.Limit{Dives: 100, Steps: 1})
	if one.Dives != 1 {
		t.Errorf("%d dives within one step, want 1", one.Dives)
	}
	if e := dive.OfTree(rule, 5, 1, dive.Limit{Dives: 100, Steps: 1, Least: 3}); e.Dives != 0 || e.Spent >= one.Spent {
		t.Errorf("%+v: expected an end before the end of the first dive, which takes %d steps", e, one.Spent)
	}
	if e := dive.OfTree(rule, 5, 1, dive.Limit{Dives: 1 << 30, Least: 5, Steps: 20 * one.Spent}); e.Dives < 5 || e.Spent > 22*one.Spent {
		t.Errorf("%+v: expected about 20 dives of %d steps", e, one.Spent)
	}
}
