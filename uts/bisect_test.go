package uts

import (
	"math/rand/v2"
	"testing"
)

// All parts of a tree together have the whole tree's result, not only its size.
func TestResultOfAllParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, c := range small {
		if c.want.Size > 50_000 {
			continue
		}
		for range 5 {
			k := rng.IntN(10)
			w := share(t, c.params, splitting, rng.IntN(2) == 0)
			for part := range uint64(1) << k {
				before := w.Result().Size
				if expanded, _ := w.Bisect(k, part); w.Result().Size != before+int64(expanded) {
					t.Fatalf("%s, part %d of 2^%d: %d nodes counted and %d returned", c.name, part, k, w.Result().Size-before, expanded)
				}
				for w.Expand(1+rng.IntN(1000)) > 0 {
				}
			}
			if w.Result() != c.want {
				t.Errorf("%s, all of 2^%d parts: %v, want %v", c.name, k, w.Result(), c.want)
			}
		}
	}
}

// The parts of a tree that is one chain: the first has it all, however deep.
func TestBisectAChain(t *testing.T) {
	const depth = 10_000
	w := share(t, balanced(depth, 1), splitting, false)
	for part, want := range []struct{ expanded, redundant int }{{depth + 1, 0}, {0, depth + 1}} {
		expanded, redundant := w.Bisect(1, uint64(part))
		if expanded != want.expanded || redundant != want.redundant || !w.Empty() {
			t.Errorf("part %d: %d and %d nodes, empty %v; want %+v", part, expanded, redundant, w.Empty(), want)
		}
	}
	if got, want := w.Result(), (Result{depth + 1, depth, 1}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}
