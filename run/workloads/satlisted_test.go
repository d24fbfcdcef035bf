package workloads_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"treesplit/lb"
	"treesplit/run"
	"treesplit/run/workloads"
	"treesplit/sat"
)

// neverInterrupted is the function of a run without interrupts.
func neverInterrupted() bool { return false }

// cubesOf writes the cubes of a formula and returns the name of the file.
func cubesOf(t testing.TB, f *sat.Formula, cut string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "f.icnf")
	w := satOf(t, f, "cubes")
	w.Cut = cut
	written, ok, err := w.WriteCubes(path, neverInterrupted)
	if err != nil || !ok || written.Cubes < 2 {
		t.Fatalf("%+v, %v, %v", written, ok, err)
	}
	return path
}

// CaDiCaL solves the written cubes, and every scheme searches them, with the same verdict.
func TestCubesOfFile(t *testing.T) {
	for _, c := range []struct {
		name string
		f    *sat.Formula
		cut  string
		want bool
	}{
		{"php", made(t, "php", map[string]float64{"n": 6}, 0), "assigned=9", false},
		{"unsatisfiable", made(t, "random", map[string]float64{"n": 70, "ratio": 5}, 2), "difficulty=2", false},
		{"satisfiable", made(t, "random", map[string]float64{"n": 70, "ratio": 3}, 2), "assigned=9", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := cubesOf(t, c.f, c.cut)
			expectCadical(t, path, c.want)
			for i, scheme := range lb.SchemeNames() {
				plan := run.DefaultPlan(3)
				plan.Scheme = scheme
				w := workloads.NewSAT(workloads.SATOptions{Path: path, Rule: "auto"})
				w.Learn = workloads.LearnNames()[i%3]
				r, err := run.RunOnGoroutines(plan, w, run.Hooks{})
				if err != nil {
					t.Fatal(err)
				}
				found, err := w.ReadResult(r)
				if err != nil || (found.Model != nil) != c.want || found.Rule != "cubes" || found.Cutting.Cut != "file" {
					t.Errorf("%s: %+v, %v", scheme, found, err)
				}
			}
		})
	}
}

// expectCadical compares the verdict of CaDiCaL, if it is installed.
func expectCadical(t *testing.T, path string, satisfiable bool) {
	t.Helper()
	if _, err := exec.LookPath("cadical"); err != nil {
		t.Log("cadical is not installed (scripts/install): the file is not read by it")
		return
	}
	out, err := exec.Command("cadical", "-q", path).Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if got := strings.Contains(string(out), "s SATISFIABLE"); got != satisfiable || !strings.Contains(string(out), "SATISFIABLE") {
		t.Errorf("cadical: %s", out)
	}
}

// The cubes pass from rank 0 to the other ranks, and damaged data is refused.
func TestListedEncoding(t *testing.T) {
	path := cubesOf(t, made(t, "php", map[string]float64{"n": 5}, 0), "assigned=5")
	open := func() *workloads.SAT { return workloads.NewSAT(workloads.SATOptions{Path: path, Rule: "auto"}) }
	p, err := open().Load()
	if err != nil {
		t.Fatal(err)
	}
	data, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	q, err := open().Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := q.Encode(); err != nil || !bytes.Equal(again, data) {
		t.Errorf("%d bytes became %d: %v", len(data), len(again), err)
	}
	for n := range data {
		if _, err := open().Decode(data[:n]); err == nil {
			t.Errorf("%d of %d bytes were accepted", n, len(data))
		}
	}
}

// An interrupted or refused writing leaves the old file.
func TestWriteCubesKeepsOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.icnf")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := made(t, "php", map[string]float64{"n": 5}, 0)
	w := satOf(t, f, "cubes")
	if _, ok, err := w.WriteCubes(path, func() bool { return true }); ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	w = satOf(t, f, "cubes")
	w.Simplify = "on"
	if _, ok, err := w.WriteCubes(path, neverInterrupted); ok || err == nil || !strings.HasPrefix(err.Error(), "--simplify: ") {
		t.Errorf("%v, %v", ok, err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "old" {
		t.Errorf("%q, %v", data, err)
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
		t.Errorf("%v", files)
	}
}

// Options that contradict the cubes of a file are refused.
func TestListedOptions(t *testing.T) {
	path := cubesOf(t, made(t, "php", map[string]float64{"n": 5}, 0), "assigned=5")
	for flag, o := range map[string]workloads.SATOptions{
		"rule":     {Rule: "lookahead"},
		"all":      {Rule: "auto", All: true},
		"engine":   {Rule: "auto", Engine: "cdcl"},
		"cut":      {Rule: "cubes", Cubes: workloads.Cubes{Cut: "free=3"}},
		"simplify": {Rule: "cubes", Simplify: "on"},
	} {
		o.Path = path
		if _, err := workloads.NewSAT(o).Load(); err == nil || !strings.HasPrefix(err.Error(), "--"+flag+": ") {
			t.Errorf("%s: %v", flag, err)
		}
	}
}
