package puzzle

import (
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
	if _, err := New(SolvedBoard(Size{3, 3}, BlankFirst), walking(t, Size{4, 4})); err == nil {
		t.Error("the tables for 4x4 serve 3x3")
	}
}

// Walking distance is at least Manhattan distance and at most the true distance.
func TestWalkingIsBetween(t *testing.T) {
	for _, size := range []Size{{2, 2}, {2, 3}, {3, 2}, {2, 4}, {3, 3}} {
		w := walking(t, size)
		better, boards := 0, 0
		for b, d := range distances(SolvedBoard(size, BlankFirst), 1000) {
			if boards++; size.CellCount() == 9 && boards%20 != 0 {
				continue
			}
			h := problem(t, b, w).RootEstimate()
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
		if r.SolutionLength() != k.length {
			t.Errorf("#%d: %d moves, want %d", k.id, r.SolutionLength(), k.length)
		}
		if last := r.Iterations[len(r.Iterations)-1]; k.oracle != nil && last.Solutions != k.oracle.full.Solutions {
			t.Errorf("#%d: %d solutions, want %d", k.id, last.Solutions, k.oracle.full.Solutions)
		}
	}
	if searched < 15 {
		t.Errorf("only %d instances", searched)
	}
}
