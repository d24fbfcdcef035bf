package sdk

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// small is a graph for tests of the library.
const small = "p edge 5 6\ne 1 2\ne 1 3\ne 2 3\ne 3 4\ne 4 5\ne 2 4\n"

// smallClique returns the clique example with a graph.
func smallClique(t *testing.T) []string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "graph")
	if err := os.WriteFile(file, []byte(small), 0o644); err != nil {
		t.Fatal(err)
	}
	return []string{compile(t, "c/examples/clique.c"), file}
}

func TestCHostile(t *testing.T) {
	t.Parallel()
	args := smallClique(t)
	checkHostile(t, "treesplit.h", args...)
	for _, node := range []string{"[]", "[1,2]", "[1,1,7]", "[1,0,-1]", "[1,0,1e3]", "{}", `"\u12"`, "[1,0,99999999999999999999]"} {
		request := firstLine + `{"expand":[` + node + `],"nodes":1}` + "\n"
		if status, _, errs := runWorker(t, request, args...); status != 2 || !strings.HasPrefix(errs, "treesplit.h: a ") {
			t.Errorf("%s: status %d: %s", node, status, errs)
		}
	}
}

// Damaged requests end the example with an answer or one line of error, without wrong accesses to
// memory: it is compiled with checks.
func TestCDamaged(t *testing.T) {
	t.Parallel()
	args := smallClique(t)
	whole := firstLine + `{"expand":[[5,0,0,1,2,3,4]],"nodes":4}` + "\n" + `{"children":[3,1,2,0,1,3]}` + "\n" + `{"nodes":9,"best":-2,"expand":[[2,1,1,0,3],[2,1,4,3]]}` + "\n"
	runs := 100
	if testing.Short() {
		runs = 10
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range runs {
		text := []byte(whole)
		for range 1 + r.IntN(3) {
			at := r.IntN(len(text))
			switch r.IntN(3) {
			case 0:
				text[at] = byte(r.IntN(256))
			case 1:
				text[at] = `{}[],:"0-9eu\`[r.IntN(13)]
			default:
				text = append(text[:at], text[min(len(text), at+r.IntN(9)):]...)
			}
			if len(text) == 0 {
				break
			}
		}
		status, _, errs := runWorker(t, string(text), args...)
		if status != 0 && (status != 2 || !strings.HasPrefix(errs, "treesplit.h: ") || strings.Count(errs, "\n") != 1) {
			t.Errorf("%q: status %d: %s", text, status, errs)
		}
	}
}

// A worker that finds all solutions, with names and texts of every kind.
func TestCLibrary(t *testing.T) {
	t.Parallel()
	worker := program{[]string{compile(t, "testdata/ternary.c")}, `{"levels":5}`}
	got := searchTree(t, worker, 2, 1, 1)
	if got.expanded != 364 || got.sums["leaves"] != 243 || got.maxima["depth"] != 5 || got.maxima["least"] != -1 || len(got.founds) != 1 {
		t.Errorf("%+v, want 364 nodes, 243 leaves and 1 solution", got)
	}
	c := worker.startWorker(t, 0, 1)
	if c.hello.Name != "ternary \"\\\t5" || !c.hello.Depth {
		t.Errorf("%+v", c.hello)
	}
	c.stop(t)
}
