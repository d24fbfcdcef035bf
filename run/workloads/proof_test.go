package workloads_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"treesplit/lb"
	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/run/workloads"
	"treesplit/sat"
	"treesplit/sat/drat"
	"treesplit/sat/gen"
	"treesplit/sat/proof"
	"treesplit/search"
	"treesplit/sim"
	"treesplit/termination"
)

// refutable are unsatisfiable formulas.
var refutable = []struct {
	family string
	values map[string]float64
	seed   uint64
}{
	{"php", map[string]float64{"n": 6}, 0},
	{"random", map[string]float64{"n": 30, "ratio": 6}, 2},
	{"random", map[string]float64{"n": 12, "ratio": 12}, 3},
	{"parity", map[string]float64{"n": 5}, 0},
}

// made returns a formula of a family.
func made(t testing.TB, family string, values map[string]float64, seed uint64) *sat.Formula {
	t.Helper()
	f, err := gen.FindFamily(family)
	if err != nil {
		t.Fatal(err)
	}
	formula, _, err := f.MakeFormula(values, seed)
	if err != nil {
		t.Fatal(err)
	}
	return formula
}

// satOf returns a workload that reads the formula.
func satOf(t testing.TB, f *sat.Formula, rule string) *workloads.SAT {
	t.Helper()
	var text bytes.Buffer
	if err := f.WriteDIMACS(&text); err != nil {
		t.Fatal(err)
	}
	return workloads.NewSAT(workloads.SATOptions{Path: "-", Stdin: &text, Rule: rule})
}

// proofOf is the proof that a run has written, or nil.
func proofOf(t testing.TB, w *workloads.SAT, r *run.Result) *workloads.Proof {
	t.Helper()
	found, err := w.ReadResult(r)
	if err != nil {
		t.Fatal(err)
	}
	return found.Proof
}

// splittings are ways to split the work that lead to different logs.
var splittings = []func(p *run.Plan){
	func(*run.Plan) {},
	func(p *run.Plan) { p.Splitting.Rule = search.Bottom },
	func(p *run.Plan) { p.Damage = 0.1 },
	func(p *run.Plan) { p.Splitting.Cutoff, p.Quantum = 4, 7 },
	func(p *run.Plan) { p.PhaseNodes, p.Trigger, p.Splits = 50, lb.TriggerAlways, 9 },
}

// proofPlan returns a plan; turn selects one of the variants.
func proofPlan(scheme string, turn, ranks int) run.Plan {
	detectors := termination.DetectorNames()
	p := run.Plan{
		Ranks: ranks, Scheme: scheme, Termination: detectors[turn%len(detectors)], Topology: "hypercube", Seed: uint64(turn),
		Quantum: 64, Splitting: search.DefaultSplitting, Splits: lb.AutoSplits, Stall: 20 * time.Second, Delay: 100 * time.Microsecond,
		Store: checkpoint.Files{},
	}
	variant := p
	if splittings[turn%len(splittings)](&variant); variant.Check() == nil {
		return variant
	}
	return p
}

// Under every scheme, detector and rule, on every number of ranks and in every world, the logs of
// all shares give a proof that the checker accepts, each line by RUP. No other file remains.
// Reference: ARCHITECTURE.md, "Proofs are logs by node".
func TestEveryRunIsProved(t *testing.T) {
	turn := 0
	for _, world := range []string{"local", "sim"} {
		for _, scheme := range lb.SchemeNames() {
			for _, ranks := range []int{1, 2, 3, 5} {
				for _, rule := range workloads.RuleNames() {
					if turn++; testing.Short() && turn%37 != 0 {
						continue
					}
					p := proofPlan(scheme, turn, ranks)
					in := refutable[turn%len(refutable)]
					t.Run(fmt.Sprintf("%s/%s/%d/%s", world, scheme, ranks, rule), func(t *testing.T) {
						f := made(t, in.family, in.values, in.seed)
						w := satOf(t, f, rule)
						w.Learn = workloads.LearnNames()[turn%3]
						w.ProofFormat = proof.Format(turn / len(refutable) % 2)
						w.Simplify = workloads.SimplifyNames()[turn/7%3]
						w.LRAT = turn%5 == 0
						proved(t, world, p, w, f)
					})
				}
			}
		}
	}
}

// proved makes a run and checks its proof.
func proved(t *testing.T, world string, p run.Plan, w *workloads.SAT, f *sat.Formula) {
	t.Helper()
	dir, logs := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", logs)
	w.Proof = filepath.Join(dir, "proof"+[]string{"", ".gz", ".zst"}[p.Seed%3])
	defer w.Close()
	r, err := runIn(world, p, w)
	if err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	if r.Witness != nil {
		t.Fatal("a solution of an unsatisfiable formula")
	}
	c := proofOf(t, w, r)
	if c == nil || c.Path != w.Proof || c.Lemmas < 1 {
		t.Fatalf("%+v: proof %+v", p, c)
	}
	report := checked(t, f, w.Proof)
	if report.Lemmas > c.Lemmas || report.Missing > 0 || report.LRAT != w.LRAT || report.Binary != (w.ProofFormat == proof.Binary && !w.LRAT) {
		t.Errorf("%+v: written %+v, checked %+v", p, c, report)
	}
	if left := files(t, dir, logs); !slices.Equal(left, []string{w.Proof}) {
		t.Errorf("files %v are left", left)
	}
}

