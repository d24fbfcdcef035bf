package puzzle

import (
	"math/rand/v2"
	"testing"
)

// walking builds the tables for a size.
func walking(t testing.TB, size Size) *Walking {
	t.Helper()
	w, err := NewWalking(size)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// The table of 4x4 has as many patterns as Takahashi's.
func TestWalkingPatterns(t *testing.T) {
	if n := len(walking(t, Size{4, 4}).rows.distance); n != 24_964 {
		t.Errorf("%d patterns, want 24964", n)
	}
	if _, err := NewWalking(Size{3, 5}); err == nil {
		t.Error("walking distance serves 3x5")
	}
	if _, err := New(Solved(Size{3, 3}, BlankFirst), walking(t, Size{4, 4})); err == nil {
		t.Error("the tables for 4x4 serve 3x3")
	}
}

// Walking distance is at least Manhattan distance and at most the true distance.
func TestWalkingIsBetween(t *testing.T) {
	for _, size := range []Size{{2, 2}, {2, 3}, {3, 2}, {2, 4}, {3, 3}} {
		w := walking(t, size)
		better, boards := 0, 0
		for b, d := range distances(Solved(size, BlankFirst), 1000) {
			if boards++; size.Cells() == 9 && boards%20 != 0 {
				continue
			}
			h := problem(t, b, w).Estimate()
			if md := manhattan(b); h < md || h > d || (d-h)%2 != 0 {
				t.Fatalf("%v: walking distance %d, Manhattan distance %d, true distance %d", b, h, md, d)
			} else if h > md {
				better++
			}
		}
		if better == 0 && size != (Size{2, 2}) {
			t.Errorf("%v: never better than Manhattan distance", size)
		}
	}
}

// Optimal lengths and the number of optimal solutions do not depend on the heuristic.
func TestWalkingKorf(t *testing.T) {
	w := walking(t, Size{4, 4})
	searched := 0
	for _, k := range korf(t) {
		if !whole() && k.korf > 20_000_000 {
			continue
		}
		searched++
		r := solve(t, k.board, w, Options{Bulk: DefaultBulk, All: k.oracle != nil})
		if r.Length() != k.length {
			t.Errorf("#%d: %d moves, want %d", k.id, r.Length(), k.length)
		}
		if last := r.Iterations[len(r.Iterations)-1]; k.oracle != nil && last.Solutions != k.oracle.full.Solutions {
			t.Errorf("#%d: %d solutions, want %d", k.id, last.Solutions, k.oracle.full.Solutions)
		}
	}
	if searched < 15 {
		t.Errorf("only %d instances", searched)
	}
}

// heuristics are all that serve a size.
func heuristics(t testing.TB, size Size) []Heuristic {
	t.Helper()
	all := []Heuristic{Manhattan{}, cellByCell{}}
	if max(size.Rows, size.Cols) <= maxWalkingSide {
		all = append(all, walking(t, size))
	}
	return all
}

// Every heuristic's search is what its definition says, node by node, with the
// estimate of each board computed anew.
func TestSearchIsItsDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for _, size := range []Size{{4, 4}, {3, 3}, {2, 4}, {4, 2}, {3, 5}} {
		for _, h := range heuristics(t, size) {
			for range 4 {
				b := stroll(rng, size, 30)
				b.goal = BlankFirst
				if b.Solvable() != nil {
					b = b.turned()
					b.goal = BlankFirst
				}
				if b.Solvable() != nil {
					continue
				}
				p := problem(t, b, h)
				bound := p.Estimate() + 2*rng.IntN(3)
				var want Counts
				define(t, &want, b, h, noMove, bound)
				for _, bulk := range []int{0, 2} {
					s := share(t, p, bound, Options{Root: true, All: true, Bulk: bulk})
					for !s.Empty() {
						s.Expand(100)
					}
					if s.Counts() != want {
						t.Fatalf("%v, %v with bound %d and bulk %d: %v, want %v", b, h, bound, bulk, s.Counts(), want)
					}
				}
			}
		}
	}
}

// define adds what a search from a board counts whose estimate is within the bound.
func define(t *testing.T, c *Counts, b Board, h Heuristic, last Move, bound int) {
	if b.Solved() {
		c.Solutions++
		return
	}
	c.Expanded++
	for m := Up; m <= Down; m++ {
		child, err := b.Replay([]Move{m})
		if err != nil || last != noMove && m == last.turned() {
			continue
		}
		c.Generated++
		if problem(t, child, h).Estimate() <= bound-1 {
			define(t, c, child, h, m, bound-1)
		}
	}
}
