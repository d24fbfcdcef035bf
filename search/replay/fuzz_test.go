package replay

import (
	"testing"

	"treesplit/search"
)

// FuzzAccept: an invalid piece is refused and leaves the share empty. An accepted piece can be
// split, packed and searched to its end, and holds the number of nodes that NodesInPiece
// returns.
func FuzzAccept(f *testing.F) {
	numbers := []int{3, 0, 2, 4, 0, 0, 1, 0, 0, 0, 2, 1, 0, 3, 0, 0, 0}
	tree, err := RecordTree(search.Shape{Batch: 1, Children: func(yield func(int) bool) {
		for _, n := range numbers {
			if !yield(n) {
				return
			}
		}
	}}, 1000)
	if err != nil {
		f.Fatal(err)
	}
	split := search.Splitting{Rule: search.Half, MinOpen: 1}
	w := tree.Share(split, true)
	f.Add(tree.Share(split, true).Pack(nil))
	w.Expand(6)
	piece, _ := w.Split(nil)
	f.Add(piece)
	f.Add(w.Pack(nil))
	f.Add([]byte{1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, piece []byte) {
		w := tree.Share(split, false)
		if err := w.Accept(piece); err != nil {
			if !w.Empty() {
				t.Fatalf("the share is not empty after it has refused a piece (%v)", err)
			}
			return
		}
		want := tree.NodesInPiece(piece)
		if w.Left() != want || w.Empty() {
			t.Fatalf("%d nodes, empty %v: expected %d", w.Left(), w.Empty(), want)
		}
		got := int64(0)
		for !w.Empty() {
			got += int64(w.Expand(3))
			if p, ok := w.Split(nil); ok {
				got += tree.NodesInPiece(p)
			}
		}
		if got != want {
			t.Fatalf("%d nodes were expanded or given away of %d", got, want)
		}
	})
}
