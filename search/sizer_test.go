package search_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"treesplit/internal/explore"
	"treesplit/search"
)

// left divides a tree that has been begun and returns its pieces and their weight.
func left(t *rapid.T, shape explore.Shape) (pieces [][]byte, weight float64) {
	w := explore.NewToy(shape, true)
	w.Expand(rapid.IntRange(1, 60).Draw(t, "begun"))
	weight = w.Weight()
	for range rapid.IntRange(0, 6).Draw(t, "pieces") {
		if p, ok := w.Split(nil); ok {
			pieces = append(pieces, p)
		}
	}
	search.TakeRemaining(w, func(p []byte) { pieces = append(pieces, p) })
	return pieces, weight
}

// Shares of a search that resumes from pieces have together the weight of the pieces, in
// whatever way they share them, less the weight of closed nodes. The same holds for damaged
// shares and for parts of the pieces.
func TestForestsWeigh(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := explore.Shape{Seed: rapid.Uint64Range(0, 300).Draw(t, "tree"), Depth: 9, Width: 3}
		pieces, whole := left(t, shape)
		sizes, err := search.CheckPieces(explore.NewToy(shape, false), pieces)
		if err != nil {
			t.Fatal(err)
		}
		fresh := func() search.Work { return explore.NewToy(shape, false) }
		damaged := rapid.Bool().Draw(t, "damaged")
		shares := make([]*search.Resumed, 4)
		for i := range shares {
			w := fresh()
			if damaged {
				w = search.NewDamaged(w, 0.1, fresh)
			}
			shares[i] = search.NewResumed(w, pieces, sizes, i == 0)
		}
		sum := func() (all float64) {
			for _, s := range shares {
				if size := search.SizeOf(s); s.Empty() != (size == search.Size{}) {
					t.Fatalf("a share has size %v, empty %v", size, s.Empty())
				}
				all += search.WeightOf(s)
			}
			return all
		}
		if got := sum(); math.Abs(got-whole) > 1e-12 {
			t.Fatalf("%d pieces weigh %v, want %v", len(pieces), got, whole)
		}
		for range 60 {
			from, to := rapid.IntRange(0, 3).Draw(t, "from"), rapid.IntRange(0, 3).Draw(t, "to")
			before := sum()
			if n := rapid.IntRange(0, 9).Draw(t, "nodes"); n > 0 {
				if shares[from].Expand(n); sum() > before+1e-12 {
					t.Fatalf("the weight is %v after %v", sum(), before)
				}
				continue
			}
			if from == to || !shares[to].Empty() {
				continue
			}
			piece, ok := shares[from].Split(nil)
			if !ok {
				continue
			}
			if err := shares[to].Accept(piece); err != nil {
				t.Fatal(err)
			}
			if after := sum(); math.Abs(after-before) > 1e-12 {
				t.Fatalf("a split changed the weight from %v to %v", before, after)
			}
		}
		for _, s := range shares {
			for !s.Empty() {
				s.Expand(1000)
			}
		}
		if got := sum(); got != 0 {
			t.Fatalf("the weight is %v at the end", got)
		}
		parts := 0.0
		for n := range uint64(8) {
			shares[0].Bisect(3, n)
			parts += search.WeightOf(shares[0])
			search.TakeRemaining(shares[0], func([]byte) {})
		}
		if math.Abs(parts-whole) > 1e-12 {
			t.Fatalf("the parts weigh %v, want %v", parts, whole)
		}
	})
}
