package cubes_test

import (
	"testing"

	"treesplit/sat"
	"treesplit/sat/cubes"
	"treesplit/sat/ruletest"
	"treesplit/search"
)

// A piece that was damaged on the way is refused and leaves the share empty, or it is a part of the
// tree. A share that is to repeat nodes which the tree does not have becomes empty.
func FuzzPieces(f *testing.F) {
	formula := ruletest.MakeFamily(f, "php", 0, "n=4")
	for _, shared := range []bool{false, true} {
		rule := cubes.New(formula, cubes.Options{Cut: cubes.Cut{Anchor: 4, Cube: 6}, Budget: 3, Shared: shared})
		for steps := range 40 {
			s := newShare(rule, true)
			if s.Expand(steps + 1); !s.Empty() {
				f.Add(s.Pack(nil), shared)
			}
		}
	}
	f.Fuzz(func(t *testing.T, piece []byte, shared bool) {
		s := newShare(cubes.New(formula, cubes.Options{Cut: cubes.Cut{Anchor: 4, Cube: 6}, Budget: 3, Shared: shared}), false)
		if err := s.Accept(piece); err != nil {
			if !s.Empty() {
				t.Fatalf("the share is not empty after: %v", err)
			}
			return
		}
		if size := search.SizeOf(s); !search.IsSoundWeight(size.Weight) || size.Open < 1 {
			t.Fatalf("the size is %+v", size)
		}
		again := s.Pack(nil)
		if err := s.Accept(again); err != nil {
			t.Fatalf("the piece goes out as %x: %v", again, err)
		}
		for !s.Empty() {
			s.Expand(100)
		}
		if s.Model() != nil {
			t.Fatal("a model of an unsatisfiable formula")
		}
	})
}

func newShare(rule sat.Rule, root bool) *sat.Search {
	return sat.NewSearch(rule, sat.Options{Splitting: search.DefaultSplitting, Root: root})
}
