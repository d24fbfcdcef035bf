package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// objectRuns are runs of the ring benchmark.
var objectRuns = [][]string{
	{"--objects", "40"},
	{"--objects", "31", "--sizes", "skewed", "--start", "random", "--phases", "3", "--strategy", "anneal", "--time", "20ms", "--bytes", "5000"},
	{"--objects", "2", "--sizes", "even", "--start", "round-robin", "--strategy", "lpt"},
	{"--objects", "25", "--sizes", "uniform", "--strategy", "auto", "--time", "50ms", "--seed", "7"},
}

// phases are the phases of a run.
func phases(t testing.TB, r map[string]any) (all []map[string]any) {
	t.Helper()
	list, ok := r["phases"].([]any)
	if !ok {
		t.Fatalf("no phases: %v", r)
	}
	for _, p := range list {
		all = append(all, p.(map[string]any))
	}
	return all
}

// Under each launcher and without, on a simulated machine too, objects have the states of
// the plain loop whatever the number of ranks and wherever they move; all work is done once;
// and no map is predicted to be worse than the one before.
// Reference: Radhakrishnan et al., section 4.3; claim B6 of docs/claims.md.
func TestObjects(t *testing.T) {
	t.Parallel()
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		for i, args := range objectRuns {
			args := append([]string{"objects", "--iterations", "4", "--work", "60", "--json"}, args...)
			sim := object(t, runIn(t, none, 3, "", append(args, "--machine", "ncube2")...), 0)
			for _, ranks := range []int{1, 2, 3, 5} {
				if l != none && (i+ranks)%2 == 1 { // a launch takes a second
					continue
				}
				what := fmt.Sprintf("%v on %d ranks", args, ranks)
				r := object(t, runIn(t, l, ranks, "", append(args, "--sequential", "--stall", "30s")...), 0)
				for _, key := range []string{"checksum", "expanded", "objects", "iterations", "strategy", "scheme", "seed"} {
					if r[key] != sim[key] || r[key] == nil || r[key] == "" {
						t.Errorf("%s: %s is %v, simulated %v", what, key, r[key], sim[key])
					}
				}
				if r["verified"] != true || r["audit"] != "ok" || r["reason"] != "exhausted" || r["ranks"] != float64(ranks) {
					t.Errorf("%s: %v", what, r)
				}
				all := phases(t, r)
				if len(all) != len(phases(t, sim)) {
					t.Fatalf("%s: %d phases", what, len(all))
				}
				for k, p := range all[1:] {
					if p["predicted"].(float64) > all[k]["makespan"].(float64) {
						t.Errorf("%s: predicted %v after %v", what, p["predicted"], all[k]["makespan"])
					}
				}
				if ranks == 1 && all[0]["messages"] != 0.0 {
					t.Errorf("%s: %v messages between ranks", what, all[0]["messages"])
				}
			}
		}
	})
}

// On the simulated machine the last phase is faster, as the claim says, in text as in JSON;
// and map reads what was measured and finds the makespan that the run has measured.
func TestObjectsFaster(t *testing.T) {
	t.Parallel()
	graph := filepath.Join(t.TempDir(), "measured.json")
	args := []string{treesplit(t, none), "objects", "--machine", "sharedmemory", "-n", "4", "--iterations", "5", "--work", "50", "--graph", graph}
	text := run(t, "", args...)
	if text.status != 0 || !strings.Contains(text.stdout, "times as fast as the first") || !strings.Contains(text.stdout, "checksum ") {
		t.Errorf("status %d: %s%s", text.status, text.stdout, text.stderr)
	}
	r := object(t, run(t, "", append(args, "--json")...), 0)
	if s := r["speedup"].(float64); s < 1.3 {
		t.Errorf("%v times as fast", s)
	}
	if _, err := os.Stat(graph); err != nil {
		t.Fatal(err)
	}
	scored := object(t, run(t, "", treesplit(t, none), "map", graph, "--strategy", "home", "--json",
		"--send-message-ns", "0", "--receive-message-ns", "0", "--send-byte-ns", "1", "--receive-byte-ns", "1"), 0)
	if first := phases(t, r)[0]; scored["makespan"] != first["makespan"] || scored["processors"] != 4.0 {
		t.Errorf("map finds a makespan of %v on %v processors, the run %v", scored["makespan"], scored["processors"], first["makespan"])
	}
}

// What cannot be run is refused in every world.
func TestBadObjects(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ args, want string }{
		"objects":    {"--objects 0", "0 objects: expected 1 to 4096"},
		"iterations": {"--iterations 0", "0 iterations: expected"},
		"phases":     {"--phases 0", "0 phases: expected"},
		"work":       {"--work 0", "0 units of work: expected"},
		"sizes":      {"--sizes odd", `sizes "odd": expected one of front`},
		"start":      {"--start end", `start "end": expected one of block`},
		"bytes":      {"--bytes 4", "4 bytes per message: expected"},
		"strategy":   {"--strategy magic", `strategy "magic": expected one of`},
		"time":       {"--time -1s", "time to map -1s"},
		"graph":      {"--graph measured.graph", "--graph: "},
		"argument":   {"ring", "expected flags only"},
	}
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		for _, name := range someUnder(l, cases) {
			c := cases[name]
			t.Run(name, func(t *testing.T) {
				args := append([]string{"objects"}, strings.Fields(c.args)...)
				if l == none {
					refused(t, run(t, "", append([]string{treesplit(t, none)}, args...)...), c.want)
					return
				}
				refused(t, runIn(t, l, 2, "", args...), c.want)
			})
		}
	})
}

// A run out of time says so, with status 3 and the phases that were over.
func TestObjectsOutOfTime(t *testing.T) {
	t.Parallel()
	r := object(t, run(t, "", treesplit(t, none), "objects", "-n", "2", "--iterations", "2", "--phases", "100000", "--timeout", "300ms", "--json"), 3)
	if r["reason"] != "timeout" || r["checksum"] != nil || r["audit"] != "ok" {
		t.Errorf("%v", r)
	}
}
