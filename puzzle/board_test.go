package puzzle

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text string
		size Size
		want string // the board as read, or a part of the error after "!"
	}{
		{"1 2 3 0", Size{}, "1 2 3 0"},
		{" 3,1, 2\n0\t", Size{}, "3 1 2 0"},
		{"5 4 3 2 1 0", Size{2, 3}, "5 4 3 2 1 0"},
		{"5 4 3 2 1 0", Size{3, 2}, "5 4 3 2 1 0"},
		{"", Size{}, "!the number of tiles is 0: expected 4, 9"},
		{"0", Size{}, "!the number of tiles is 1: expected 4, 9"},
		{"5 4 3 2 1 0", Size{}, "!the number of tiles is 6: expected 4, 9"},
		{"1 2 3 0", Size{2, 3}, "!the number of tiles is 4: expected 6"},
		{"1 2 3 0", Size{1, 4}, "!size 1x4"},
		{"1 2 three 0", Size{}, `!tile 3 is "three"`},
		{"1 2 4 0", Size{}, "!tile 4 is out of range: expected 0 to 3"},
		{"1 2 -1 0", Size{}, "!tile -1 is out of range"},
		{"1 1 2 0", Size{}, "!tile 1 occurs twice, tile 3 is missing"},
		{"1 2 3 3", Size{}, "!tile 0 is missing, tile 3 occurs twice"},
		{"1 1 1 0", Size{}, "!tile 1 occurs 3 times, tile 2 is missing, tile 3 is missing"},
	} {
		b, err := ParseBoard(c.text, c.size, BlankLast)
		if part, refused := strings.CutPrefix(c.want, "!"); refused {
			if err == nil || !strings.Contains(err.Error(), strings.TrimPrefix(part, "!")) {
				t.Errorf("%q as %v: %v, want an error with %q", c.text, c.size, err, part)
			}
			continue
		}
		if err != nil || b.String() != c.want || b.Goal() != BlankLast {
			t.Errorf("%q as %v: %v %v, want %s", c.text, c.size, b, err, c.want)
		}
	}
}

func TestParseNames(t *testing.T) {
	for _, g := range []Goal{BlankFirst, BlankLast} {
		if got, err := ParseGoal(strings.ToUpper(g.String())); err != nil || got != g {
			t.Errorf("goal %v reads as %v, %v", g, got, err)
		}
	}
	if _, err := ParseGoal("middle"); err == nil {
		t.Error("the goal middle was read")
	}
	for text, want := range map[string]Size{"3x5": {3, 5}, "2X2": {2, 2}, "4×4": {4, 4}, "1x4": {}, "6x2": {}, "4": {}, "x": {}, "3x3x3": {}, "": {}} {
		if got, err := ParseSize(text); got != want || (err == nil) != want.isInRange() {
			t.Errorf("size %q reads as %v, %v", text, got, err)
		}
	}
	if path, err := ParsePath("ULRD"); err != nil || FormatPath(path) != "ULRD" {
		t.Errorf("ULRD reads as %v, %v", path, err)
	}
	if _, err := ParsePath("ULX"); err == nil || !strings.Contains(err.Error(), "move 3") {
		t.Errorf("ULX: %v", err)
	}
}