func runIn(world string, p run.Plan, w run.Workload) (*run.Result, error) {
	if world == "local" {
		return run.RunOnGoroutines(p, w, run.Hooks{})
	}
	machine, err := sim.FindMachine("ncube2")
	if err != nil {
		return nil, err
	}
	return run.RunSimulation(machine, p, w, run.Hooks{})
}

// checked checks a proof in a file.
func checked(t *testing.T, f *sat.Formula, path string) drat.Report {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	report, err := drat.Check(f.Clauses(), file, path, drat.Options{Format: drat.AnyFormat})
	if err != nil || !report.Verified {
		t.Fatalf("%+v: %v", report, err)
	}
	return report
}

// files lists the files in directories.
func files(t *testing.T, dirs ...string) (names []string) {
	t.Helper()
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	return names
}

// Without a refutation there is no proof and no file.
func TestNoProof(t *testing.T) {
	for name, c := range map[string]struct {
		formula *sat.Formula
		hooks   run.Hooks
	}{
		"satisfiable": {made(t, "random", map[string]float64{"n": 40, "ratio": 3.5}, 1), run.Hooks{}},
		"interrupted": {made(t, "php", map[string]float64{"n": 9}, 0), run.Hooks{Interrupted: func() bool { return true }}},
	} {
		t.Run(name, func(t *testing.T) {
			dir, logs := t.TempDir(), t.TempDir()
			t.Setenv("TMPDIR", logs)
			w := satOf(t, c.formula, "paper")
			w.Proof = filepath.Join(dir, "proof")
			r, err := run.RunOnGoroutines(proofPlan("rp", 1, 3), w, c.hooks)
			w.Close()
			if err != nil || proofOf(t, w, r) != nil {
				t.Errorf("%+v, %v; proof %+v", r, err, proofOf(t, w, r))
			}
			if left := files(t, dir, logs); len(left) > 0 {
				t.Errorf("files %v are left", left)
			}
		})
	}
}

// The user may interrupt the writing of a proof, with one signal or with two. No part of the
// proof remains.
func TestInterruptedProof(t *testing.T) {
	dir := t.TempDir()
	var searched atomic.Bool
	w := satOf(t, made(t, "php", map[string]float64{"n": 5}, 0), "paper")
	w.Proof = filepath.Join(dir, "proof")
	r, err := run.RunOnGoroutines(proofPlan("rp", 1, 2), w, run.Hooks{
		Interrupted: searched.Load,
		Step:        func(run.Step) { searched.Store(true) },
	})
	if err != nil || r.Why != lb.Exhausted || proofOf(t, w, r) != nil {
		t.Errorf("%+v, %v; proof %+v", r, err, proofOf(t, w, r))
	}
	if left := files(t, dir); len(left) > 0 {
		t.Errorf("files %v are left", left)
	}
	w = satOf(t, made(t, "php", map[string]float64{"n": 5}, 0), "paper")
	w.Proof = filepath.Join(dir, "proof")
	if _, err := w.Load(); err != nil || len(files(t, dir)) != 1 {
		t.Fatalf("%v, files %v", err, files(t, dir))
	}
	if w.Abandon(); len(files(t, dir)) > 0 {
		t.Errorf("files %v are left", files(t, dir))
	}
}

// If the logs or the proof cannot be written, the run returns an error that names the file, and
// no file remains.
func TestProofThatCannotBeWritten(t *testing.T) {
	f := made(t, "php", map[string]float64{"n": 6}, 0)
	for name, c := range map[string]struct {
		proof, logs string
		input       bool
		want        string
	}{
		"no directory": {"nowhere/proof", "", true, "--proof: "},
		"a directory":  {".", "", true, "is a directory"},
		"logs":         {"proof", "nowhere", false, "no room for the logs of a proof"},
		"full":         {"/dev/full", "", false, "no space left"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv("TMPDIR", filepath.Join(dir, c.logs))
			w := satOf(t, f, "paper")
			if w.Proof = c.proof; !filepath.IsAbs(c.proof) {
				w.Proof = filepath.Join(dir, c.proof)
			} else if _, err := os.Stat(c.proof); errors.Is(err, fs.ErrNotExist) {
				t.Skipf("there is no %s", c.proof)
			}
			r, err := run.RunOnGoroutines(proofPlan("rp", 1, 2), w, run.Hooks{})
			if err == nil {
				err = r.Trouble // the answer is valid
			}
			w.Close()
			if err == nil || !strings.Contains(err.Error(), c.want) || errors.As(err, &run.InputError{}) != c.input {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if left := files(t, dir); len(left) > 0 {
				t.Errorf("files %v are left", left)
			}
		})
	}
}
