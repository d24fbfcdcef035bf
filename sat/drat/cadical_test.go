package drat_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"treesplit/sat"
	"treesplit/sat/drat"
	"treesplit/sat/gen"
)

// small are formulas of every family, as "name=value …" and seed; most are unsatisfiable.
var small = map[string][]string{
	"random":           {"n=60 ratio=6", "n=100 ratio=5 k=3", "n=130 ratio=4.6"},
	"php":              {"n=3", "n=5", "n=7"},
	"parity":           {"n=8", "n=30"},
	"tseitin-torus":    {"r=3 c=3", "r=3 c=4"},
	"tseitin-regular":  {"n=12 d=3", "n=18 d=3"},
	"vdw":              {"j=3 k=3 n=9", "j=3 k=5 n=22"},
	"ramsey":           {"s=3 t=3 n=6", "s=3 t=4 n=9"},
	"adder":            {"n=3", "n=8"},
	"multiplier":       {"n=2", "n=3", "n=4"},
	"mycielski":        {"order=3 colours=2", "order=4 colours=3"},
	"queens":           {"n=4 colours=4", "n=5 colours=4", "n=5 colours=5"},
	"random-colouring": {"n=30 p=0.3 colours=3"},

	"palindromic-vdw":   {"j=3 k=5 n=21"},
	"green-tao":         {"j=3 k=3 n=23"},
	"schur":             {"colours=3 n=14"},
	"weak-schur":        {"colours=2 n=9 break-symmetry=1"},
	"pythagorean":       {"n=23 k=6"},
	"erdos-discrepancy": {"c=1 n=12"},
	"php-variant":       {"n=4 functional=1 onto=1", "n=2 capacity=2"},
	"chessboard":        {"n=4"},
	"sgen":              {"groups=4"},
	"latin":             {"n=6 holes=20"},
	"langford":          {"n=5 break-symmetry=1"},
	"parity-learning":   {"n=6 samples=12 errors=2"},
}

// The proofs that CaDiCaL writes are verified, whatever it is told to do, in text
// and binary; without their last quarter they are not.
func TestCaDiCaL(t *testing.T) {
	solver, err := exec.LookPath("cadical")
	if err != nil {
		t.Skip("cadical is not installed: scripts/install does it")
	}
	for _, family := range gen.ListFamilies() {
		if len(small[family.Name]) == 0 {
			t.Errorf("no small formula of family %s", family.Name)
		}
		for _, params := range small[family.Name] {
			t.Run(family.Name+" "+params, func(t *testing.T) {
				t.Parallel()
				f, _, err := family.MakeFormula(values(t, params), 7)
				if err != nil {
					t.Fatal(err)
				}
				for _, options := range [][]string{
					{},
					{"--plain", "--no-binary"},
					{"--unsat", "--reduceint=10", "--elimint=10", "--probeint=10", "--subsumeint=10"},
					{"--no-binary", "--block", "--cover", "--condition", "--instantiate", "--elimboundmin=8", "--restartint=2"},
				} {
					checkSolver(t, solver, options, f)
				}
			})
		}
	}
}

// values reads "name=value …".
func values(t *testing.T, params string) map[string]float64 {
	v := map[string]float64{}
	for _, p := range strings.Fields(params) {
		name, value, _ := strings.Cut(p, "=")
		n, err := strconv.ParseFloat(value, 64)
		if err != nil {
			t.Fatal(err)
		}
		v[name] = n
	}
	return v
}

// checkSolver lets the solver decide the formula, and checks its proof.
func checkSolver(t *testing.T, solver string, options []string, f *sat.Formula) {
	dir := t.TempDir()
	var input bytes.Buffer
	if err := f.WriteDIMACS(&input); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "p.drat")
	cmd := exec.Command(solver, append(options, "-q", "-n", "-", path)...)
	cmd.Stdin = &input
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 10 && exit.ExitCode() != 20 {
		t.Fatalf("%v: %v\n%s", options, err, out)
	}
	proof, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := drat.Check(f.Clauses(), bytes.NewReader(proof), "p", drat.Options{})
	if err != nil {
		t.Fatalf("%v: %v", options, err)
	}
	if unsatisfiable := exit.ExitCode() == 20; r.Verified != unsatisfiable || r.Missing > 0 {
		t.Errorf("%v: unsatisfiable %v, %+v", options, unsatisfiable, r)
	}
	if !r.Verified || r.Lemmas < 20 {
		return
	}
	// Cut between steps, which end with 0 at the end of a line or alone.
	end := "\n"
	if r.Binary {
		end = "\x00"
	}
	cut := proof[:bytes.LastIndex(proof[:r.Offset*3/4], []byte(end))+1]
	if r, err = drat.Check(f.Clauses(), bytes.NewReader(cut), "p", drat.Options{}); err != nil || r.Verified {
		t.Errorf("%v: cut short, %+v, %v", options, r, err)
	}
}
