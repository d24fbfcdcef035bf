package model

import (
	"bytes"
	"testing"

	"treesplit/search"
	"treesplit/search/searchtest"
)

func newThorny(branches, thorns int, crown int64, root bool) *Thorny {
	t, err := NewThorny(branches, thorns, crown, root)
	if err != nil {
		panic(err)
	}
	return t
}

func TestThornyConformance(t *testing.T) {
	for _, c := range []struct {
		branches, thorns int
		crown            int64
	}{{8, 40, 500}, {1, 2000, 1}, {32, 0, 100}, {20, 70, 30}} {
		searchtest.Run(t,
			func() search.Work { return newThorny(c.branches, c.thorns, c.crown, true) },
			func() search.Work { return newThorny(c.branches, c.thorns, c.crown, false) },
			int64(c.branches)*(int64(c.thorns)+c.crown))
	}
}

func TestNewThornyRefuses(t *testing.T) {
	for _, c := range []struct{ branches, thorns, crown int64 }{{0, 1, 5}, {1 << 31, 1, 5}, {1, -1, 5}, {1, 1 << 31, 5}, {1, 1, 0}, {2, 1, 1 << 61}} {
		if _, err := NewThorny(int(c.branches), int(c.thorns), c.crown, true); err == nil {
			t.Errorf("%d branches with %d thorns and crowns of %d nodes are accepted", c.branches, c.thorns, c.crown)
		}
	}
}

// Branches are halved first. Then every split gives away one thorn, and the crown is split after the
// last thorn. Reference: section 6.1, figure 3.
func TestThornyGivesAllThornsFirst(t *testing.T) {
	const branches, thorns, crown = 8, 20, 1000
	holder := newThorny(branches, thorns, crown, true)
	for want := int64(branches / 2); want > 0; want /= 2 {
		piece, ok := holder.Split(nil)
		if !ok || NodesInPiece(piece) != want*(thorns+crown) {
			t.Fatalf("a piece of %d nodes: expected %d branches", NodesInPiece(piece), want)
		}
	}
	for range thorns {
		if piece, ok := holder.Split(nil); !ok || NodesInPiece(piece) != 1 {
			t.Fatalf("a piece of %d nodes: expected a thorn", NodesInPiece(piece))
		}
	}
	if piece, ok := holder.Split(nil); !ok || NodesInPiece(piece) != crown/2 || holder.Left() != crown/2 {
		t.Errorf("the crown splits into %d and %d nodes", NodesInPiece(piece), holder.Left())
	}
}

// An accepted piece has the number of nodes that it encodes, and is packed unchanged.
func FuzzThornyAccept(f *testing.F) {
	f.Add(newThorny(6, 5, 100, true).Pack(nil))
	piece, _ := newThorny(6, 5, 100, true).Split(nil)
	f.Add(piece)
	f.Add(make([]byte, 16))
	f.Add(bytes.Repeat([]byte{0xff}, 16))
	f.Fuzz(func(t *testing.T, piece []byte) {
		share := newThorny(6, 5, 100, false)
		if err := share.Accept(piece); err != nil {
			if !share.Empty() {
				t.Fatalf("the share is not empty after it has refused a piece (%v)", err)
			}
			return
		}
		nodes := NodesInPiece(piece)
		if nodes < 1 || share.Left() != nodes || share.Left() > 6*105 {
			t.Fatalf("%d nodes in the share, %d in the piece", share.Left(), nodes)
		}
		given, ok := share.Split(nil)
		kept := NodesInPiece(share.Pack(nil))
		if ok {
			kept += NodesInPiece(given)
		}
		if kept != nodes {
			t.Fatalf("%d nodes became %d", nodes, kept)
		}
	})
}
