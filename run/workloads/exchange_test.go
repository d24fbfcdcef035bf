package workloads_test

import (
	"path/filepath"
	"slices"
	"testing"

	"treesplit/lb"
	"treesplit/run"
	"treesplit/run/workloads"
	"treesplit/sim"
)

// On a simulated machine ranks exchange clauses under every scheme. Two runs are equal in all counts, and the
// proof holds.
func TestExchangeUnderSimulation(t *testing.T) {
	machine, err := sim.FindMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	f := made(t, "random", map[string]float64{"n": 150, "ratio": 4.8}, 3)
	exchanging, schemes := 0, lb.SchemeNames()
	if testing.Short() {
		schemes = schemes[:2]
	}
	for i, scheme := range schemes {
		var counts [2][]int64
		path := filepath.Join(t.TempDir(), "proof")
		for j := range counts {
			w := satOf(t, f, "cubes")
			w.Cut, w.Budget, w.Learn, w.Simplify = "assigned=14", 200, workloads.LearnShared, "off"
			w.Proof = path
			p := proofPlan(scheme, i, 5)
			r, err := run.RunSimulation(machine, p, w, run.Hooks{})
			w.Close()
			if err != nil || r.Witness != nil {
				t.Fatalf("%s: %v, %v", scheme, r, err)
			}
			counts[j] = append(slices.Clone(r.Counts.Sums), r.Expanded, r.Messages)
		}
		if !slices.Equal(counts[0], counts[1]) {
			t.Errorf("%s: two runs have %v and %v", scheme, counts[0], counts[1])
		}
		if checked(t, f, path); counts[0][workloads.SATTaken] > 0 {
			exchanging++
		}
	}
	if n := len(schemes); exchanging < n*3/4 {
		t.Errorf("ranks took in clauses under %d of %d schemes", exchanging, n)
	}
}

// Ranks also exchange clauses if the splitting function is damaged, and the proof holds.
func TestExchangeWithDamage(t *testing.T) {
	machine, err := sim.FindMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	f := made(t, "random", map[string]float64{"n": 150, "ratio": 4.8}, 3)
	path := filepath.Join(t.TempDir(), "proof")
	w := satOf(t, f, "cubes")
	w.Cut, w.Budget, w.Learn, w.Simplify = "assigned=14", 200, workloads.LearnShared, "off"
	w.Proof = path
	p := proofPlan("rp", 0, 5)
	p.Damage = 0.3
	r, err := run.RunSimulation(machine, p, w, run.Hooks{})
	w.Close()
	if err != nil || r.Witness != nil {
		t.Fatalf("%v, %v", r, err)
	}
	if checked(t, f, path); r.Counts.Sums[workloads.SATTaken] == 0 {
		t.Error("no rank has taken in clauses")
	}
}

// Attempts of rule cdcl exchange clauses on a simulated machine, and two runs are equal in all counts. With a proof
// they exchange none.
func TestAttemptsExchange(t *testing.T) {
	machine, err := sim.FindMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	f := made(t, "multiplier", map[string]float64{"n": 5}, 0)
	search := func(proof string) []int64 {
		t.Helper()
		w := satOf(t, f, "cdcl")
		w.Proof = proof
		r, err := run.RunSimulation(machine, proofPlan("rp", 0, 4), w, run.Hooks{})
		w.Close()
		if err != nil || r.Witness != nil {
			t.Fatalf("%v, %v", r, err)
		}
		return append(slices.Clone(r.Counts.Sums), r.Expanded, r.Messages)
	}
	first, second := search(""), search("")
	if !slices.Equal(first, second) || first[workloads.SATImported] == 0 {
		t.Errorf("two runs have %v and %v: expected equal counts, and clauses that were taken in", first, second)
	}
	path := filepath.Join(t.TempDir(), "proof")
	if counts := search(path); counts[workloads.SATImported] != 0 {
		t.Errorf("with a proof: %d clauses were taken in", counts[workloads.SATImported])
	}
	checked(t, f, path)
}
