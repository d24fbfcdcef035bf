package replay_test

import (
	"slices"
	"testing"

	"treesplit/search"
	"treesplit/search/replay"
	"treesplit/search/searchtest"
)

// timedNodes returns the nodes of a workload with times of 1 to 9 units, of which every node counts
// five. Most nodes are shorter than the mean.
func (w workload) timedNodes() (timed []search.TimedNode) {
	i := int64(0)
	for n := range w.shape.Children {
		i++
		timed = append(timed, search.TimedNode{Children: n, Count: 5, Time: 1 + i*i*i%9})
	}
	return timed
}

// binaries are the workloads whose nodes have no or several children.
func binaries(t testing.TB) []workload {
	return slices.DeleteFunc(workloads(t), func(w workload) bool {
		for n := range w.shape.Children {
			if n == 1 {
				return true
			}
		}
		return w.shape.Batch > 1
	})
}

// A timed tree keeps the promises of a share, and has as many nodes as its timed nodes count.
func TestTimedConformance(t *testing.T) {
	all := binaries(t)
	if len(all) < 3 {
		t.Fatalf("%d workloads", len(all))
	}
	for _, w := range all {
		timed := w.timedNodes()
		tree, parts, err := replay.RecordTimedTree(timed, 100, 1<<22)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := tree.NodeCount(), int64(4*5*len(timed)); got != want || parts != 4 { // at least 16 per node
			t.Errorf("%s: %d nodes and %d parts, want %d and 4", w.name, got, parts, want)
		}
		split := search.Splitting{Rule: search.Half, MinOpen: 2}
		t.Run(w.name, func(t *testing.T) {
			searchtest.Run(t,
				func() search.Work { return tree.Share(split, true) },
				func() search.Work { return tree.Share(split, false) }, tree.NodeCount())
		})
	}
}

