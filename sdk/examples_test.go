package sdk

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// seeds returns the seeds of random searches.
func seeds(count uint64) (all []uint64) {
	if testing.Short() {
		count = 1
	}
	for seed := range count {
		all = append(all, seed+1)
	}
	return all
}

// The queens example counts the same nodes and placements, whatever the budgets, the cuts and the
// deaths of workers are. Reference: the On-Line Encyclopedia of Integer Sequences, A000170. The
// number of nodes is the same as in examples/queens.
func TestQueens(t *testing.T) {
	t.Parallel()
	for _, seed := range seeds(3) {
		for rows, nodes := range map[string]int64{"0": 2057, "3": 1103} {
			if rows == "3" && seed > 1 {
				continue
			}
			got := searchTree(t, python(t, "", "python/examples/queens.py", "8", rows), 1+int(seed%3), seed, 2)
			if got.expanded != nodes || !maps.Equal(got.sums, map[string]int64{"solutions": 92}) {
				t.Errorf("seed %d: %d rows of recursion: %+v, want %d nodes and 92 solutions", seed, len(rows), got, nodes)
			}
		}
	}
}

// knapsack is a problem of the knapsack example: items of a value and a weight.
type knapsack struct {
	Capacity int      `json:"capacity"`
	Items    [][2]int `json:"items"`
}

// optimum returns the largest value by dynamic programming.
func (k knapsack) optimum() int {
	best := make([]int, k.Capacity+1)
	for _, item := range k.Items {
		for room := k.Capacity; room >= item[1]; room-- {
			best[room] = max(best[room], best[room-item[1]]+item[0])
		}
	}
	return best[k.Capacity]
}

// The knapsack example finds the optimum of dynamic programming, with a selection of that value.
func TestKnapsack(t *testing.T) {
	t.Parallel()
	for _, seed := range seeds(4) {
		r, k := rand.New(rand.NewPCG(seed, 1)), knapsack{}
		for range 12 {
			weight := 1 + r.IntN(50)
			k.Items = append(k.Items, [2]int{weight + r.IntN(20), weight})
			k.Capacity += weight / 2
		}
		text, _ := json.Marshal(k)
		got := searchTree(t, python(t, string(text), "python/examples/knapsack.py"), 1+int(seed%3), seed, 2)
		if got.best == nil || *got.best != -int64(k.optimum()) {
			t.Fatalf("seed %d: %+v, want %d", seed, got, -k.optimum())
		}
		var chosen []int
		if err := json.Unmarshal(got.founds[len(got.founds)-1], &chosen); err != nil {
			t.Fatal(err)
		}
		value, weight := 0, 0
		for _, i := range chosen {
			value, weight = value+k.Items[i][0], weight+k.Items[i][1]
		}
		if slices.Sort(chosen); value != k.optimum() || weight > k.Capacity || len(slices.Compact(chosen)) != len(chosen) {
			t.Errorf("seed %d: %v has the value %d and the weight %d, want the value %d and at most %d", seed, chosen, value, weight, k.optimum(), k.Capacity)
		}
	}
}

// The cubes example refutes an unsatisfiable formula by the same cubes in every run, and finds a
// model of a satisfiable formula.
func TestCubes(t *testing.T) {
	t.Parallel()
	need(t, "cadical")
	unsat := python(t, "", "python/examples/cubes.py", "../testdata/php6.cnf", "100")
	first := searchTree(t, unsat, 1, 1, 0)
	if first.sums["refuted"] < 4 || first.expanded != 2*first.sums["refuted"]-1 || first.founds != nil {
		t.Errorf("%+v, want a binary tree with refuted leaves", first)
	}
	if second := searchTree(t, unsat, 2, 2, 2); second.expanded != first.expanded || !maps.Equal(second.sums, first.sums) {
		t.Errorf("%+v, want %+v", second, first)
	}
	formula := "../testdata/random50-sat.cnf"
	sat := searchTree(t, python(t, "", "python/examples/cubes.py", formula, "0"), 2, 3, 0)
	if len(sat.founds) == 0 {
		t.Fatalf("%+v, want a model", sat)
	}
	var model []int
	if err := json.Unmarshal(sat.founds[0], &model); err != nil || !isModel(t, formula, model) {
		t.Errorf("%v: %v is no model", err, model)
	}
}

