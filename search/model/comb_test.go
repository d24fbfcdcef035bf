package model

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"treesplit/search"
	"treesplit/search/searchtest"
)

func newComb(teeth int, bush int64, root bool) *Comb {
	c, err := NewComb(teeth, bush, root)
	if err != nil {
		panic(err)
	}
	return c
}

func TestCombConformance(t *testing.T) {
	for _, c := range []struct {
		teeth int
		bush  int64
	}{{50, 99}, {3, 2000}, {2000, 1}, {1, 4000}} {
		searchtest.Run(t,
			func() search.Work { return newComb(c.teeth, c.bush, true) },
			func() search.Work { return newComb(c.teeth, c.bush, false) },
			int64(c.teeth)*(1+c.bush))
	}
}

func TestNewCombRefuses(t *testing.T) {
	for _, c := range []struct{ teeth, bush int64 }{{0, 5}, {-1, 5}, {1 << 31, 5}, {5, 0}, {2, 1 << 61}} {
		if _, err := NewComb(int(c.teeth), c.bush, true); err == nil {
			t.Errorf("%d teeth with %d nodes are accepted", c.teeth, c.bush)
		}
	}
}

// The share with the spine gives away one bush per split: after s splits it has lost s bushes.
// A bush is split evenly.
func TestCombLosesOneBushASplit(t *testing.T) {
	const teeth, bush = 40, 1000
	holder := newComb(teeth, bush, true)
	if _, ok := holder.Split(nil); ok {
		t.Fatal("Split succeeds before a spine node is expanded")
	}
	holder.Expand(teeth)
	for s := range int64(teeth - 1) {
		piece, ok := holder.Split(nil)
		if !ok || NodesInPiece(piece) != bush || holder.Left() != (teeth-1-s)*bush {
			t.Fatalf("split %d: a piece of %d nodes, %d left", s, NodesInPiece(piece), holder.Left())
		}
		receiver := newComb(teeth, bush, false)
		if err := receiver.Accept(piece); err != nil {
			t.Fatal(err)
		}
		if half, ok := receiver.Split(nil); !ok || NodesInPiece(half) != bush/2 || receiver.Left() != bush/2 {
			t.Fatalf("a bush split into %d and %d", NodesInPiece(half), receiver.Left())
		}
	}
	if piece, ok := holder.Split(nil); !ok || NodesInPiece(piece) != bush/2 {
		t.Errorf("the last bush gives %d nodes", NodesInPiece(piece))
	}
}

// node is a node of the comb as the documentation describes it, traversed by the rules of
// search.Bisecter without arithmetic.
type node struct{ children []*node }

func (n *node) size() (nodes int64) {
	nodes = 1
	for _, c := range n.children {
		nodes += c.size()
	}
	return nodes
}

func drawBush(n int64) *node {
	b := &node{}
	for _, half := range []int64{n / 2, (n - 1) / 2} { // ⌈(n−1)/2⌉ and ⌊(n−1)/2⌋
		if half > 0 {
			b.children = append(b.children, drawBush(half))
		}
	}
	return b
}

func drawComb(teeth int, bush int64) *node {
	n := &node{}
	if teeth > 1 {
		n.children = append(n.children, drawComb(teeth-1, bush))
	}
	n.children = append(n.children, drawBush(bush))
	return n
}

func bisect(root *node, k int, part uint64) (left int64, expanded, redundant int) {
	run := []*node{root}
	for way := search.NewWay(k, part); !way.IsFinished() && len(run) > 0; {
		if len(run) > 1 {
			from, to := way.HalveSiblings(0, len(run))
			run = run[from:to]
			continue
		}
		if way.OwnsCurrentNode() {
			expanded++
		} else {
			redundant++
		}
		run = run[0].children
	}
	for _, n := range run {
		left += n.size()
	}
	return left, expanded, redundant
}

