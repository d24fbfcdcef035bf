package explore

import (
	"testing"

	"treesplit/search"
	"treesplit/search/searchtest"
)

func TestToyConforms(t *testing.T) {
	shape := Shape{Seed: 6, Depth: 9, Width: 4}
	searchtest.Run(t,
		func() search.Work { return NewToy(shape, true) },
		func() search.Work { return NewToy(shape, false) }, int64(shape.CountNodes()))
}

// A witness on the way to a part decides the share it belongs to and no other.
func TestToyBisectDecides(t *testing.T) {
	const k = 4
	for seed := range uint64(200) {
		shape := Shape{Seed: seed, Depth: 6, Width: 3, Find: 2}
		blind := shape
		blind.Find = 0
		rootDecides := NewToy(shape, true).expandLast()
		for part := range uint64(1 << k) {
			toy, want := NewToy(shape, false), NewToy(blind, false)
			own, others := toy.Bisect(k, part)
			wantOwn, wantOthers := want.Bisect(k, part)
			if own != wantOwn || others != wantOthers || toy.Open() != want.Open() {
				t.Fatalf("seed %d part %d: %d and %d nodes, %d open; without witnesses %d and %d, %d open",
					seed, part, own, others, toy.Open(), wantOwn, wantOthers, want.Open())
			}
			if own == 0 && toy.Decided() || part == 0 && rootDecides && !toy.Decided() {
				t.Fatalf("seed %d part %d with %d nodes of its own: decided %v, the root a witness %v", seed, part, own, toy.Decided(), rootDecides)
			}
		}
	}
}