// drawBoard draws any arrangement of tiles.
func drawBoard(t *rapid.T, largest int) Board {
	size := Size{rapid.IntRange(2, largest).Draw(t, "rows"), rapid.IntRange(2, largest).Draw(t, "cols")}
	tiles := make([]int, size.CellCount())
	for i := range tiles {
		tiles[i] = i
	}
	b, err := NewBoard(rapid.Permutation(tiles).Draw(t, "tiles"), size, Goal(rapid.IntRange(0, 1).Draw(t, "goal")))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A board that moves reach from the goal is solvable, and unsolvable after two tiles are swapped.
// A board that is written is read back unchanged.
func TestSolvable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBoard(t, MaxSide)
		if again, err := ParseBoard(b.String(), b.Size(), b.Goal()); err != nil || again != b {
			t.Fatalf("%v reads as %v, %v", b, again, err)
		}
		walked := SolvedBoard(b.Size(), b.Goal())
		for range rapid.IntRange(0, 200).Draw(t, "moves") {
			m := Move(rapid.IntRange(0, 3).Draw(t, "move"))
			if next, err := walked.ReplayPath([]Move{m}); err == nil {
				walked = next
			}
		}
		if err := walked.CheckSolvable(); err != nil {
			t.Fatal(err)
		}
		swapped := walked
		p := walked.cellOfTile(1)
		q := walked.cellOfTile(2)
		swapped.tiles[p], swapped.tiles[q] = 2, 1
		var why UnsolvableError
		if err := swapped.CheckSolvable(); !errors.As(err, &why) || why.Board != swapped {
			t.Fatalf("%v with two tiles swapped: %v", walked, err)
		}
		if (b.CheckSolvable() == nil) != (b.rotated180().CheckSolvable() == nil) {
			t.Fatalf("%v and the same turned are not both solvable", b)
		}
		if _, err := New(swapped, Manhattan{}); err == nil {
			t.Fatal("an unsolvable board makes a problem")
		}
	})
}

// Half of all arrangements are solvable, and those are the ones that moves reach.
func TestSolvableIsReachable(t *testing.T) {
	for _, size := range []Size{{2, 2}, {2, 3}, {3, 2}, {2, 4}} {
		for _, goal := range []Goal{BlankFirst, BlankLast} {
			reached := distances(SolvedBoard(size, goal), 1000)
			count := 0
			permutations(size.CellCount(), func(tiles []int) {
				b, err := NewBoard(tiles, size, goal)
				if err != nil {
					t.Fatal(err)
				}
				_, ok := reached[b]
				if ok != (b.CheckSolvable() == nil) {
					t.Fatalf("%v, goal %v: reached %v, %v", b, goal, ok, b.CheckSolvable())
				}
				count++
			})
			if len(reached) != count/2 {
				t.Errorf("%v: %d of %d boards are reached", size, len(reached), count)
			}
		}
	}
}

// permutations calls f with each order of 0 … n−1.
func permutations(n int, f func([]int)) {
	tiles := make([]int, n)
	var place func(t int)
	place = func(t int) {
		if t == n {
			f(tiles)
			return
		}
		for p := range tiles {
			if tiles[p] == 0 && (t > 0) {
				tiles[p] = t
				place(t + 1)
				tiles[p] = 0
			}
		}
	}
	place(1) // where nothing is put, the blank is
}

// distances is breadth-first search from a board, down to a depth: the boards and
// their distances.
func distances(from Board, depth int) map[Board]int {
	d := map[Board]int{from: 0}
	for queue := []Board{from}; len(queue) > 0; queue = queue[1:] {
		b := queue[0]
		if d[b] == depth {
			continue
		}
		for m := Up; m <= Down; m++ {
			next, err := b.ReplayPath([]Move{m})
			if err != nil {
				continue
			}
			if _, known := d[next]; !known {
				d[next] = d[b] + 1
				queue = append(queue, next)
			}
		}
	}
	return d
}

func TestReplay(t *testing.T) {
	b := SolvedBoard(Size{2, 3}, BlankFirst)
	path, err := ParsePath("RDL")
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.ReplayPath(path)
	if err != nil || got.String() != "1 4 2 0 3 5" {
		t.Errorf("%v, %v", got, err)
	}
	for _, text := range []string{"L", "U", "DD", "RRR"} {
		path, err := ParsePath(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.ReplayPath(path); err == nil {
			t.Errorf("%s does not lead off the board", text)
		}
	}
	if _, err := b.ReplayPath([]Move{noMove}); err == nil {
		t.Error("a move that is none was replayed")
	}
}
