//go:build cadical && cgo

package cli

import (
	"encoding/json"
	"path/filepath"
	"testing"
)

// With --engine cadical the attempts of cdcl, and auto if it picks cdcl, are searched by CaDiCaL's library, on any
// number of ranks, and the proof holds.
func TestCaDiCaLAsEngine(t *testing.T) {
	adder := filepath.Join(t.TempDir(), "adder.cnf")
	if status, _, stderr := runLine("gen adder --n 20 -o " + adder); status != 0 {
		t.Fatal(stderr)
	}
	for _, c := range []struct {
		formula, flags string
		status         int
	}{
		{"../testdata/php6.cnf", "--rule cdcl -n 1", statusUnsatisfiable},
		{"../testdata/php6.cnf", "--rule cdcl -n 3 --scheme grr", statusUnsatisfiable},
		{"../testdata/random50-sat.cnf", "--rule cdcl -n 2", statusSatisfiable},
		{adder, "--rule auto -n 2", statusUnsatisfiable},
	} {
		proof := filepath.Join(t.TempDir(), "proof")
		status, stdout, stderr := runLine("sat " + c.formula + " --engine cadical --json --proof " + proof + " " + c.flags)
		var result struct {
			Engine    string
			Conflicts int64
		}
		if err := json.Unmarshal([]byte(stdout), &result); err != nil || status != c.status {
			t.Errorf("%s %s: status %d, want %d: %v %s", c.formula, c.flags, status, c.status, err, stderr)
			continue
		}
		if result.Engine != "cadical" && c.formula != adder {
			t.Errorf("%s %s: engine %q", c.formula, c.flags, result.Engine)
		}
		if status == statusUnsatisfiable {
			if status, _, stderr := runLine("check " + c.formula + " " + proof); status != 0 {
				t.Errorf("%s %s: check: status %d: %s", c.formula, c.flags, status, stderr)
			}
		}
	}
}
