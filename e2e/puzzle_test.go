package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// replay moves the blank of a 4x4 board whose goal is 0 1 2 … and reports whether the
// path ends there.
func replay(t testing.TB, tiles, path string) bool {
	t.Helper()
	var b [16]int
	blank := -1
	for i, w := range strings.Fields(tiles) {
		if fmt.Sscan(w, &b[i]); b[i] == 0 {
			blank = i
		}
	}
	steps := map[rune]int{'U': -4, 'D': 4, 'L': -1, 'R': 1}
	for _, m := range path {
		to := blank + steps[m]
		if to < 0 || to > 15 || steps[m] == 0 || (m == 'L' || m == 'R') && to/4 != blank/4 {
			t.Fatalf("move %c of %s leads off the board", m, path)
		}
		b[blank], b[to], blank = b[to], 0, to
	}
	for i, tile := range b {
		if tile != i {
			return false
		}
	}
	return true
}

// The puzzle is solved with the fewest moves under each launcher and without, and with
// --all-solutions every world expands the nodes that the second program has counted for
// Korf's twelfth instance.
func TestPuzzle(t *testing.T) {
	t.Parallel()
	const tiles = "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15"
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		for _, scheme := range []string{"rp", "static+rp", "shuffle"} {
			o := runIn(t, l, 3, "", "puzzle", tiles, "--heuristic", "md", "--all-solutions", "--scheme", scheme, "--json")
			r := object(t, o, 0)
			path, _ := r["path"].(string)
			if r["expanded"] != 329931.0 || r["length"] != 45.0 || r["solutions"] != 1.0 || len(path) != 45 || !replay(t, tiles, path) {
				t.Errorf("%s: %v", scheme, r)
			}
			if n := len(r["iterations"].([]any)); n != 6 {
				t.Errorf("%s: %d iterations, want 6", scheme, n)
			}
		}
		o := runIn(t, l, 2, "", "puzzle", "--batch", "../testdata/boards.csv", "--heuristic", "wd", "--json")
		boards, _ := object(t, o, 0)["boards"].([]any)
		if len(boards) != 5 {
			t.Fatalf("%d boards solved, want 5: %s", len(boards), o.stdout)
		}
		for i, length := range []float64{45, 42, 41, 42, 44} { // as published
			if b := boards[i].(map[string]any); b["length"] != length {
				t.Errorf("board %v in %v moves, want %v", b["id"], b["length"], length)
			}
		}
	})
}

// A board that is none, or has no solution, is refused with the reason.
func TestBadBoards(t *testing.T) {
	t.Parallel()
	program := treesplit(t, none)
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"unsolvable":   {[]string{"1 0 2 3 4 5 6 7 8 9 10 11 12 13 15 14"}, "unsolvable"},
		"a tile twice": {[]string{"1 0 2 3 4 5 6 7 8 9 10 11 12 13 14 14"}, "14"},
		"too few":      {[]string{"1 0 2"}, "the number of tiles is 3"},
		"no number":    {[]string{"1 0 2 x"}, "x"},
		"goal":         {[]string{"1 0 2 3", "--goal", "middle"}, "--goal"},
		"size":         {[]string{"1 0 2 3", "--size", "9x9"}, "--size"},
		"heuristic":    {[]string{"1 0 2 3", "--heuristic", "best"}, "--heuristic"},
		"no board":     {nil, "expected one board"},
		"no file":      {[]string{"--batch", "nowhere.csv"}, "nowhere.csv"},
		"no column":    {[]string{"--batch", write(t, "a.csv", []byte("id,board\n1,0 1 2 3\n"))}, "a.csv:1: expected a heading"},
		"line":         {[]string{"--batch", write(t, "b.csv", []byte("id,tiles\n1,1 0 2 3\n2,1 0 3 2\n"))}, "b.csv:3: unsolvable"},
		"no tables":    {[]string{"1 0 2 3", "--heuristic", "pdb78"}, "expected --pdb-file"},
		"tables":       {[]string{"1 0 2 3", "--heuristic", "md", "--pdb-file", "a.pdb"}, "--pdb-file: md has no pattern databases"},
		"estimate":     {[]string{"1 0 2 3", "--max-moves", "-1"}, "--max-moves: -1: expected"},
		"no boards":    {[]string{"--batch", write(t, "c.csv", []byte("id,tiles\n"))}, "c.csv: no boards"},
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, run(t, "", append([]string{program, "puzzle"}, c.args...)...), c.want)
		})
	}
}

// A search whose time is over prints what it knows and exits with status 3.
func TestPuzzleOutOfTime(t *testing.T) {
	t.Parallel()
	hard := "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0" // far beyond 300 ms by Manhattan distance
	o := run(t, "", treesplit(t, none), "puzzle", hard, "--heuristic", "md", "--timeout", "300ms", "--json")
	r := object(t, o, 3)
	if r["reason"] != "timeout" || r["path"] != nil || r["expanded"] == 0.0 {
		t.Errorf("%v", r)
	}
}
