package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// ringRuns are computations of each kind.
var ringRuns = [][]string{
	{"tree", "--levels", "12"},
	{"grid", "--side", "70"},
	{"random", "--seed", "868", "--levels", "120"},
	{"bad", "--family", "chained", "--levels", "18", "--weight", "3"},
	{"quadrature", "--function", "peak", "--from", "-1", "--to", "2", "--tolerance", "1e-6"},
}

// ringRanks are the tasks that each rank executed.
func ringRanks(t testing.TB, r map[string]any) string {
	t.Helper()
	var tasks []any
	ranks, ok := r["perRank"].([]any)
	if !ok {
		t.Fatalf("no perRank: %v", r)
	}
	for _, one := range ranks {
		tasks = append(tasks, one.(map[string]any)["expanded"])
	}
	return fmt.Sprint(tasks)
}

// Under each launcher and without, a computation on a ring has on each rank as many tasks
// as in the simulation in steps, and the same integral to the last bit.
// Reference: Gao and Rosenberg, lemma 1.1.
func TestRing(t *testing.T) {
	t.Parallel()
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		for i, args := range ringRuns {
			for j, ranks := range []int{1, 2, 3, 5} {
				if l != none && (i+j)%2 == 1 { // a launch takes a second
					continue
				}
				args := append([]string{"ring"}, args...)
				steps := object(t, runIn(t, none, ranks, "", append(args, "--steps", "--json")...), 0)
				real := object(t, runIn(t, l, ranks, "", append(args, "--json", "--stall", "30s")...), 0)
				for _, key := range []string{"tasks", "leaves", "depth", "integral", "expanded", "computation", "scheme", "ranks", "seed"} {
					if real[key] != steps[key] || key != "integral" && real[key] == nil {
						t.Errorf("%v on %d ranks: %s is %v, in steps %v", args, ranks, key, real[key], steps[key])
					}
				}
				if a, b := ringRanks(t, real), ringRanks(t, steps); a != b {
					t.Errorf("%v on %d ranks: tasks by rank %s, in steps %s", args, ranks, a, b)
				}
				for _, key := range []string{"world", "termination", "requests", "grants", "rejects", "messages", "seconds"} {
					if real[key] == nil || steps[key] == nil {
						t.Errorf("%v: no key %s", args, key)
					}
				}
				if real["audit"] != "ok" || real["reason"] != "exhausted" {
					t.Errorf("%v on %d ranks: audit %v, reason %v", args, ranks, real["audit"], real["reason"])
				}
			}
		}
	})
}

// What cannot be run is refused in every world.
func TestBadRings(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ args, want string }{
		"levels":      {"tree --levels 63", "63 levels: expected 1 to 62"},
		"side":        {"grid --side 0", "side 0: expected"},
		"chances":     {"random --binary 0.7 --unary 0.4", "expected 0 or more"},
		"family":      {"bad --family worse", `unknown family "worse"`},
		"function":    {"quadrature --function tan", `--function: unknown name "tan"`},
		"domain":      {"quadrature --function log", "defined on (0"},
		"resolution":  {"quadrature --resolution 0", "resolution cannot be 0: expected more"},
		"scheme":      {"tree --scheme nn", "expected --steps"},
		"computation": {"heap", `unknown computation "heap"`},
		"argument":    {"tree 5", "expected flags only"},
	}
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		for _, name := range someUnder(l, cases) {
			c := cases[name]
			t.Run(name, func(t *testing.T) {
				args := append([]string{"ring"}, strings.Fields(c.args)...)
				if l == none {
					refused(t, run(t, "", append([]string{treesplit(t, none)}, args...)...), c.want)
					return
				}
				refused(t, runIn(t, l, 2, "", args...), c.want)
			})
		}
		if l != none {
			refused(t, runIn(t, l, 2, "", "ring", "tree", "--steps"), "--steps: steps are simulated by one process")
		}
	})
	refused(t, run(t, "", treesplit(t, none), "ring", "grid", "--steps", "--scheme", "bogus"), `unknown scheme "bogus"`)
	refused(t, run(t, "", treesplit(t, none), "ring", "grid", "--steps", "--scheme", "ks-load"), "two parents")
}

// A run out of time says so, with status 3.
func TestRingOutOfTime(t *testing.T) {
	t.Parallel()
	for _, more := range []string{"--steps", "--progress=off"} {
		r := object(t, run(t, "", treesplit(t, none), "ring", "tree", "--levels", "62", "--timeout", "200ms", "--json", more), 3)
		if r["reason"] != "timeout" || r["tasks"] == 0.0 {
			t.Errorf("%v", r)
		}
	}
}