// A comb is bisected like the tree that it represents.
func TestCombBisect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		teeth := rapid.IntRange(1, 12).Draw(t, "teeth")
		bush := rapid.Int64Range(1, 40).Draw(t, "bush")
		k := rapid.IntRange(0, 9).Draw(t, "k")
		tree, total := drawComb(teeth, bush), int64(0)
		if tree.size() != int64(teeth)*(1+bush) {
			t.Fatalf("the tree has %d nodes", tree.size())
		}
		c := newComb(teeth, bush, true)
		for part := range uint64(1) << k {
			left, expanded, redundant := bisect(tree, k, part)
			gotExpanded, gotRedundant := c.Bisect(k, part)
			if c.Left() != left || gotExpanded != expanded || gotRedundant != redundant {
				t.Fatalf("part %d: %d nodes at %d + %d, want %d at %d + %d", part, c.Left(), gotExpanded, gotRedundant, left, expanded, redundant)
			}
			for total += int64(expanded); !c.Empty(); {
				total += int64(c.Expand(7))
			}
		}
		if total != tree.size() {
			t.Fatalf("the parts have %d nodes of %d", total, tree.size())
		}
	})
}

// A packed share behaves like the share that stayed.
func TestCombPack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		teeth, bush := rapid.IntRange(1, 20).Draw(t, "teeth"), rapid.Int64Range(1, 50).Draw(t, "bush")
		stayed, left, taker := newComb(teeth, bush, true), newComb(teeth, bush, true), newComb(teeth, bush, false)
		n := rapid.IntRange(0, teeth*(1+int(bush))-1).Draw(t, "expanded")
		stayed.Expand(n)
		left.Expand(n)
		piece := left.Pack(nil)
		if !left.Empty() || NodesInPiece(piece) != stayed.Left() {
			t.Fatalf("packed %d nodes of %d", NodesInPiece(piece), stayed.Left())
		}
		if err := taker.Accept(piece); err != nil {
			t.Fatal(err)
		}
		for !stayed.Empty() {
			a, ok1 := stayed.Split(nil)
			b, ok2 := taker.Split(nil)
			if ok1 != ok2 || !bytes.Equal(a, b) || stayed.Expand(3) != taker.Expand(3) || stayed.Left() != taker.Left() {
				t.Fatalf("%x, %v, %d left; packed %x, %v, %d left", a, ok1, stayed.Left(), b, ok2, taker.Left())
			}
		}
		if !taker.Empty() {
			t.Fatal("the share is not empty at the end")
		}
	})
	if !panics(func() { newComb(1, 1, false).Pack(nil) }) {
		t.Error("no share was packed")
	}
	if c := newComb(3, 3, true); !panics(func() { c.Expand(1); c.Bisect(1, 1) }) {
		t.Error("Bisect accepts a share with expanded nodes")
	}
}

func FuzzCombAccept(f *testing.F) {
	const teeth, bush = 5, 20
	c := newComb(teeth, bush, true)
	f.Add(newComb(teeth, bush, true).Pack(nil))
	c.Expand(30)
	piece, _ := c.Split(nil)
	f.Add(piece)
	f.Add(c.Pack(nil))
	f.Fuzz(func(t *testing.T, piece []byte) {
		c := newComb(teeth, bush, false)
		if c.Accept(piece) != nil {
			if !c.Empty() {
				t.Error("the share is not empty after it has refused a piece")
			}
			return
		}
		nodes, total := c.Left(), int64(0)
		if nodes < 1 || nodes > teeth*(1+bush) || nodes != NodesInPiece(piece) {
			t.Fatalf("the share accepts %d nodes", nodes)
		}
		for !c.Empty() {
			if half, ok := c.Split(nil); ok {
				total += NodesInPiece(half)
			}
			total += int64(c.Expand(3))
		}
		if total != nodes {
			t.Errorf("%d nodes split and expanded of %d", total, nodes)
		}
	})
}
