package bb

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"treesplit/mapping"
	"treesplit/search"
	"treesplit/search/searchtest"
)

// With a fixed bound the tree is the same for all orders, splits and worlds: the suite of all
// workloads applies. Upper is the optimum, or a little more so that maps are found on the way.
func TestConforms(t *testing.T) {
	for _, c := range []struct {
		n, p, arcs int
		size, more int64 // more: Upper above the optimum, in per cent
		options    Options
	}{
		{18, 3, 1, 10, 0, Options{}},
		{14, 4, 2, 20, 7, Options{}},
		{11, 4, 3, 20, 3, Options{Numbered: true, Symmetric: true}},
		{10, 3, 2, 20, 4, Options{Bound: Costliest, Order: Given}},
		{14, 3, 2, 12, 8, Options{Bound: Printed}},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			p := graph(rand.New(rand.NewPCG(5, 1)), c.n, c.p, c.arcs, c.size)
			for i := range p.Arcs {
				p.Arcs[i].Proxy = int32(i%5) - 2
				p.Arcs[i].Proxy = max(p.Arcs[i].Proxy, mapping.NoProxy)
			}
			best := solve(t, p, Options{}).Makespan
			c.options.Upper, c.options.Count = best+best*c.more/100, true
			in, err := New(p, c.options)
			if err != nil {
				t.Fatal(err)
			}
			share := func(root bool) func() search.Work {
				return func() search.Work { return in.NewSearch(search.Splitting{Rule: search.Half, MinOpen: 2}, root) }
			}
			w := int64(share(true)().Expand(1 << 30))
			if w < 300 || w > 200_000 {
				t.Fatalf("W = %d: choose another problem", w)
			}
			t.Logf("W = %d", w)
			searchtest.Run(t, share(true), share(false), w)
		})
	}
}

// Shares that tell each other what they find keep the contract of optimisers.
func TestOptimises(t *testing.T) {
	p := graph(rand.New(rand.NewPCG(5, 1)), 18, 3, 1, 10)
	in, err := New(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	best := in.SolveSequentially(nil).Makespan
	fixed, err := New(p, Options{Upper: best, Count: true})
	if err != nil {
		t.Fatal(err)
	}
	splitting := search.Splitting{MinOpen: 1}
	searchtest.RunOptimiser(t,
		func() search.Work { return in.NewSearch(splitting, true) },
		func() search.Work { return in.NewSearch(splitting, false) },
		searchtest.Optimum{
			Least:    best,
			Expanded: int64(fixed.NewSearch(splitting, true).Expand(1 << 30)),
			Fixed:    func(root bool) search.Work { return fixed.NewSearch(splitting, root) },
			Witness:  places,
			Value: func(places []byte) (int64, error) {
				m := make(mapping.Map, len(places))
				for i, processor := range places {
					m[i] = int32(processor)
				}
				if err := p.CheckMap(m); err != nil {
					return 0, err
				}
				return p.EvaluateMap(m).Makespan, nil
			},
		})
}

// places returns the best map of a share, one byte per object.
func places(w search.Work) (all []byte) {
	m, _, _ := w.(*Search).BestFoundMap()
	for _, processor := range m {
		all = append(all, byte(processor))
	}
	return all
}

func solve(t testing.TB, p *mapping.Problem, o Options) Solved {
	t.Helper()
	in, err := New(p, o)
	if err != nil {
		t.Fatal(err)
	}
	return in.SolveSequentially(nil)
}

// Shares that split, send each other their bounds and end in any order together find the optimum,
// and the share with the best map returns it.
func TestSharesFindTheOptimum(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(6, seed))
		p := tiny(rng, 8)
		best := optimum(p, nil)
		in, err := New(p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		shares := []*Search{in.NewSearch(search.Splitting{MinOpen: 1}, true)}
		for range rng.IntN(5) {
			shares = append(shares, in.NewSearch(search.Splitting{MinOpen: 1}, false))
		}
		for busy := true; busy; {
			busy = false
			for _, s := range shares {
				from := shares[rng.IntN(len(shares))]
				switch rng.IntN(4) {
				case 0:
					if piece, ok := from.Split(nil); ok && s.Empty() {
						if err := s.Accept(piece); err != nil {
							t.Fatal(err)
						}
					} else if ok { // nobody to take it but who gave it
						again := in.NewSearch(search.Splitting{MinOpen: 1}, false)
						if err := again.Accept(piece); err != nil {
							t.Fatal(err)
						}
						shares = append(shares, again)
					}
				case 1:
					s.Tighten(from.Bound())
				default:
					s.Expand(1 + rng.IntN(20))
				}
				busy = busy || !s.Empty()
			}
		}
		found, witness := int64(None), false
		for _, s := range shares {
			found = min(found, s.Bound())
			if m, value, ok := s.BestFoundMap(); ok && p.EvaluateMap(m).Makespan != value {
				t.Fatalf("seed %d: %v is said to take %d and takes %d", seed, m, value, p.EvaluateMap(m).Makespan)
			} else if ok && value == best {
				witness = true
			}
		}
		if found != best || !witness {
			t.Fatalf("seed %d: found %d, witness %v, the optimum is %d", seed, found, witness, best)
		}
	}
}

// FuzzAccept gives a share arbitrary bytes. The share refuses them, or the result can be
// searched.
func FuzzAccept(f *testing.F) {
	in, err := New(graph(rand.New(rand.NewPCG(7, 1)), 10, 4, 2, 20), Options{})
	if err != nil {
		f.Fatal(err)
	}
	s := in.NewSearch(search.DefaultSplitting, true)
	s.Expand(5)
	if piece, ok := s.Split(nil); ok {
		f.Add(piece)
	}
	f.Add([]byte{pieceVersion})
	f.Add([]byte{pieceVersion, 2, 0, 1, 0, 0, 2, 2, 3})
	f.Fuzz(func(t *testing.T, piece []byte) {
		s := in.NewSearch(search.DefaultSplitting, false)
		if s.Accept(piece) != nil {
			if !s.Empty() || s.Expand(10) != 0 || s.state.sum != newState(in).sum {
				t.Error("something is left of a piece that was refused")
			}
			return
		}
		s.Expand(1000)
		if s.Empty() {
			return
		}
		again := in.NewSearch(search.DefaultSplitting, false)
		if err := again.Accept(s.Pack(nil)); err != nil {
			t.Errorf("a packed share is refused: %v", err)
		}
	})
}
