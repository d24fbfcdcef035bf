package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ownRun is the result of one run of an example program.
type ownRun struct {
	Scheme, Reason  string
	Ranks, Expanded int
	Sums            []int64
	Witness         []int
}

// ownSuite runs an example program once under each scheme, on 2, 3 or 4 ranks. One launch makes all
// runs with the same number of ranks, because a launch takes longer than a run. The program must be
// built by ownExample.
func ownSuite(t *testing.T, l library, program string, schemes []string) (runs []ownRun) {
	t.Helper()
	byRanks := map[int][]string{}
	for i, scheme := range schemes {
		ranks := 2 + i%3
		byRanks[ranks] = append(byRanks[ranks], scheme)
	}
	for ranks, some := range byRanks {
		args := append(append(l.launch(ranks), l.hasty()...), program, "-suite")
		o := run(t, "", append(args, some...)...)
		if o.status != 0 {
			t.Fatalf("%d ranks: status %d: %s%s", ranks, o.status, o.stdout, o.stderr)
		}
		for line := range strings.Lines(o.stdout) {
			var r ownRun
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			if len(some) == 0 || r.Ranks != ranks || r.Scheme != some[0] || r.Reason != "exhausted" {
				t.Fatalf("%d ranks, %q: %+v", ranks, some, r)
			}
			some, runs = some[1:], append(runs, r)
		}
		if len(some) > 0 {
			t.Errorf("%d ranks: no result under %q", ranks, some)
		}
	}
	return runs
}

// ownExample builds an example program. For MPI it adds testdata/ownsuite.go, which has no effect
// unless the first argument of the program is -suite. problem is the Go expression of the example's
// workload.
func ownExample(t *testing.T, l library, example, problem string) string {
	t.Helper()
	if l == none {
		return program(t, l, "treesplit/examples/"+example)
	}
	return programWith(t, l, "treesplit/examples/"+example, overlay(t, example, problem))
}

// overlay returns the compiler flag -overlay that adds the suite to the files of an example.
func overlay(t *testing.T, example, problem string) (flag string) {
	t.Helper()
	dir := t.TempDir()
	abs := func(path string) string {
		path, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	workload := filepath.Join(dir, "workload.go")
	files, err := json.Marshal(map[string]map[string]string{"Replace": {
		abs("../examples/" + example + "/suite.go"):    abs("testdata/ownsuite.go"),
		abs("../examples/" + example + "/workload.go"): workload,
	}})
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("//go:build mpi\n\npackage main\n\nimport %q\n\nfunc suiteProblem() run.Workload { return %s }\n", "treesplit/run", problem)
	list := filepath.Join(dir, "overlay.json")
	for path, data := range map[string][]byte{workload: []byte(text), list: files} {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return "-overlay=" + list
}
