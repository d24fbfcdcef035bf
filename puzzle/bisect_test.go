package puzzle

import (
	"math/rand/v2"
	"testing"

	"treesplit/search"
	"treesplit/search/replay"
)

// All parts of a tree together have the whole tree's counts, not only its size.
func TestCountsOfAllParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, c := range trees(t, 1000, 50_000) {
		for range 5 {
			k := rng.IntN(10)
			s := share(t, c.problem, c.bound, Options{Root: rng.IntN(2) == 0, All: true, Bulk: rng.IntN(4)})
			for part := range uint64(1) << k {
				before := s.Counts().Expanded
				if expanded, _ := s.Bisect(k, part); s.Counts().Expanded != before+int64(expanded) {
					t.Fatalf("part %d of 2^%d: %d nodes counted and %d returned", part, k, s.Counts().Expanded-before, expanded)
				}
				for s.Expand(1+rng.IntN(1000)) > 0 {
				}
			}
			if s.Counts() != c.counts {
				t.Errorf("all of 2^%d parts: %v, want %v", k, s.Counts(), c.counts)
			}
		}
	}
}

// A tree recorded from its shape equals the tree: it has the same size, and its shares are equal
// after all splits and parts.
func TestShape(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for _, c := range trees(t, 1000, 50_000) {
		shape, err := c.problem.Shape(c.bound)
		if err != nil {
			t.Fatal(err)
		}
		recorded, err := replay.RecordTree(shape, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if recorded.NodeCount() != c.counts.Expanded {
			t.Fatalf("%d nodes are recorded, want %d", recorded.NodeCount(), c.counts.Expanded)
		}
		s := search.Splitting{Rule: search.Rule(rng.IntN(2)), MinOpen: 1}
		live := []search.Bisecter{share(t, c.problem, c.bound, Options{Splitting: s, All: true}), recorded.Share(s, false)}
		for k := range 8 {
			sameParts(t, rng, live, k)
		}
	}
}

// sameParts compares two shares, part of a tree by part.
func sameParts(t *testing.T, rng *rand.Rand, live []search.Bisecter, k int) {
	t.Helper()
	for part := range uint64(1) << k {
		quantum := 1 + rng.IntN(300)
		var got [2][]int
		for i, w := range live {
			e, r := w.Bisect(k, part)
			got[i] = append(got[i], e, r)
			for !w.Empty() {
				got[i] = append(got[i], w.Expand(quantum))
				if _, ok := w.Split(nil); ok {
					got[i] = append(got[i], -1)
				}
			}
		}
		if len(got[0]) != len(got[1]) {
			t.Fatalf("part %d of 2^%d: %v and %v", part, k, got[0], got[1])
		}
		for i := range got[0] {
			if got[0][i] != got[1][i] {
				t.Fatalf("part %d of 2^%d: %v and %v", part, k, got[0], got[1])
			}
		}
	}
}
