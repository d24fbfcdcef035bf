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

// decided makes a run, which is interrupted when it asks more often than a number of times, and returns its result.
func decided(t testing.TB, p run.Plan, w *workloads.SAT, asks int64) (*run.Result, workloads.Decided) {
	t.Helper()
	var left atomic.Int64
	left.Store(asks)
	r, err := run.RunOnGoroutines(p, w, run.Hooks{Interrupted: func() bool { return left.Add(-1) < 0 }})
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	found, err := w.ReadResult(r)
	if err != nil {
		t.Fatal(err)
	}
	return r, found
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
	r, err := runIn(world, p, w, run.Hooks{})
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

// runIn makes a run on goroutines or on a simulated machine.
func runIn(world string, p run.Plan, w run.Workload, hooks run.Hooks) (*run.Result, error) {
	if world == "local" {
		return run.RunOnGoroutines(p, w, hooks)
	}
	machine, err := sim.FindMachine("ncube2")
	if err != nil {
		return nil, err
	}
	return run.RunSimulation(machine, p, w, hooks)
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
	w := satOf(t, made(t, "php", map[string]float64{"n": 5}, 0), "paper")
	w.Proof = filepath.Join(dir, "proof")
	r, err := run.RunOnGoroutines(proofPlan("rp", 1, 2), w, afterSearch())
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

// A run that is interrupted while it writes the proof saves the complete search. The next run resumes it under any scheme,
// on any number of ranks and in any world, searches nothing and writes the proof. If that run is interrupted too, it
// fails, so that a chain of runs that are too short ends.
func TestInterruptedProofIsSaved(t *testing.T) {
	f := made(t, "php", map[string]float64{"n": 5}, 0)
	for k, rule := range []string{"paper", "plain", "lookahead", "cubes"} {
		dir := t.TempDir()
		search := func(world string, p run.Plan, resume string, hooks run.Hooks) (*run.Result, *workloads.Proof) {
			w := satOf(t, f, rule)
			w.Proof, w.Simplify = filepath.Join(dir, "proof"), "off"
			defer w.Close()
			p.Checkpoint, p.Resume = filepath.Join(dir, "checkpoint"), resume
			r, err := runIn(world, p, w, hooks)
			if err != nil {
				t.Fatalf("rule %s: %v", rule, err)
			}
			return r, proofOf(t, w, r)
		}
		whole, written := search("local", proofPlan("rp", 1, 2), "", run.Hooks{})
		if whole.Saved != nil || written == nil {
			t.Fatalf("rule %s: %+v, proof %v", rule, whole.Saved, written)
		}
		want, err := os.ReadFile(written.Path)
		if err != nil {
			t.Fatal(err)
		}
		for i, scheme := range lb.SchemeNames() {
			if testing.Short() && i%4 != k {
				continue
			}
			os.Remove(written.Path)
			r, none := search("local", proofPlan("rp", i, 1+i%3), "", afterSearch())
			if s := r.Saved; s == nil || !s.Final || s.Pieces != 0 || none != nil || r.Why != lb.Exhausted || r.Trouble != nil {
				t.Fatalf("rule %s: %+v, proof %v, trouble %v: expected that the complete search is saved", rule, s, none, r.Trouble)
			}
			world := []string{"local", "sim"}[i%2]
			r, none = search(world, proofPlan(scheme, i, 1+i%5), run.ResumeAuto, afterSearch())
			if r.Trouble == nil || !r.Saved.Final || none != nil || r.Expanded != whole.Expanded {
				t.Fatalf("rule %s, %s: %+v, proof %v, trouble %v after a second interrupt", rule, scheme, r.Saved, none, r.Trouble)
			}
			r, written = search(world, proofPlan(scheme, i, 1+i%5), run.ResumeAuto, run.Hooks{})
			if r.Trouble != nil || written == nil || r.Expanded != whole.Expanded || r.Expanded != r.Resumed.Expanded || !slices.Equal(r.Counts.Sums, whole.Counts.Sums) {
				t.Fatalf("rule %s, %s: %+v, proof %v, trouble %v; want %d nodes", rule, scheme, r, written, r.Trouble, whole.Expanded)
			}
			if got, err := os.ReadFile(written.Path); err != nil || !bytes.Equal(got, want) {
				t.Errorf("rule %s, %s: a proof of %d bytes (%v), want %d, and the same", rule, scheme, len(got), err, len(want))
			}
			for _, name := range files(t, dir) {
				if strings.HasPrefix(filepath.Base(name), "checkpoint") {
					os.Remove(name)
				}
			}
		}
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
