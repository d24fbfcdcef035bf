package puzzle

import (
	"encoding/csv"
	"os"
	"slices"
	"strconv"
	"testing"

	"treesplit/search"
)

// instance is one of Korf's, with what is known of it.
type instance struct {
	id     int
	board  Board
	length int
	korf   int64 // nodes generated up to the first solution, the root once
	oracle *oracle
}

// oracle holds the counts of an independent program. Generated nodes do not include the root. The
// nodes of the last iteration up to the first solution end with that solution.
type oracle struct {
	iterations   int
	failed       Counts
	first, full  Counts
	path         string
	korfMeasured int64
}

// misprints are the published counts that independent programs do not reproduce, and
// what they count.
var misprints = map[int]int64{22: 750745755, 88: 6320047980, 89: 166571021}

// korf reads all instances.
func korf(t testing.TB) (all []instance) {
	t.Helper()
	for _, row := range readCSV(t, "testdata/korf100.csv") {
		b, err := ParseBoard(row[1], Size{}, BlankFirst)
		if err != nil {
			t.Fatal(err)
		}
		n := numbers(t, row[0], row[3], row[4])
		k := instance{id: int(n[0]), board: b, length: int(n[1]), korf: n[2]}
		if count, ok := misprints[k.id]; ok {
			k.korf = count
		}
		all = append(all, k)
	}
	for _, row := range readCSV(t, "testdata/korf50-oracle.csv") {
		n := numbers(t, row[:9]...)
		all[n[0]-1].oracle = &oracle{
			iterations:   int(n[1]),
			failed:       Counts{Expanded: n[2], Generated: n[3]},
			first:        Counts{n[4], n[5], 1},
			full:         Counts{n[6], n[7], n[8]},
			path:         row[9],
			korfMeasured: numbers(t, row[10])[0],
		}
	}
	return all
}

func readCSV(t testing.TB, name string) [][]string {
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

func numbers(t testing.TB, words ...string) (n []int64) {
	t.Helper()
	for _, w := range words {
		v, err := strconv.ParseInt(w, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		n = append(n, v)
	}
	return n
}

// solve solves a board and checks the path.
func solve(t testing.TB, b Board, h Heuristic, opt Options) Result {
	t.Helper()
	p, err := New(b, h)
	if err != nil {
		t.Fatal(err)
	}
	opt.Splitting = search.DefaultSplitting
	r, err := p.SolveSequentially(opt)
	if err != nil {
		t.Fatal(err)
	}
	if end, err := b.ReplayPath(r.Path); err != nil || !end.IsGoalBoard() {
		t.Fatalf("%v: the path %s leads to %v: %v", b, FormatPath(r.Path), end, err)
	}
	if last := r.Iterations[len(r.Iterations)-1]; last.Bound != r.SolutionLength() {
		t.Fatalf("%v: a path of %d moves with bound %d", b, r.SolutionLength(), last.Bound)
	}
	return r
}

// whole reports whether the tests are to take the minutes that all instances take.
func whole() bool { return os.Getenv("PUZZLE_ALL") != "" }

// All counts of the 50 instances that an independent program has searched agree with that
// program: in the failed iterations, up to the first solution, and beyond it. Without PUZZLE_ALL
// only small instances are searched, and node by node only the smallest.
func TestOracle(t *testing.T) {
	searched := 0
	for _, k := range korf(t) {
		o := k.oracle
		if o == nil || !whole() && o.failed.Expanded+o.full.Expanded > 20_000_000 {
			continue
		}
		searched++
		bulks := []int{DefaultBulk}
		if o.failed.Expanded+o.full.Expanded < 1_000_000 && !testing.Short() {
			bulks = []int{0, 1, 2, 3, 5, MaxBulk}
		}
		for _, bulk := range bulks {
			first := solve(t, k.board, Manhattan{}, Options{Bulk: bulk})
			behind := o.korfMeasured - o.failed.Generated - o.first.Generated
			if behind != 1 || o.korfMeasured != k.korf {
				t.Fatalf("#%d: the oracle does not agree with itself", k.id)
			}
			checkOracle(t, k, bulk, first, o.first)
			if first.Korf != k.korf || FormatPath(first.Path) != o.path {
				t.Errorf("#%d bulk %d: %d nodes to %s, want %d to %s", k.id, bulk, first.Korf, FormatPath(first.Path), k.korf, o.path)
			}
			full := solve(t, k.board, Manhattan{}, Options{Bulk: bulk, All: true})
			checkOracle(t, k, bulk, full, o.full)
			if got := full.Iterations[o.iterations-1].Counts; got != o.full {
				t.Errorf("#%d bulk %d: the whole last iteration is %v, want %v", k.id, bulk, got, o.full)
			}
		}
	}
	if searched < 10 {
		t.Errorf("only %d instances", searched)
	}
}

// checkOracle compares all but what the last iteration generated.
func checkOracle(t *testing.T, k instance, bulk int, r Result, last Counts) {
	t.Helper()
	n := len(r.Iterations)
	if n != k.oracle.iterations || r.SolutionLength() != k.length {
		t.Fatalf("#%d bulk %d: %d moves after %d iterations, want %d after %d", k.id, bulk, r.SolutionLength(), n, k.length, k.oracle.iterations)
	}
	var failed Counts
	for _, i := range r.Iterations[:n-1] {
		failed = failed.AddCounts(i.Counts)
	}
	got := r.Iterations[n-1]
	if failed != k.oracle.failed || got.Expanded != last.Expanded || got.Solutions != last.Solutions {
		t.Errorf("#%d bulk %d: failed %v, last %v, want %v and %v", k.id, bulk, failed, got.Counts, k.oracle.failed, last)
	}
}

// The published counts of the other instances, three of them corrected.
func TestKorf(t *testing.T) {
	total := int64(0)
	for _, k := range korf(t) {
		total += k.korf
		if !whole() && (k.korf > 20_000_000 || k.oracle != nil) {
			continue
		}
		if r := solve(t, k.board, Manhattan{}, Options{Bulk: DefaultBulk}); r.Korf != k.korf || r.SolutionLength() != k.length {
			t.Errorf("#%d: %d moves, %d generated, want %d and %d", k.id, r.SolutionLength(), r.Korf, k.length, k.korf)
		}
	}
	if total != 36_302_808_031 {
		t.Errorf("the instances have %d nodes in all", total)
	}
}

// The optimal solutions of the other goal are those of this one, turned.
func TestTurnedKorf(t *testing.T) {
	for _, k := range korf(t) {
		if k.korf > 2_000_000 {
			continue
		}
		turned := k.board.rotated180()
		if turned.goal != BlankLast || turned.rotated180() != k.board {
			t.Fatalf("%v turned is %v", k.board, turned)
		}
		r := solve(t, turned, Manhattan{}, Options{Bulk: DefaultBulk})
		path, err := ParsePath(k.oraclePath())
		if err != nil {
			t.Fatal(err)
		}
		for i := range path {
			path[i] = path[i].oppositeMove()
		}
		if r.Korf != k.korf || len(path) > 0 && !slices.Equal(r.Path, path) {
			t.Errorf("#%d turned: %d generated to %s, want %d to %s", k.id, r.Korf, FormatPath(r.Path), k.korf, FormatPath(path))
		}
	}
}

// oraclePath is the path that is known, or none.
func (k instance) oraclePath() string {
	if k.oracle == nil {
		return ""
	}
	return k.oracle.path
}