// Nodes that take the same time make the recorded tree.
func TestEqualTimesChangeNothing(t *testing.T) {
	for _, w := range binaries(t) {
		timed := w.timedNodes()
		for i := range timed {
			timed[i].Count, timed[i].Time = 1, 7
		}
		tree, _, err := replay.RecordTimedTree(timed, 1, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		a, b := tree.Share(search.DefaultSplitting, true), w.record(t).Share(search.DefaultSplitting, true)
		for !b.Empty() {
			p, ok := a.Split(nil)
			q, also := b.Split(nil)
			if !slices.Equal(p, q) || ok != also || a.Expand(3) != b.Expand(3) || a.Left() != b.Left() {
				t.Fatalf("%s: the shares differ with %d and %d nodes left", w.name, a.Left(), b.Left())
			}
		}
	}
}

func timed(children int, count, time int64) search.TimedNode {
	return search.TimedNode{Children: children, Count: count, Time: time}
}

// small is a root of 3 units whose children are a leaf of 5 units and a node of 1 unit with leaves of
// 1 and 2 units.
var small = []search.TimedNode{timed(2, 1, 30), timed(0, 3, 50), timed(2, 5, 10), timed(0, 2, 10), timed(0, 1, 20)}

// recordTimed records timed nodes whose parts are their counted nodes.
func recordTimed(t *testing.T, nodes []search.TimedNode) *replay.Tree {
	t.Helper()
	tree, parts, err := replay.RecordTimedTree(nodes, 1, 1<<20)
	if err != nil || parts != 1 {
		t.Fatal(parts, err)
	}
	return tree
}

// The times of nodes are lengths of chains, whose parts stay together and have one height.
func TestTimesAreChains(t *testing.T) {
	tree := recordTimed(t, small)
	split := search.Splitting{Rule: search.Half, MinOpen: 1}
	if n := tree.NodeCount(); n != 12 {
		t.Fatalf("%d nodes", n)
	}
	s := tree.Share(split, true)
	for i := range 3 { // the root
		if _, ok := s.Split(nil); ok {
			t.Fatalf("the root is split after %d nodes", i)
		}
		s.Expand(1)
	}
	s.Expand(2) // of the first leaf
	piece, ok := s.Split(nil)
	if n := tree.NodesInPiece(piece); !ok || n != 4 || s.Left() != 3 {
		t.Errorf("a piece of %d nodes (%v), %d left: expected the second child, and the rest of the leaf", n, ok, s.Left())
	}
	if _, ok := s.Split(nil); ok {
		t.Error("the rest of a leaf is split")
	}
}

// Times differ as much as they were, also if each node counts once: the parts are then finer.
func TestPartsAreFine(t *testing.T) {
	tree, parts, err := replay.RecordTimedTree([]search.TimedNode{timed(2, 1, 100), timed(0, 1, 1000), timed(0, 1, 500)}, 1000, 1000)
	if err != nil || parts != 16 || tree.NodeCount() != 48 {
		t.Fatalf("%d parts, %v", parts, err)
	}
	s := tree.Share(search.DefaultSplitting, true)
	var got []int64
	for range 2 { // the children of the root
		for expanded, ok := -1, false; !ok && expanded != 0; {
			var piece []byte
			if piece, expanded, ok = s.Subtask(nil, 1, 100); ok {
				got = append(got, tree.NodesInPiece(piece))
			}
		}
	}
	if !slices.Equal(got, []int64{30, 15}) {
		t.Errorf("the children have %d parts, want 30 and 15", got)
	}
	if _, parts, err := replay.RecordTimedTree([]search.TimedNode{timed(0, 1, 1)}, 5, 1000); err != nil || parts != 5 {
		t.Errorf("%d parts, limited to 5 (%v)", parts, err)
	}
}

// Subtasks are cut off at a depth. A node that is a subtree is cut off above the depth if it reaches the depth.
func TestTimedSubtasks(t *testing.T) {
	deep := slices.Clone(small)
	deep[1].Levels = 2 // from depth 1 to 3
	for _, c := range []struct {
		nodes []search.TimedNode
		depth int
		want  []int64
	}{
		{small, 1, []int64{5, 4}},
		{small, 2, []int64{1, 2}}, // the leaf of five parts is expanded
		{small, 3, nil},
		{deep, 1, []int64{5, 4}},
		{deep, 2, []int64{5, 1, 2}},
		{deep, 3, []int64{5}},
		{deep, 4, nil},
	} {
		tree := recordTimed(t, c.nodes)
		var got []int64
		expanded := 0
		for s := tree.Share(search.DefaultSplitting, true); !s.Empty(); {
			piece, n, ok := s.Subtask(nil, c.depth, 100)
			if expanded += n; ok {
				got = append(got, tree.NodesInPiece(piece))
				expanded += int(got[len(got)-1])
			}
		}
		if !slices.Equal(got, c.want) || expanded != 12 {
			t.Errorf("the subtasks at depth %d have %v nodes, want %v; %d nodes in all", c.depth, got, c.want, expanded)
		}
	}
}

// The parts of a bisection have each node once. A part expands the nodes above it, but only the first
// part of a leaf that belongs to another part.
func TestPartsOfTimedTree(t *testing.T) {
	tree := recordTimed(t, small)
	for k, want := range [][]counted{
		0: {{0, 0, 12}},
		1: {{3, 0, 5}, {0, 3, 4}},
		2: {{4, 0, 4}, {0, 4, 0}, {1, 3, 1}, {0, 4, 2}},
		3: {{4, 0, 4}, {0, 4, 0}, {0, 4, 0}, {0, 4, 0}, {2, 3, 0}, {0, 5, 0}, {1, 4, 1}, {0, 5, 0}},
	} {
		for part, want := range want {
			var got counted
			s := tree.Share(search.DefaultSplitting, false)
			got.expanded, got.redundant = s.Bisect(k, uint64(part))
			got.drained = s.Expand(100)
			if got != want || !s.Empty() {
				t.Errorf("part %d of 2^%d: %+v, want %+v", part, k, got, want)
			}
		}
	}
}

// The time of a bisection is proportional to the parts of the nodes on the way.
func TestBisectLongNode(t *testing.T) {
	nodes := []search.TimedNode{timed(2, 1_000_000, 1_000_000), timed(0, 1, 1), timed(0, 1, 1)}
	tree := recordTimed(t, nodes)
	for part := range uint64(2) {
		s := tree.Share(search.DefaultSplitting, false)
		expanded, redundant := s.Bisect(1, part)
		if expanded+redundant != 1_000_000 || (redundant > 0) != (part > 0) || s.Left() != 1 {
			t.Errorf("part %d: %d and %d nodes on the way, %d left", part, expanded, redundant, s.Left())
		}
	}
}

// A long node at the beginning leaves a part for each of the short nodes after it.
func TestShortNodesAtTheEnd(t *testing.T) {
	nodes := []search.TimedNode{timed(64, 100, 1_000_000)}
	for range 64 {
		nodes = append(nodes, timed(0, 1, 1))
	}
	tree := recordTimed(t, nodes)
	_, long := tree.Share(search.DefaultSplitting, false).Bisect(1, 1)
	if tree.NodeCount() != 164 || long != 100 {
		t.Errorf("%d nodes, %d parts of the root: want 164 and 100", tree.NodeCount(), long)
	}
}

func TestTimedTreeRefuses(t *testing.T) {
	for name, nodes := range map[string][]search.TimedNode{
		"one child":  {timed(1, 1, 1), timed(0, 1, 1)},
		"time":       {timed(0, 1, -1)},
		"count":      {timed(0, 0, 1)},
		"too large":  {timed(0, 1000, 1)},
		"incomplete": {timed(2, 1, 1)},
	} {
		if _, _, err := replay.RecordTimedTree(nodes, 1, 100); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if tree := recordTimed(t, []search.TimedNode{timed(0, 4, 0)}); tree.NodeCount() != 4 {
		t.Errorf("a node without time has %d parts", tree.NodeCount())
	}
}
