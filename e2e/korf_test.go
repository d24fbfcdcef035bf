package e2e

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"treesplit/lb"
)

// known is what other programs say of one of Korf's instances: its length and, of the
// first fifty, what the failed iterations expand and generate, whatever the order.
type known struct {
	tiles                             string
	length                            int
	iterations                        int
	failedExpanded, failedGenerated   float64
	lastExpandedWhole, solutionsWhole float64
}

// small reports whether all iterations together are a matter of milliseconds.
func (k known) small() bool { return k.iterations > 0 && k.failedExpanded < 1e6 }

// korf reads all instances, by id.
func korf(t testing.TB) map[string]known {
	t.Helper()
	all := map[string]known{}
	for _, row := range table(t, "../puzzle/testdata/korf100.csv") {
		all[row[0]] = known{tiles: row[1], length: int(number(t, row[3]))}
	}
	for _, row := range table(t, "../puzzle/testdata/korf50-oracle.csv") {
		k := all[row[0]]
		k.iterations, k.failedExpanded, k.failedGenerated = int(number(t, row[1])), number(t, row[2]), number(t, row[3])
		k.lastExpandedWhole, k.solutionsWhole = number(t, row[6]), number(t, row[8])
		all[row[0]] = k
	}
	return all
}

// table reads a CSV file without its heading.
func table(t testing.TB, name string) [][]string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

func number(t testing.TB, word string) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(word, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// batchOf writes instances as a file for --batch.
func batchOf(t testing.TB, all map[string]known, wanted func(known) bool) (file string, n int) {
	t.Helper()
	var text strings.Builder
	text.WriteString("id,tiles\n")
	for id, k := range all {
		if wanted(k) {
			fmt.Fprintf(&text, "%s,%s\n", id, k.tiles)
			n++
		}
	}
	return write(t, "korf.csv", []byte(text.String())), n
}

// whole reports whether the tests are to take the minutes that all instances take.
func whole() bool { return os.Getenv("PUZZLE_ALL") != "" }

// checkSolved checks every board of a batch's JSON: its length, and its path by replaying
// it.
func checkSolved(t testing.TB, all map[string]known, r map[string]any, want int) []map[string]any {
	t.Helper()
	list, _ := r["boards"].([]any)
	if len(list) != want {
		t.Fatalf("%d boards, want %d", len(list), want)
	}
	var boards []map[string]any
	for _, one := range list {
		b := one.(map[string]any)
		k := all[b["id"].(string)]
		path, _ := b["path"].(string)
		if b["length"] != float64(k.length) || len(path) != k.length || !replay(t, k.tiles, path) {
			t.Errorf("#%v: %v moves, want %d: %s", b["id"], b["length"], k.length, path)
		}
		boards = append(boards, b)
	}
	return boards
}

// checkFailed compares the iterations without a solution with what a program that shares
// nothing with this one has counted, and so the whole last ones where they were made.
func checkFailed(t testing.TB, all map[string]known, boards []map[string]any) {
	t.Helper()
	for _, b := range boards {
		k := all[b["id"].(string)]
		iterations := b["iterations"].([]any)
		last := iterations[len(iterations)-1].(map[string]any)
		var expanded, generated float64
		for _, i := range iterations[:len(iterations)-1] {
			expanded += i.(map[string]any)["expanded"].(float64)
			generated += i.(map[string]any)["generated"].(float64)
		}
		if len(iterations) != k.iterations || expanded != k.failedExpanded || generated != k.failedGenerated || last["bound"] != float64(k.length) {
			t.Errorf("#%v: %v and %v nodes in %d iterations, want %v and %v in %d", b["id"], expanded, generated, len(iterations)-1, k.failedExpanded, k.failedGenerated, k.iterations-1)
		}
		if n := b["solutions"]; n != nil && (n != k.solutionsWhole || last["expanded"] != k.lastExpandedWhole) {
			t.Errorf("#%v: %v solutions and %v nodes in the last iteration, want %v and %v", b["id"], n, last["expanded"], k.solutionsWhole, k.lastExpandedWhole)
		}
	}
}

// In every scheme and on any number of ranks, the nodes expanded in all failed iterations
// are the oracle's. Without PUZZLE_ALL only the small instances are searched, and each
// scheme on one number of ranks, another one in each world.
func TestKorfOracle(t *testing.T) {
	t.Parallel()
	all := korf(t)
	file, n := batchOf(t, all, func(k known) bool { return k.small() || whole() && k.iterations > 0 })
	if n < 8 {
		t.Fatalf("only %d instances", n)
	}
	sizes := []int{1, 2, 3, 4, 8}
	for world, l := range worlds {
		t.Run(l.String(), func(t *testing.T) {
			l.need(t)
			for i, scheme := range lb.SchemeNames() {
				for j, ranks := range sizes {
					turn := (i+world)%len(sizes) == j
					if !turn && !whole() || l != none && !turn || l != none && !whole() && i%3 != world {
						continue
					}
					args := []string{"puzzle", "--batch", file, "--heuristic", "md", "--scheme", scheme, "--json"}
					if i%2 == 0 && !whole() {
						args = append(args, "--all-solutions")
					}
					r := object(t, runIn(t, l, ranks, "", args...), 0)
					checkFailed(t, all, checkSolved(t, all, r, n))
					if t.Failed() {
						t.Fatalf("--scheme %s on %d ranks", scheme, ranks)
					}
				}
			}
		})
	}
}

// All 100 are solved in as many moves as published, by each heuristic. Without PUZZLE_ALL
// only by the one that takes seconds.
func TestKorfLengths(t *testing.T) {
	t.Parallel()
	all := korf(t)
	file, n := batchOf(t, all, func(known) bool { return true })
	heuristics := []string{"pdb"}
	if whole() {
		heuristics = []string{"pdb", "wd", "md"}
	}
	for _, h := range heuristics {
		r := object(t, runIn(t, none, 2, "", "puzzle", "--batch", file, "--heuristic", h, "--json"), 0)
		checkSolved(t, all, r, n)
	}
}
