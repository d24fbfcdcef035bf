package replay_test

import (
	"slices"
	"testing"

	"treesplit/search"
	"treesplit/search/replay"
)

// node is a node of a tree, by definition.
type node struct{ children []*node }

// plant returns the tree with the given shape.
func plant(shape search.Shape) *node {
	root := new(node)
	missing := []**node{&root}
	for n := range shape.Children {
		at := missing[len(missing)-1]
		missing = missing[:len(missing)-1]
		*at = &node{make([]*node, n)}
		for i := n - 1; i >= 0; i-- {
			missing = append(missing, &(*at).children[i])
		}
	}
	return root
}

// size returns the number of nodes of a subtree.
func (n *node) size() int {
	total := 1
	for _, c := range n.children {
		total += c.size()
	}
	return total
}

// parts is the definition of search.Bisecter, for all 2^k parts at once. It adds to the
// entries of dst, one per part, the counts that result from the run of siblings.
func parts(run []*node, dst []counted) {
	switch {
	case len(dst) == 1:
		for _, n := range run {
			dst[0].drained += n.size()
		}
	case len(run) == 1:
		dst[0].expanded++
		for i := range dst[1:] {
			dst[1+i].redundant++
		}
		parts(run[0].children, dst)
	case len(run) > 1:
		first := (len(run) + 1) / 2
		parts(run[:first], dst[:len(dst)/2])
		parts(run[first:], dst[len(dst)/2:])
	}
}

type counted struct{ expanded, redundant, drained int }

// Recorded trees have the parts of the definition, and so have the workloads themselves.
func TestPartsAreThoseOfTheDefinition(t *testing.T) {
	for _, w := range workloads(t) {
		root := plant(w.shape)
		shares := map[string]search.Work{
			"live":     w.share(search.DefaultSplitting, true),
			"replayed": w.record(t).Share(search.DefaultSplitting, true),
		}
		for _, k := range []int{0, 1, 2, 3, 7, 11} {
			want := make([]counted, 1<<k)
			parts([]*node{root}, want)
			for name, share := range shares {
				for part := range want {
					var got counted
					got.expanded, got.redundant = share.(search.Bisecter).Bisect(k, uint64(part))
					for !share.Empty() {
						got.drained += share.Expand(1 << 20)
					}
					if got != want[part] {
						t.Fatalf("%s %s: part %d of 2^%d is %+v, want %+v", w.name, name, part, k, got, want[part])
					}
				}
			}
		}
	}
}

// In a tree of one node, part 0 has the node. The packed tree is a piece of one node.
func TestLoneRoot(t *testing.T) {
	tree, err := replay.RecordTree(search.Shape{Children: slices.Values([]int{0}), Batch: 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	share := tree.Share(search.DefaultSplitting, true)
	for part, want := range []counted{{1, 0, 0}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0}} {
		var got counted
		got.expanded, got.redundant = share.Bisect(2, uint64(part))
		if got != want || !share.Empty() {
			t.Errorf("part %d: %+v, empty %v; want %+v", part, got, share.Empty(), want)
		}
	}
	piece := tree.Share(search.DefaultSplitting, true).Pack(nil)
	if n := tree.NodesInPiece(piece); n != 1 {
		t.Errorf("NodesInPiece returns %d for the packed tree", n)
	}
	if err := share.Accept(piece); err != nil || share.Left() != 1 || share.Expand(10) != 1 {
		t.Errorf("the packed tree is refused: %v", err)
	}
}
