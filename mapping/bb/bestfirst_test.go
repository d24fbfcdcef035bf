package bb

import (
	"math/rand/v2"
	"testing"
)

// Best first finds the optimum in any memory. Its lower bound is always valid and never falls.
func TestBestFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(40, 1))
	for run := range 1500 {
		p := tiny(rng, 7)
		best := optimum(p, nil)
		in, err := New(p, Options{Numbered: rng.IntN(4) == 0})
		if err != nil {
			t.Fatal(err)
		}
		room := []int{0, 1, 3, 10, 30, 1000}[rng.IntN(6)]
		b := in.NewBestFirst(room)
		for last := int64(0); !b.Empty(); {
			lower, limit := b.LowerBound(), 1+rng.IntN(20)
			if n := b.Expand(limit); lower > best || lower < last || n > limit || len(b.open) > max(room, 1) {
				t.Fatalf("run %d, room %d: bound %d after %d where the optimum is %d, %d nodes of %d, %d open", run, room, lower, last, best, n, limit, len(b.open))
			}
			last = lower
		}
		m, value, ok := b.BestFoundMap()
		if !ok || value != best || p.EvaluateMap(m).Makespan != best || b.LowerBound() != best || b.Bound() != best || b.Expand(5) != 0 {
			t.Fatalf("run %d, room %d: %v takes %d, bound %d; the optimum is %d: %+v", run, room, m, value, b.LowerBound(), best, p)
		}
	}
}

// With enough room it expands every node whose bound is below the optimum, and no node whose
// bound is above it.
func TestBestFirstExpandsTheLeast(t *testing.T) {
	for seed := range uint64(20) {
		p := graph(rand.New(rand.NewPCG(41, seed)), 12, 3, 2, 15)
		best := solve(t, p, Options{}).Makespan
		least, most := solve(t, p, Options{Count: true, Upper: best}).Expanded, solve(t, p, Options{Count: true, Upper: best + 1}).Expanded
		in, err := New(p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		b := in.NewBestFirst(1 << 20)
		if n := int64(b.Expand(1 << 30)); n < least || n > most || n != b.Counts().Expanded {
			t.Errorf("seed %d: %d nodes, want %d to %d", seed, n, least, most)
		}
	}
}
