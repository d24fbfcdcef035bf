package cubes_test

import (
	"math/rand/v2"
	"testing"

	"treesplit/sat"
	"treesplit/sat/cubes"
	"treesplit/sat/lookahead"
	"treesplit/sat/ruletest"
	"treesplit/search"
	"treesplit/search/replay"
)

// The timed nodes of a share are a tree in preorder that counts each node once. The subtree of an
// anchor is one of them, and a cube without an anchor, too.
func TestTimedNodes(t *testing.T) {
	f := ruletest.MakeFamily(t, "php", 0, "n=6")
	for _, c := range []struct {
		name string
		rule sat.Rule
	}{
		{"look-ahead", lookahead.New(f)},
		{"anchors", cubes.New(f, cubes.Options{Cut: cubes.Cut{Measure: cubes.Assigned, Anchor: 14, Cube: 18}, Budget: 10})},
		{"rank", cubes.New(f, cubes.Options{Cut: cubes.Cut{Measure: cubes.Assigned, Cube: 14}, Budget: 10, Shared: true})},
	} {
		whole := drainShare(newShare(c.rule, true))
		s := newShare(c.rule, true)
		var timed []search.TimedNode
		leaves := int64(0)
		for n := range s.TimedNodes(func() int64 { return 1000 * s.Counts().Expanded }, func() bool { return false }) {
			timed = append(timed, n)
			if n.Time != 1000*n.Count {
				t.Fatalf("%s: %+v, the clock counts nodes in thousands", c.name, n)
			}
			if n.Children == 0 {
				leaves++
			}
		}
		tree, err := replay.RecordTimedTree(timed, 1<<20)
		if err != nil || tree.NodeCount() != whole.Expanded || s.Counts() != whole || !s.Empty() {
			t.Fatalf("%s: %v, %+v, want %+v", c.name, err, s.Counts(), whole)
		}
		of := whole.Conflicts + whole.Solutions
		if anchors := c.name == "anchors"; anchors != (leaves < of) || leaves < 5 || leaves > of {
			t.Errorf("%s: %d leaves of %d", c.name, leaves, of)
		}
		calls := 0
		half := newShare(c.rule, true)
		for range half.TimedNodes(func() int64 { return 0 }, func() bool { calls++; return calls > 20 }) {
		}
		if half.Empty() || half.Counts().Expanded != 20 {
			t.Errorf("%s: %d nodes, halted after 20", c.name, half.Counts().Expanded)
		}
	}
}

// The timed nodes end with a solution.
func TestTimedNodesOfDecided(t *testing.T) {
	s := newShare(lookahead.New(ruletest.RandomFormula(rand.New(rand.NewPCG(4, 4)), 60, 240, 3)), true)
	last, n := search.TimedNode{}, int64(0)
	for last = range s.TimedNodes(func() int64 { return 0 }, func() bool { return false }) {
		n++
	}
	if c := s.Counts(); !s.Decided() || c.Solutions != 1 || last.Children != 0 || n != c.Expanded {
		t.Errorf("%d nodes, the last one %+v: %+v", n, last, c)
	}
}
