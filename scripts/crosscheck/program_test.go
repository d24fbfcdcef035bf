package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"treesplit/run/workloads"
	"treesplit/sat/gen"
	"treesplit/sat/ruletest"
)

// newTestChecker returns a checker of goroutine ranks.
func newTestChecker(t *testing.T) *programChecker {
	t.Helper()
	w, err := newWorld(t.Context(), "goroutines", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return newProgramChecker(series{seed: 1, n: 1}, w)
}

// A short run of the program finds no disagreement.
func TestRunProgram(t *testing.T) {
	n := 16
	if testing.Short() {
		n = 4
	}
	if err := runProgram(t.Context(), series{seed: 3, from: 2, n: n}, "goroutines"); err != nil {
		t.Error(err)
	}
}

// A run that is interrupted reports it.
func TestInterruptedRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, level := range []string{"engine", "program"} {
		if err := runLevel(ctx, level, "goroutines", series{n: 5}); reportError(err, "") != 3 {
			t.Errorf("%s: %v", level, err)
		}
	}
}

// Every rule of the program gets an easy formula, whether or not it is listed in variants. A rule of a
// large tree does not get a formula, and all entries of variants are rules of the program.
func TestRulesOfTheProgram(t *testing.T) {
	var names []string
	for _, v := range suitableRules(triangle()) {
		names = append(names, v.rule)
	}
	if !slices.Equal(names, workloads.RuleNames()) {
		t.Errorf("the rules of an easy formula are %v, expected %v", names, workloads.RuleNames())
	}
	if large := ruletest.RandomFormula(newRand(1, 1), 100, 430, 3); findVariant("paper").suits(large) {
		t.Error("a random formula of 100 variables suits rule paper")
	}
	for _, v := range variants {
		if !slices.Contains(workloads.RuleNames(), v.rule) {
			t.Errorf("rule %s is not a rule of the program", v.rule)
		}
	}
}

// Different verdicts, and a verdict that contradicts the known answer, are disagreements.
func TestWrongVerdictsOfCalls(t *testing.T) {
	one, two := call{rule: "plain", ranks: 1}, call{rule: "cdcl", ranks: 2}
	for _, wrong := range []struct {
		known    gen.Answer
		calls    []call
		verdicts []bool
		judged   bool // the judges, and nothing else, find it
	}{
		{gen.Open, []call{one, two}, []bool{true, false}, false},
		{gen.Unsatisfiable, []call{one}, []bool{true}, false},
		{gen.Satisfiable, []call{two, one}, []bool{true, false}, false},
		{gen.Open, []call{one, two}, []bool{false, false}, true},
	} {
		c := newTestChecker(t)
		if wrong.judged && len(c.absent) == 2 {
			continue
		}
		f := triangle()
		c.compareVerdicts(task{formula: f, known: wrong.known}, "formula", wrong.calls, wrong.verdicts)
		c.finishJudging()
		if c.wrong == 0 || c.first != f {
			t.Errorf("%+v: %d disagreements", wrong, c.wrong)
		}
	}
	c := newTestChecker(t)
	c.compareVerdicts(task{formula: triangle(), known: gen.Satisfiable}, "formula", []call{one, two}, []bool{true, true})
	if c.finishJudging(); c.wrong > 0 {
		t.Error("correct verdicts are a disagreement")
	}
}

// A call that fails, a wrong model and a wrong proof are errors.
func TestFailedCalls(t *testing.T) {
	c := newTestChecker(t)
	f := triangle()
	if err := saveFormula(f, c.path); err != nil {
		t.Fatal(err)
	}
	one := call{rule: "plain", ranks: 2, args: []string{"--rule", "plain"}}
	if d, err := one.decide(t.Context(), c.world, f, c.path); !d.satisfiable || err != nil {
		t.Errorf("%+v, %v", d, err)
	}
	one.args = []string{"--rule", "plane"}
	if _, err := one.decide(t.Context(), c.world, f, c.path); err == nil || !strings.Contains(err.Error(), `unknown rule "plane"`) {
		t.Errorf("an unknown rule: %v", err)
	}
	for _, model := range [][]int32{{1, 2, 3}, {1, -2}, {1, -2, 2}, nil} {
		if checkModel(f, model) == nil {
			t.Errorf("the model %d is accepted", model)
		}
	}
	proof := filepath.Join(c.world.dir, "wrong")
	if err := os.WriteFile(proof, []byte("-1 0\n0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := checkProofFile(c.path, proof); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("a wrong proof: %v", err)
	}
}

// Launchers start a program on a number of ranks.
func TestLaunchers(t *testing.T) {
	for _, name := range worldNames[1:] {
		if _, err := exec.LookPath("mpirun." + name); err != nil || testing.Short() {
			t.Logf("mpirun.%s is not started: it is not installed (scripts/install), or -short is set", name)
			continue
		}
		w := &world{name: name, dir: t.TempDir(), program: "sh"}
		o, err := w.call(t.Context(), 3, []string{"-c", "echo a rank"})
		if err != nil || o.status != 0 || strings.Count(o.stdout.String(), "a rank\n") != 3 {
			t.Errorf("%s: status %d, %v: %s%s", name, o.status, err, &o.stdout, &o.stderr)
		}
		if o, err := w.call(t.Context(), 1, []string{"-c", "exit 1"}); err != nil || o.status <= 0 {
			t.Errorf("%s: status %d, %v", name, o.status, err)
		}
	}
	if _, err := newWorld(t.Context(), "pvm", t.TempDir()); err == nil || !strings.HasPrefix(err.Error(), "-world: ") {
		t.Errorf("an unknown world: %v", err)
	}
}
