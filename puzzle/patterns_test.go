package puzzle

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"
)

// fives are the pattern databases that the tests share.
var fives = sync.OnceValues(func() (*Patterns, error) { return NewPatterns(FiveFiveFive) })

func patterns(t testing.TB) *Patterns {
	t.Helper()
	p, err := fives()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestNewPatterns(t *testing.T) {
	for name, groups := range map[string][][]uint8{
		"no groups":      nil,
		"a tile missing": {{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}, {11, 12, 13, 14}},
		"a tile twice":   {{1, 2, 3, 4, 5}, {5, 6, 7, 8, 9, 10}, {11, 12, 13, 14, 15}},
		"the blank":      {{0, 1, 2, 3, 4}, {6, 7, 8, 9, 10, 5}, {11, 12, 13, 14, 15}},
		"too large":      {{1, 2, 3, 4, 5, 6, 7, 8, 9}, {10, 11}, {12, 13, 14, 15}},
		"too many":       {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12, 13, 14, 15}},
		"an empty group": {{1, 2, 3, 4, 5}, {}, {6, 7, 8, 9, 10, 11}},
	} {
		if _, err := NewPatterns(groups); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := New(SolvedBoard(Size{3, 3}, BlankFirst), patterns(t)); err == nil {
		t.Error("pattern databases serve 3x3")
	}
	for _, name := range []string{"md", "wd", "pdb"} {
		if h, err := NewHeuristic(name, Size{4, 4}); err != nil || h.String() != name {
			t.Errorf("%s: %v, %v", name, h, err)
		}
	}
	for name, size := range map[string]Size{"pdb": {3, 3}, "pdb78": {3, 3}, "wd": {5, 5}, "zd": {4, 4}} {
		if _, err := NewHeuristic(name, size); err == nil {
			t.Errorf("%s serves %v", name, size)
		}
	}
}

// The groups of a name part the tiles, and no others have any.
func TestPatternGroups(t *testing.T) {
	for _, name := range HeuristicNames {
		groups, err := PatternGroups(name, Size{4, 4})
		if (err == nil) != strings.HasPrefix(name, "pdb") {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			if _, err := newEmptyPatterns(groups); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if got := patterns(t).TileGroups(); !reflect.DeepEqual(got, FiveFiveFive) {
		t.Errorf("the groups are %v, want %v", got, FiveFiveFive)
	}
}

// The table of a small group is what Bellman and Ford's relaxation makes of all states
// (cells of the tiles and of the blank), and keys with two tiles in a cell are in it
// unreached.
func TestPatternTable(t *testing.T) {
	g := newGrid(Size{4, 4})
	tiles := []uint8{7, 2}
	table := newPatternTable(tiles)
	const far = 250
	cost := make([]uint8, 1<<12)
	for i := range cost {
		cost[i] = far
	}
	cost[2<<4|7] = 0
	for changed := true; changed; {
		changed = false
		for state := range 1 << 12 {
			a, b, blank := state&15, state>>4&15, state>>8
			for m := Up; m <= Down; m++ {
				if cost[state] == far || !g.legal[blank][noMove].containsMove(m) {
					continue
				}
				to, next, paid := int(g.to[blank][m]), 0, uint8(1)
				switch to {
				case a:
					next = to<<8 | b<<4 | blank
				case b:
					next = to<<8 | blank<<4 | a
				default:
					next, paid = to<<8|b<<4|a, 0
				}
				if cost[state]+paid < cost[next] {
					cost[next], changed = cost[state]+paid, true
				}
			}
		}
	}
	for key, d := range table.distance {
		want := uint8(far)
		for blank := range 16 {
			want = min(want, cost[blank<<8|key])
		}
		if want == far {
			want = unreached
		}
		if d != want {
			t.Fatalf("tile 7 in cell %d and tile 2 in cell %d: %d moves, want %d", key&15, key>>4, d, want)
		}
		if (want == unreached) != (key&15 == key>>4) {
			t.Fatalf("placement %x is reached in %d moves", key, want)
		}
	}
}

// The sum is at least Manhattan distance and at most the true distance, and a board
// and its mirror image have the same.
func TestPatternsAreBetween(t *testing.T) {
	better := 0
	for b, d := range distances(SolvedBoard(Size{4, 4}, BlankFirst), 11) {
		h := problem(t, b, patterns(t)).RootEstimate()
		if md := manhattan(b); h < md || h > d || (d-h)%2 != 0 {
			t.Fatalf("%v: pattern databases %d, Manhattan distance %d, true distance %d", b, h, md, d)
		} else if h > md {
			better++
		}
	}
	if better == 0 {
		t.Error("never better than Manhattan distance")
	}
	rng := rand.New(rand.NewPCG(19, 20))
	for range 100 {
		b := stroll(rng, Size{4, 4}, 100)
		if b.goal == BlankLast {
			b = b.rotated180()
		}
		m := b
		for cell := range 16 {
			m.tiles[mirroredCell(cell)] = uint8(mirroredCell(int(b.tiles[cell])))
		}
		if x, y := problem(t, b, patterns(t)).RootEstimate(), problem(t, m, patterns(t)).RootEstimate(); x != y {
			t.Fatalf("%v: %d, and mirrored %d", b, x, y)
		}
	}
}

// Optimal lengths and the number of optimal solutions do not depend on the heuristic.
func TestPatternsKorf(t *testing.T) {
	searched := 0
	for _, k := range korf(t) {
		if !whole() && k.korf > 20_000_000 {
			continue
		}
		searched++
		r := solve(t, k.board, patterns(t), Options{Bulk: DefaultBulk, All: k.oracle != nil})
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
