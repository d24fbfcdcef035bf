package e2e

import (
	"path/filepath"
	"testing"
)

// Under rule cdcl the ranks decide a formula, stop at a timeout, are saved, and resume; check
// verifies the proof of the resumed search. Without a proof the ranks exchange clauses. The adder has
// parities whose sums the search uses: without them it takes another number of conflicts.
func TestClauseLearning(t *testing.T) {
	t.Parallel()
	adder := write(t, "adder.cnf", []byte(generate(t, "adder", "--n", "32")))
	hard := generate(t, "php", "--n", "12")
	random := write(t, "random.cnf", []byte(generate(t, "random", "--n", "240", "--ratio", "4.6", "--seed", "2")))
	conflicts := func(gauss string) any {
		return object(t, run(t, "", treesplit(t, none), "sat", adder, "--rule", "cdcl", "--simplify", "off", "--gauss", gauss, "-n", "1", "--json"), 20)["conflicts"]
	}
	if summed, alone := conflicts("auto"), conflicts("off"); summed == alone {
		t.Errorf("%v conflicts with sums of parities and without", summed)
	}
	inEachWorld(t, worlds, func(t *testing.T, l library) {
		dir := t.TempDir()
		saved, path := filepath.Join(dir, "saved"), filepath.Join(dir, "proof")
		common := []string{"sat", "--rule", "cdcl", "--simplify", "off", "--json", "--proof", path}
		first := object(t, runWith(t, l, 2, "TMPDIR="+dir, append(common, adder, "--checkpoint", saved, "--timeout", "1ms")...), 3)
		if first["reason"] != "timeout" || first["varies"] != true || first["attempts"].(float64) > 2 || first["attempt"] != nil {
			t.Errorf("%v", first)
		}
		last := object(t, runWith(t, l, 3, "TMPDIR="+dir, append(common, adder, "--resume", saved)...), verdictStatus(l, 20))
		if last["attempt"] == nil || last["expanded"].(float64) < first["expanded"].(float64) || last["conflicts"].(float64) < 1 {
			t.Errorf("%v after %v", last, first)
		}
		if c := object(t, run(t, "", treesplit(t, none), "check", adder, path, "--json"), 0); c["result"] != "VERIFIED" {
			t.Errorf("%v", c)
		}
		r := object(t, runIn(t, l, 2, "", "sat", random, "--rule", "cdcl", "--simplify", "off", "--json"), verdictStatus(l, 20))
		if taken, _ := r["clausesTakenIn"].(float64); taken == 0 {
			t.Errorf("no clauses were exchanged: %v", r)
		}
		if r := object(t, runIn(t, l, 2, hard, "sat", "-", "--rule", "cdcl", "--timeout", "200ms", "--json"), 3); r["reason"] != "timeout" || r["audit"] != "ok" {
			t.Errorf("%v", r)
		}
	})
}
