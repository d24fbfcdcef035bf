package search

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// levels is a stack given by its open alternatives; level l has depth l+1.
type levels []int

func (s levels) Levels() int     { return len(s) }
func (s levels) Open(l int) int  { return s[l] }
func (s levels) Depth(l int) int { return l + 1 }

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		name  string
		split Splitting
		stack levels
		want  []Cut
	}{
		{"half takes every other one", Splitting{Rule: Half, MinOpen: 1}, levels{1, 1, 1, 0, 1}, []Cut{{0, 1}, {2, 1}}},
		{"half takes the larger half", Splitting{Rule: Half, MinOpen: 1}, levels{0, 5, 2}, []Cut{{1, 3}, {2, 1}}},
		{"bottom takes the one nearest to the root", Splitting{Rule: Bottom, MinOpen: 1}, levels{0, 5, 2}, []Cut{{1, 1}}},
		{"skip passes over the ones nearest to the root", Splitting{Rule: Bottom, MinOpen: 1, Skip: 5}, levels{0, 5, 2, 1}, []Cut{{2, 1}}},
		{"skip leaves something to give", Splitting{Rule: Bottom, MinOpen: 1, Skip: 50}, levels{0, 5, 2, 0}, []Cut{{2, 1}}},
		{"skip stays above the cutoff", Splitting{Rule: Bottom, MinOpen: 1, Skip: 50, Cutoff: 3}, levels{0, 5, 2, 1}, []Cut{{1, 1}}},
		{"too little work", Splitting{Rule: Bottom, MinOpen: 4}, levels{0, 1, 2}, nil},
		{"just enough work", Splitting{Rule: Bottom, MinOpen: 3}, levels{0, 1, 2}, []Cut{{1, 1}}},
		{"all too deep", Splitting{Rule: Half, MinOpen: 1, Cutoff: 2}, levels{0, 1, 2}, nil},
		{"cutoff leaves the shallow ones", Splitting{Rule: Half, MinOpen: 1, Cutoff: 2}, levels{2, 1, 2}, []Cut{{0, 1}}},
		{"nothing open", Splitting{Rule: Half, MinOpen: 1}, levels{0, 0}, nil},
		{"no levels", Splitting{Rule: Bottom}, nil, nil},
	} {
		got, ok := c.split.ChooseCuts(c.stack, nil)
		if ok != (c.want != nil) || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v %v, want %v", c.name, got, ok, c.want)
		}
	}
}

// Half gives half of the alternatives above the cutoff, rounded up, and never more
// alternatives of a level than there are.
func TestHalfGivesHalf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stack := levels(rapid.SliceOfN(rapid.IntRange(0, 9), 0, 40).Draw(t, "open"))
		cutoff := rapid.IntRange(0, 45).Draw(t, "cutoff")
		reachable := 0
		for l, k := range stack {
			if cutoff == 0 || stack.Depth(l) < cutoff {
				reachable += k
			}
		}
		cuts, ok := Splitting{Rule: Half, MinOpen: 1, Cutoff: cutoff}.ChooseCuts(stack, nil)
		if ok != (reachable > 0) {
			t.Fatalf("ok = %v with %d open alternatives", ok, reachable)
		}
		given := 0
		for i, c := range cuts {
			if c.Count < 1 || c.Count > stack[c.Level] || i > 0 && cuts[i-1].Level >= c.Level {
				t.Fatalf("cut %v of %v is invalid", cuts, stack)
			}
			given += c.Count
		}
		if given != (reachable+1)/2 {
			t.Fatalf("Half gives %d of %d alternatives: %v of %v", given, reachable, cuts, stack)
		}
	})
}

func TestParseRule(t *testing.T) {
	for _, r := range []Rule{Half, Bottom} {
		if got, err := ParseRule(r.String()); err != nil || got != r {
			t.Errorf("ParseRule(%q) = %v, %v", r, got, err)
		}
	}
	if _, err := ParseRule("top"); err == nil {
		t.Error(`ParseRule accepts "top"`)
	}
}