// isModel reports whether every clause of a formula has a literal of the model.
func isModel(t *testing.T, name string, model []int) bool {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	satisfied := false
	for line := range strings.Lines(string(text)) {
		if line[0] == 'c' || line[0] == 'p' {
			continue
		}
		for _, word := range strings.Fields(line) {
			var literal int
			if _, err := fmt.Sscan(word, &literal); err != nil {
				t.Fatal(err)
			}
			if literal == 0 && !satisfied {
				return false
			}
			satisfied = literal != 0 && (satisfied || slices.Contains(model, literal))
		}
	}
	return true
}

// randomGraph writes a random graph in DIMACS format, and returns its file and its edges.
func randomGraph(t *testing.T, vertices int, density float64, seed uint64) (file string, joined [][]bool) {
	t.Helper()
	r, text, edges := rand.New(rand.NewPCG(seed, 2)), "", 0
	joined = make([][]bool, vertices)
	for u := range joined {
		joined[u] = make([]bool, vertices)
		for v := range u {
			if r.Float64() < density {
				joined[u][v], joined[v][u] = true, true
				text += fmt.Sprintf("e %d %d\n", u+1, v+1)
				edges++
			}
		}
	}
	file = filepath.Join(t.TempDir(), "graph.clq")
	text = fmt.Sprintf("c random\np edge %d %d\n%s", vertices, edges, text)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file, joined
}

// largestClique returns the size of a largest clique that has chosen and more vertices from v on.
func largestClique(joined [][]bool, chosen []int, v int) int {
	most := len(chosen)
	for ; v < len(joined); v++ {
		if !slices.ContainsFunc(chosen, func(u int) bool { return !joined[u][v] }) {
			most = max(most, largestClique(joined, append(chosen, v), v+1))
		}
	}
	return most
}

// The clique example finds a clique of the size that brute force finds.
func TestClique(t *testing.T) {
	t.Parallel()
	example := compile(t, "c/examples/clique.c")
	for _, seed := range seeds(12) {
		file, joined := randomGraph(t, 1+int(seed*17%70), 0.2+float64(seed%6)*0.1, seed)
		got := searchTree(t, program{[]string{example, file}, ""}, 1+int(seed%3), seed, 2)
		want := largestClique(joined, nil, 0)
		if got.best == nil || *got.best != -int64(want) {
			t.Fatalf("seed %d: %+v, want a clique of %d", seed, got, want)
		}
		var clique []int
		if err := json.Unmarshal(got.founds[len(got.founds)-1], &clique); err != nil || len(clique) != want {
			t.Fatalf("seed %d: %v: clique %v, want %d vertices", seed, err, clique, want)
		}
		for i, u := range clique {
			for _, v := range clique[:i] {
				if !joined[u-1][v-1] {
					t.Errorf("seed %d: %d and %d are not joined", seed, u, v)
				}
			}
		}
	}
}

// A graph with an error is refused with its line.
func TestCliqueInput(t *testing.T) {
	t.Parallel()
	example := compile(t, "c/examples/clique.c")
	for text, want := range map[string]string{
		"":                              ":1: expected a line p edge",
		"e 1 2\n":                       ":1: expected e U V",
		"p edge 3 1\ne 1 4\n":           ":2: expected e U V",
		"p edge 3 1\ne 2 2\n":           ":2: expected e U V",
		"p edge 5000 1\n":               ":1: expected one line p edge",
		"p edge 3 1\np edge 3 1\n":      ":2: expected one line p edge",
		"c\nx\n":                        ":2: expected a line that begins",
		strings.Repeat("z", 300) + "\n": ":1: expected a line that begins",
	} {
		file := filepath.Join(t.TempDir(), "graph")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if status, _, errs := runWorker(t, "", example, file); status != 2 || errs != "clique: "+file+errs[min(len(errs), 8+len(file)):] || !strings.Contains(errs, want) {
			t.Errorf("%q: status %d: %q, want %q", text, status, errs, want)
		}
	}
}
