package search_test

import (
	"testing"

	"treesplit/internal/explore"
	"treesplit/search"
)

// All shares of a damaged share, including shares that are made later, know the least value
// that any of them has found or received.
func TestDamagedKnowsBounds(t *testing.T) {
	for seed := range uint64(50) {
		shape := explore.Shape{Seed: seed, Depth: 9, Width: 4, Values: true}
		d := search.NewDamaged(explore.NewToy(shape, true), 0.2, func() search.Work { return explore.NewToy(shape, false) })
		if search.BoundOf(d) != search.NoBound {
			t.Fatalf("seed %d: the first bound is %d", seed, search.BoundOf(d))
		}
		shares := 0
		check := func(told int64) {
			t.Helper()
			least := int64(search.NoBound)
			shares = 0
			search.Each(d, func(w search.Work) { least = min(least, w.(*explore.Toy).Bound()); shares++ })
			if search.BoundOf(d) != min(least, told) {
				t.Fatalf("seed %d: the bound is %d, the least bound of its shares %d", seed, search.BoundOf(d), least)
			}
		}
		for range 30 {
			d.Expand(7)
			d.Split(nil)
			check(search.NoBound)
		}
		const told = -5
		search.TightenTo(d, told)
		for range 30 {
			d.Expand(7)
			d.Split(nil)
			check(told)
			search.Each(d, func(w search.Work) {
				if b := w.(*explore.Toy).Bound(); b != told {
					t.Fatalf("seed %d: a share has the bound %d, want %d", seed, b, told)
				}
			})
		}
		for !d.Empty() {
			d.Expand(100)
		}
		check(told)
		if shares < 2 && shape.CountNodes() > 200 {
			t.Errorf("seed %d: there are %d shares for %d nodes", seed, shares, shape.CountNodes())
		}
	}
}
