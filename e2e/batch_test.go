package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// endless is a batch of three boards. The first two take milliseconds. The third takes longer than
// any test under the heuristic Manhattan distance.
const endless = `id,tiles
easy,14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15
second,4 5 7 2 9 14 12 13 0 3 6 11 8 1 15 10
hard,15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0
`

var (
	atTheThird = regexp.MustCompile(`2 of 3 boards, [1-9][\d,]* nodes`)
	rows       = regexp.MustCompile(`(?s)board +moves +expanded.*\n +easy +45 .*\nsecond +42 `)
)

// A batch prints the row of a board as soon as the board is solved. A signal ends the batch, and the
// table so far is printed.
func TestBatchInterrupted(t *testing.T) {
	t.Parallel()
	file := write(t, "endless.csv", []byte(endless))
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		b := beginUntil(t, l, 2, atTheThird, "", "puzzle", "--batch", file, "--heuristic", "md")
		if l == none { // launchers may pass output on late
			select {
			case <-b.out.until(rows): // two goroutines read the two streams: the rows may come after the progress
			case <-b.over:
				t.Errorf("during the third board the table is:\n%s", &b.out)
			}
		}
		status := b.signalled(t, l, 1, os.Interrupt)
		said := regexp.MustCompile(`\nstopped early \(interrupted\): 1 of 3 boards are not solved\nboard hard: longer than \d+ moves\n`)
		if out := b.out.String(); status != 3 || !rows.MatchString(out) || !said.MatchString(out) {
			t.Errorf("status %d:\n%s%s", status, out, &b.err)
		}
	})
}

// --timeout also ends a batch of easy boards. Each of these boards is searched by one rank alone, so
// the ranks send no requests.
func TestEasyBatchOutOfTime(t *testing.T) {
	t.Parallel()
	const n = 4000 // of 40,000 nodes each
	text := "tiles\n" + strings.Repeat("14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15\n", n)
	file := write(t, "easy.csv", []byte(text))
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		r := object(t, runIn(t, l, 2, "", "puzzle", "--batch", file, "--heuristic", "wd", "--timeout", "200ms", "--json"), 3)
		if boards := r["boards"].([]any); r["reason"] != "timeout" || len(boards) == 0 || len(boards) >= n || r["requests"] != 0.0 {
			t.Errorf("%v after %d boards and %v requests", r["reason"], len(boards), r["requests"])
		}
	})
}

// A batch of easy boards is saved between two searches. The resumed batch expands the same number of
// nodes as an uninterrupted one.
func TestEasyBatchSaved(t *testing.T) {
	t.Parallel()
	const n = 200
	text := "tiles\n" + strings.Repeat("14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15\n", n)
	file := write(t, "easy.csv", []byte(text))
	args := []string{"puzzle", "--batch", file, "--heuristic", "wd", "--all-solutions", "--json"} // otherwise W depends on the rank that finds the first solution
	want := object(t, runIn(t, none, 1, "", args...), 0)
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		saved := filepath.Join(t.TempDir(), "checkpoint")
		limited := slices.Concat(args, []string{"--timeout", "200ms", "--checkpoint", saved, "--checkpoint-every", "50ms"})
		o := runIn(t, l, 2, "", limited...)
		runs := 1
		for ; o.status == 3; runs++ {
			o = runIn(t, l, 1+runs%3, "", append(limited, "--resume", saved)...)
		}
		r := object(t, o, 0)
		if r["expanded"] != want["expanded"] || len(r["boards"].([]any)) != n || runs < 2 {
			t.Errorf("%v nodes and %d boards in %d runs, want %v and %d", r["expanded"], len(r["boards"].([]any)), runs, want["expanded"], n)
		}
	})
}

// --max-moves ends a search after the iterations up to the given number of moves. If
// they find no solution, the result states that every solution is longer. For Korf's instance 12 a separate program has counted the nodes of
// these iterations.
func TestMaxMoves(t *testing.T) {
	t.Parallel()
	k := korf(t)["12"]
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		for moves, longer := range map[int]float64{43: 43, 44: 43} {
			o := runIn(t, l, 2, "", "puzzle", k.tiles, "--heuristic", "md", "--max-moves", fmt.Sprint(moves), "--json")
			r := object(t, o, 0)
			if r["longerThan"] != longer || r["length"] != nil || r["path"] != nil || r["expanded"] != k.failedExpanded {
				t.Errorf("%v", r)
			}
		}
		o := runIn(t, l, 2, "", "puzzle", k.tiles, "--heuristic", "md", "--max-moves", "45", "--json")
		if r := object(t, o, 0); r["length"] != 45.0 || r["longerThan"] != nil {
			t.Errorf("%v", r)
		}
	})
}

// Pattern databases are built once, in a file that all ranks read. A file is refused if it is not a
// file of pattern databases, has other tables, is truncated or was changed.
func TestPatternFile(t *testing.T) {
	t.Parallel()
	k := korf(t)["1"]
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		dir := t.TempDir()
		file := filepath.Join(dir, "five.pdb")
		solve := func(file, heuristic string) outcome {
			return runIn(t, l, 2, "", "puzzle", k.tiles, "--heuristic", heuristic, "--pdb-file", file, "--json")
		}
		for _, built := range []bool{true, false} {
			o := solve(file, "pdb")
			if r := object(t, o, 0); r["length"] != float64(k.length) {
				t.Errorf("%v", r)
			}
			if strings.Contains(o.stderr, "builds the pattern databases") != built {
				t.Errorf("built: %v; standard error: %q", !built, o.stderr)
			}
		}
		left, _ := os.ReadDir(dir)
		data, err := os.ReadFile(file)
		if err != nil || len(left) != 1 || len(data) < 3*524_160 {
			t.Fatalf("%v: %d files, %d bytes", err, len(left), len(data))
		}
		refused(t, solve(file, "pdb78"), "--pdb-file: "+file, "expected [[1 2 3 4 5 6 7]")
		refused(t, solve(filepath.Join(dir, "nowhere", "five.pdb"), "pdb"), "nowhere")
		for want, data := range map[string][]byte{
			"checksum":                        changed(data, len(data)/2),
			"EOF":                             data[:len(data)/2],
			"expected \"treesplit pdb 1\\n\"": []byte(endless),
		} {
			refused(t, solve(write(t, "bad.pdb", data), "pdb"), "bad.pdb: ", want)
		}
	})
}

// changed returns a copy of data in which one byte is different.
func changed(data []byte, at int) []byte {
	data = bytes.Clone(data)
	data[at] ^= 1
	return data
}
