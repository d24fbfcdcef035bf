package model

import (
	"testing"

	"pgregory.net/rapid"

	"treesplit/search"
	"treesplit/search/searchtest"
)

func newBranching(h Halving, root bool) *Branching {
	b, err := NewBranching(h, root)
	if err != nil {
		panic(err)
	}
	return b
}

func TestBranchingConformance(t *testing.T) {
	for _, h := range []Halving{
		{Nodes: 5003, Sigma: 0.5, Law: TwoPoint, Seed: 1},
		{Nodes: 20000, Sigma: 0.4, Law: Beta, Seed: 2, Grain: 7},
	} {
		t.Run(h.Law.String(), func(t *testing.T) {
			searchtest.Run(t,
				func() search.Work { return newBranching(h, true) },
				func() search.Work { return newBranching(h, false) },
				h.Nodes)
		})
	}
	if _, err := NewBranching(Halving{}, true); err == nil {
		t.Error("a tree without nodes is accepted")
	}
}

// A complete tree cut at depth d has 2^d subtasks of equal size, and 2^d − 1 nodes above them.
func TestBranchingCutsCompleteTrees(t *testing.T) {
	const levels, depth = 12, 5
	b := newBranching(Halving{Nodes: 1<<levels - 1}, true)
	above, subtasks := 0, 0
	for !b.Empty() {
		piece, n, ok := b.Subtask(nil, depth, 1000)
		above += n
		if ok {
			subtasks++
			sub := newBranching(Halving{Nodes: 1<<levels - 1}, false)
			if err := sub.Accept(piece); err != nil || sub.Left() != 1<<(levels-depth)-1 {
				t.Errorf("a subtask of %d nodes (%v)", sub.Left(), err)
			}
		}
	}
	if above != 1<<depth-1 || subtasks != 1<<depth {
		t.Errorf("%d nodes above %d subtasks", above, subtasks)
	}
}

// Cutting at a depth, and then each subtask at a larger depth, gives the subtasks that one cut at the
// larger depth gives: sizes depend only on the way from the root.
func TestBranchingSizesDependOnTheWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := halvings(t, 3000)
		sizes := func(w *Branching, depth int, use func(piece []byte)) {
			for !w.Empty() {
				if piece, _, ok := w.Subtask(nil, depth, 7); ok {
					use(piece)
				}
			}
		}
		first := rapid.IntRange(1, 6).Draw(t, "first")
		var twice, once []string
		sizes(newBranching(h, true), first, func(piece []byte) {
			sub := newBranching(h, false)
			if err := sub.Accept(piece); err != nil {
				t.Fatal(err)
			}
			sizes(sub, first+4, func(piece []byte) { twice = append(twice, string(piece)) })
		})
		sizes(newBranching(h, true), first+4, func(piece []byte) { once = append(once, string(piece)) })
		if len(once) != len(twice) {
			t.Fatalf("%d subtasks in two cuts, %d in one", len(twice), len(once))
		}
		for i := range once {
			if once[i] != twice[i] {
				t.Fatalf("subtask %d differs: %x, %x", i, twice[i], once[i])
			}
		}
	})
}

func FuzzBranchingAccept(f *testing.F) {
	h := Halving{Nodes: 300, Sigma: 0.3, Law: Beta}
	piece, _ := newBranching(h, true).Split(nil)
	f.Add(piece)
	f.Add(make([]byte, 24))
	f.Fuzz(func(t *testing.T, piece []byte) {
		b := newBranching(h, false)
		if b.Accept(piece) != nil {
			if !b.Empty() {
				t.Error("the share is not empty after it has refused a piece")
			}
			return
		}
		nodes, got := b.Left(), int64(0)
		for !b.Empty() {
			if half, ok := b.Split(nil); ok {
				sub := newBranching(h, false)
				if err := sub.Accept(half); err != nil {
					t.Fatal(err)
				}
				got += sub.Left()
			}
			got += int64(b.Expand(5))
		}
		if got != nodes || nodes < 1 || nodes > h.Nodes {
			t.Errorf("%d nodes of %d", got, nodes)
		}
	})
}
