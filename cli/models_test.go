package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// --all prints the number of models, in JSON as a string if it is above 2^53. For a DNF it prints
// the number of assignments that make the DNF false. Without --all there is no number.
func TestModels(t *testing.T) {
	for _, c := range []struct {
		formula string
		args    []string
		status  int
		line    string // of the text
		models  any    // of the JSON
	}{
		{"p cnf 3 1\n1 2 3 0\n", []string{"--all"}, 10, "c 7 models, in 3 leaves", 7.0},
		{"p cnf 3 1\n1 2 3 0\n", []string{"--all", "--rule", "paper"}, 10, "c s exact arb int 7", 7.0},
		{"p cnf 3 1\n1 2 3 0\n", nil, 10, "", nil},
		{"p cnf 53 0\n", []string{"--all"}, 10, "c 9007199254740992 models, in 1 leaves", 9007199254740992.0},
		{"p cnf 54 0\n", []string{"--all"}, 10, "c 18014398509481984 models, in 1 leaves", "18014398509481984"},
		{"p cnf 1 2\n1 0\n-1 0\n", []string{"--all"}, 20, "c 0 models, in 0 leaves", 0.0},
		{"p dnf 4 1\n1 2 3 0\n", []string{"--all"}, 10, "c 14 assignments that make the disjunctive normal form false, in 3 leaves", 14.0},
	} {
		for _, format := range []string{"text", "json"} {
			args := append([]string{"sat", "-", "-n", "1"}, c.args...)
			if format == "json" {
				args = append(args, "--json")
			}
			var out, errs bytes.Buffer
			if status := Main(args, strings.NewReader(c.formula), &out, &errs); status != c.status {
				t.Fatalf("%q %v: status %d: %s", c.formula, args, status, &errs)
			}
			if format == "text" {
				if c.line != "" && !strings.Contains(out.String(), c.line+"\n") || c.line == "" && strings.Contains(out.String(), "models") {
					t.Errorf("%q %v, want %q:\n%s", c.formula, args, c.line, &out)
				}
				continue
			}
			var r map[string]any
			if err := json.Unmarshal(out.Bytes(), &r); err != nil {
				t.Fatal(err)
			}
			if r["models"] != c.models || r["modelsAtLeast"] != nil {
				t.Errorf("%q %v: models %v, want %v", c.formula, args, r["models"], c.models)
			}
		}
	}
}

// A count that was stopped is reported as a lower bound, with the status of a stopped run, even if
// models were found.
func TestModelsStopped(t *testing.T) {
	var f strings.Builder
	fmt.Fprintln(&f, "p cnf 160 80")
	for i := range 80 {
		fmt.Fprintf(&f, "%d %d 0\n", 2*i+1, 2*i+2)
	}
	args := []string{"sat", "-", "-n", "2", "--all", "--rule", "paper", "--timeout", "100ms"}
	var out, errs bytes.Buffer
	if status := Main(append(args, "--json"), strings.NewReader(f.String()), &out, &errs); status != 3 {
		t.Fatalf("status %d: %s", status, &errs)
	}
	var r map[string]any
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if r["models"] != nil || r["modelsAtLeast"] == nil || r["reason"] != "timeout" {
		t.Errorf("%s", &out)
	}
	out.Reset()
	if status := Main(args, strings.NewReader(f.String()), &out, &errs); status != 3 || !strings.Contains(out.String(), "c at least ") || strings.Contains(out.String(), "exact") {
		t.Errorf("status %d: %s", status, &out)
	}
}

// A chain of runs that are interrupted counts every model once.
func TestModelsInChain(t *testing.T) {
	var f strings.Builder
	fmt.Fprintln(&f, "p cnf 40 20")
	for i := range 20 {
		fmt.Fprintf(&f, "%d %d 0\n", 2*i+1, 2*i+2)
	}
	dir := t.TempDir()
	formula := filepath.Join(dir, "pairs.cnf")
	write(t, formula, f.String())
	schemes := []string{"rp", "sl", "grr", "ranade", "static+rp"}
	for runs := 0; ; runs++ {
		line := fmt.Sprintf("sat %s --all --rule paper --simplify off -n %d --scheme %s --progress off --timeout %dms --resume auto --checkpoint %s/ck",
			formula, 1+runs%3, schemes[runs%len(schemes)], 10+runs, dir)
		status, stdout, stderr := runLine(line)
		if status == statusStopped {
			continue
		}
		if status != statusSatisfiable || !strings.Contains(stdout, "c 3486784401 models") { // 3^20
			t.Errorf("run %d: status %d: %s%s", runs, status, stdout, stderr)
		}
		if runs == 0 {
			t.Error("no run was interrupted")
		}
		return
	}
}
