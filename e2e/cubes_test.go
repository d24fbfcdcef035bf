package e2e

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// Under rule cubes the ranks are stopped and resumed under another scheme, on other numbers of ranks.
// All counts and the proof are equal to the counts and the proof of one run on one rank.
func TestCubes(t *testing.T) {
	t.Parallel()
	formula := write(t, "vdw.cnf", []byte(generate(t, "vdw", "--j", "3", "--k", "9", "--n", "77")))
	common := []string{"sat", formula, "--rule", "cubes", "--cut", "assigned=10", "--budget", "100", "--json"}
	whole := filepath.Join(t.TempDir(), "proof")
	want := object(t, run(t, "", append([]string{treesplit(t, none)}, append(common, "-n", "1", "--proof", whole)...)...), 20)
	if want["cubes"].(float64) < 20 || want["cubesSplit"].(float64) < 1 {
		t.Fatalf("%v: expected more cubes", want)
	}
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		dir := t.TempDir()
		saved, path := filepath.Join(dir, "saved"), filepath.Join(dir, "proof")
		proved := append(common[:len(common):len(common)], "--proof", path)
		first := object(t, runWith(t, l, 2, "TMPDIR="+dir, append(proved, "--checkpoint", saved, "--timeout", "20ms", "--quantum", "1", "--scheme", "shuffle")...), 3)
		if first["reason"] != "timeout" {
			t.Errorf("%v", first)
		}
		last := object(t, runWith(t, l, 3, "TMPDIR="+dir, append(proved, "--resume", saved, "--scheme", "lifeline")...), verdictStatus(l, 20))
		for _, key := range []string{"expanded", "conflicts", "cubes", "cubesSplit", "refutedByLookahead", "cubeSteps"} {
			if last[key] != want[key] {
				t.Errorf("%s: %v, want %v", key, last[key], want[key])
			}
		}
		if !bytes.Equal(readFile(t, path), readFile(t, whole)) {
			t.Error("the proofs differ")
		}
		for _, learn := range []string{"rank", "shared"} {
			kept := append(proved, "--learn", learn)
			r := object(t, runWith(t, l, 3, "TMPDIR="+dir, kept...), verdictStatus(l, 20))
			if taken, _ := r["clausesTakenIn"].(float64); r["varies"] != true || taken > 0 && learn == "rank" {
				t.Errorf("--learn %s: %v", learn, r)
			}
			if c := object(t, run(t, "", treesplit(t, none), "check", formula, path, "--json"), 0); c["result"] != "VERIFIED" {
				t.Errorf("--learn %s: %v", learn, c)
			}
		}
	})
	if c := object(t, run(t, "", treesplit(t, none), "check", formula, whole, "--json"), 0); c["result"] != "VERIFIED" {
		t.Errorf("%v", c)
	}
}

// All ranks take part in the choice of the cut, and the choice is the same as on one rank.
func TestChoiceOfCut(t *testing.T) {
	t.Parallel()
	formula := write(t, "vdw.cnf", []byte(generate(t, "vdw", "--j", "3", "--k", "7", "--n", "46")))
	choose := func(t *testing.T, l library, ranks int) (choice map[string]any, expanded any) {
		r := object(t, runIn(t, l, ranks, "", "sat", formula, "--rule", "cubes", "--json"), verdictStatus(l, 20))
		choice = r["cutting"].(map[string]any)
		if seconds, ok := choice["samplingSeconds"].(float64); !ok || seconds <= 0 {
			t.Errorf("%v", choice)
		}
		delete(choice, "samplingSeconds")
		return choice, r["expanded"]
	}
	want, nodes := choose(t, none, 1)
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		for _, ranks := range []int{2, 5} {
			if got, expanded := choose(t, l, ranks); !maps.Equal(got, want) || expanded != nodes {
				t.Errorf("%d ranks choose %v and expand %v nodes, want %v and %v", ranks, got, expanded, want, nodes)
			}
		}
	})
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
