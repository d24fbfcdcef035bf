package search_test

import (
	"testing"

	"treesplit/internal/explore"
	"treesplit/lb"
	"treesplit/search"
)

// bare is a share with the methods of search.Work only.
type bare struct{ search.Work }

// A wrapper has the capabilities of the inner share and no others.
func TestWrappersClaimNothing(t *testing.T) {
	shape := explore.Shape{Seed: 1, Depth: 6, Width: 3, Values: true}
	toy := func() search.Work { return explore.NewToy(shape, false) }
	poor := func() search.Work { return bare{toy()} }
	damaged := func(fresh func() search.Work) search.Work { return search.NewDamaged(fresh(), 0.2, fresh) }
	resumed := func(w search.Work) search.Work { return search.NewResumed(w, nil, nil, false) }
	const all = "decider optimiser sizer subtasker bisecter packer"
	for _, c := range []struct {
		name string
		w    search.Work
		can  string
	}{
		{"a share", toy(), all},
		{"a poor share", poor(), ""},
		{"a damaged share", damaged(toy), "decider optimiser sizer bisecter"},
		{"a poor damaged share", damaged(poor), ""},
		{"a resumed share", resumed(toy()), all},
		{"a poor resumed share", resumed(poor()), "bisecter packer"}, // of its own pieces
		{"a resumed damaged share", resumed(damaged(toy)), "decider optimiser sizer bisecter packer"},
		{"a share of parts", lb.AcceptParts(toy()), "decider optimiser sizer subtasker packer"},
		{"a damaged share of parts", damaged(func() search.Work { return lb.AcceptParts(toy()) }), "decider optimiser sizer"},
	} {
		got := ""
		for _, f := range []struct {
			name string
			has  bool
		}{
			{"decider", search.HasCapability[search.Decider](c.w)},
			{"optimiser", search.HasCapability[search.Optimiser](c.w)},
			{"sizer", search.HasCapability[search.Sizer](c.w)},
			{"subtasker", search.HasCapability[search.Subtasker](c.w)},
			{"bisecter", search.HasCapability[search.Bisecter](c.w)},
			{"packer", search.HasCapability[search.Packer](c.w)},
		} {
			if f.has && got != "" {
				got += " "
			}
			if f.has {
				got += f.name
			}
		}
		if got != c.can {
			t.Errorf("%s: %q, expected %q", c.name, got, c.can)
		}
		if n := testing.AllocsPerRun(10, func() { search.Decided(c.w); search.BoundOf(c.w); search.SizeOf(c.w) }); n != 0 {
			t.Errorf("%s: %v allocations", c.name, n)
		}
	}
}
