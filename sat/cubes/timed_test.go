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
		leaves, below := int64(0), 0
		for n := range s.TimedNodes(func() int64 { return 1000 * s.Counts().Expanded }, func() bool { return false }) {
			timed = append(timed, n)
			if n.Time != 1000*n.Count {
				t.Fatalf("%s: %+v, the clock counts nodes in thousands", c.name, n)
			}
			if n.Children == 0 {
				leaves++
			}
			below += n.Levels
		}
		tree, _, err := replay.RecordTimedTree(timed, 1, 1<<20)
		if err != nil || tree.NodeCount() != whole.Expanded || s.Counts() != whole || !s.Empty() {
			t.Fatalf("%s: %v, %+v, want %+v", c.name, err, s.Counts(), whole)
		}
		of := whole.Conflicts + whole.Solutions
		if anchors := c.name == "anchors"; anchors != (leaves < of) || anchors != (below > 0) || leaves < 5 || leaves > of {
			t.Errorf("%s: %d leaves of %d", c.name, leaves, of)
		}
		for _, after := range []int64{1, 20, 60} {
			calls, counted := int64(0), int64(0)
			half := newShare(c.rule, true)
			for n := range half.TimedNodes(func() int64 { return 0 }, func() bool { calls++; return calls > after }) {
				counted += n.Count
			}
			if half.Empty() || half.Counts().Expanded != after || counted != after {
				t.Errorf("%s: %d nodes, %d counted, halted after %d", c.name, half.Counts().Expanded, counted, after)
			}
		}
	}
}

// The timed nodes end with a solution, and count all nodes, also if the solution is below an anchor.
func TestTimedNodesOfDecided(t *testing.T) {
	f := ruletest.RandomFormula(rand.New(rand.NewPCG(4, 4)), 60, 240, 3)
	for name, rule := range map[string]sat.Rule{
		"look-ahead": lookahead.New(f),
		"anchors":    cubes.New(f, cubes.Options{Cut: cubes.Cut{Measure: cubes.Assigned, Anchor: 2, Cube: 12}, Budget: 10}),
	} {
		s := newShare(rule, true)
		n := int64(0)
		for one := range s.TimedNodes(func() int64 { return 0 }, func() bool { return false }) {
			n += one.Count
		}
		if c := s.Counts(); !s.Decided() || c.Solutions != 1 || n != c.Expanded || n < 2 {
			t.Errorf("%s: %d nodes: %+v", name, n, c)
		}
	}
}
