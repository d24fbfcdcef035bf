package workloads_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"treesplit/run"
	"treesplit/run/workloads"
	"treesplit/sat"
	"treesplit/sat/ruletest"
	"treesplit/sim"
)

// pickedFor returns the choice of auto for a formula, and the name of the rule.
func pickedFor(t testing.TB, f *sat.Formula, change func(w *workloads.SAT)) (rule string, choice *workloads.Picked) {
	t.Helper()
	w := satOf(t, f, "auto")
	change(w)
	defer w.Close()
	if _, err := w.Load(); err != nil {
		t.Fatal(err)
	}
	return w.PickedRule()
}

// plainly changes nothing.
func plainly(*workloads.SAT) {}

// Auto picks, for each family, the rule that is known to be fast: look-ahead for random 3-SAT, plain
// for pigeons and van der Waerden formulas, clause learning for circuits.
func TestAutoPicks(t *testing.T) {
	for _, c := range []struct {
		family, values string
		rule           string
		decided        bool // by the try
	}{
		{"php", "n=6", "lookahead", false},
		{"php", "n=10", "plain", false},
		{"random", "n=250 ratio=4.6", "lookahead", false},
		{"random", "n=300 ratio=4.6", "lookahead", false},
		{"vdw", "j=3 k=11 n=114", "plain", false},
		{"vdw", "j=4 k=7 n=109", "plain", false},
		{"palindromic-vdw", "j=3 k=18 n=312", "plain", false},
		{"schur", "colours=4 n=45 break-symmetry=1", "plain", false},
		{"adder", "n=16", "cdcl", true},
		{"adder", "n=60", "cdcl", true},
		{"multiplier", "n=14", "cdcl", false},
	} {
		if testing.Short() && c.family != "adder" && c.values != "n=6" {
			continue
		}
		change := plainly
		if c.rule == "cdcl" && !c.decided {
			change = func(w *workloads.SAT) { w.SetLimits(100, 6_000_000) } // without a long try
		}
		rule, choice := pickedFor(t, ruletest.MakeFamily(t, c.family, 1, c.values), change)
		if rule != c.rule || choice.Decided != c.decided {
			t.Errorf("%s %s: %s, %+v; want %s, decided %v", c.family, c.values, rule, choice, c.rule, c.decided)
		}
	}
}

// Auto picks no tree of 10^150 to 10^300 nodes. The variance of such an estimate is above the largest float64.
func TestAutoPicksNoHugeTree(t *testing.T) {
	f := ruletest.MakeFamily(t, "parity", 0, "n=540")
	rule, choice := pickedFor(t, f, func(w *workloads.SAT) {
		w.SetLimits(100, 1)
		w.ShortenDives()
		w.Simplify, w.Gauss = "off", "off"
	})
	if rule != "cdcl" || choice.Plain == nil || !(choice.Plain.Nodes > 1e154) {
		t.Errorf("%s, %+v, plain %+v, lookahead %+v; want cdcl", rule, choice, choice.Plain, choice.Lookahead)
	}
}

// With All, auto picks among the rules that count models, and does not try.
func TestAutoCounts(t *testing.T) {
	rule, choice := pickedFor(t, ruletest.MakeFamily(t, "adder", 1, "n=8"), func(w *workloads.SAT) { w.All = true })
	if rule == "cdcl" || choice.Tried {
		t.Errorf("%s, %+v: expected the rule of a tree without a try", rule, choice)
	}
}

// The choice is the same in each run and with a proof, and ranks of other processes learn of it.
func TestAutoIsDeterministic(t *testing.T) {
	f := ruletest.MakeFamily(t, "random", 5, "n=150 ratio=4.6")
	rule, first := pickedFor(t, f, plainly)
	again, second := pickedFor(t, f, func(w *workloads.SAT) { w.Proof = filepath.Join(t.TempDir(), "proof") })
	if rule != again || *first.Plain != *second.Plain || first.Conflicts != second.Conflicts {
		t.Errorf("%s, %+v; again %s, %+v", rule, first, again, second)
	}
	w := satOf(t, f, "auto")
	problem, err := w.Load()
	if err != nil {
		t.Fatal(err)
	}
	data, err := problem.Encode()
	if err != nil {
		t.Fatal(err)
	}
	other := workloads.NewSAT(workloads.SATOptions{Rule: "auto"})
	decoded, err := other.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := other.PickedRule(); got != rule {
		t.Errorf("another process searches by %s, want %s", got, rule)
	}
	if a, b := problem.(run.Savable).Identity(), decoded.(run.Savable).Identity(); a != b {
		t.Errorf("identities %q and %q", a, b)
	}
	for _, wrong := range [][]byte{nil, {200}, data[1:]} {
		if _, err := workloads.NewSAT(workloads.SATOptions{Rule: "auto"}).Decode(wrong); err == nil && len(wrong) < 2 {
			t.Errorf("%v is accepted as an encoded formula", wrong)
		}
	}
}

// A formula that the try decides, or for which it finds units, gives the right verdict, and a proof
// that the checker accepts.
func TestAutoTries(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 8))
	satisfiable, tried := 0, 0
	count := 40
	if testing.Short() {
		count = 8
	}
	for i := range count {
		f := ruletest.RandomFormula(rng, 130, 610+rng.IntN(150), 3, 3, 4)
		if i%4 == 0 {
			f = made(t, "adder", map[string]float64{"n": float64(12 + i/4)}, 0)
		}
		w := satOf(t, f, "auto")
		w.Proof = filepath.Join(t.TempDir(), "proof")
		_, found := decided(t, run.DefaultPlan(1+i%3), w, math.MaxInt64)
		if found.Picked.Tried {
			tried++
		}
		if found.Model != nil {
			satisfiable++
			continue
		}
		checked(t, f, w.Proof)
	}
	if satisfiable == 0 || satisfiable > count*3/4 || tried < count/4 {
		t.Errorf("%d of %d formulas are satisfiable, the solver tried %d: expected some of each kind", satisfiable, count, tried)
	}
}

// If plain is expected to be much faster after elimination, it searches that formula. Its models become models
// of the input, and the proof refutes the input. The last two formulas are searched so whatever is expected.
func TestAutoEliminates(t *testing.T) {
	for _, c := range []struct {
		family, values string
		preferred      bool
		satisfiable    bool
	}{
		{"mycielski", "order=6 colours=5", false, false},
		{"langford", "n=9", true, false},
		{"schur", "colours=4 n=44 break-symmetry=2", true, true},
	} {
		if testing.Short() && (!c.preferred || c.satisfiable) {
			continue
		}
		f := ruletest.MakeFamily(t, c.family, 1, c.values)
		w := satOf(t, f, "auto")
		if c.preferred {
			w.PreferElimination()
		}
		w.Proof = filepath.Join(t.TempDir(), "proof")
		r, err := run.RunOnGoroutines(run.DefaultPlan(2), w, run.Hooks{})
		w.Close()
		if err != nil {
			t.Fatalf("%s %s: %v", c.family, c.values, err)
		}
		found, err := w.ReadResult(r)
		if err != nil {
			t.Fatalf("%s %s: %v", c.family, c.values, err)
		}
		if found.Rule != "plain" || found.Picked.Eliminate == nil || found.Simplified.Eliminated == 0 {
			t.Errorf("%s %s: %s, %+v, %+v; want plain after elimination", c.family, c.values, found.Rule, found.Picked, found.Simplified)
		}
		if (found.Model != nil) != c.satisfiable { // ReadResult has checked the model
			t.Fatalf("%s %s: model %v", c.family, c.values, found.Model)
		}
		if !c.satisfiable {
			checked(t, f, w.Proof)
		}
	}
}

// If auto picks cdcl, attempt 0 continues the try: on one rank the search has as many conflicts as a
// search by cdcl. The proof has the lemmas of the try, and the checker accepts it. The other attempts
// begin with the formula and the units of the try.
func TestTryBecomesAttempt(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	continued, least := 0, 2
	if testing.Short() {
		least = 1
	}
	for i := range 4 {
		f := ruletest.RandomFormula(rng, 160, 870, 3, 3, 4)
		if testing.Short() && i%2 == 0 { // one rank
			continue
		}
		w := satOf(t, f, "auto")
		w.SetLimits(0, 5000)
		diveBriefly(w)
		w.Proof = filepath.Join(t.TempDir(), "proof")
		plan := run.DefaultPlan(1 + i%2)
		plan.Sequential = i%2 == 0 // the sequential search does not use up the try
		r, err := run.RunOnGoroutines(plan, w, run.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		w.Close()
		rule, choice := w.PickedRule()
		if rule != "cdcl" || choice.Decided {
			continue
		}
		continued++
		sum := choice.Conflicts + r.Counts.Sums[workloads.SATConflicts]
		if r.Ranks == 1 {
			if want := directConflicts(t, f); sum != want {
				t.Errorf("formula %d: %d conflicts with a try, want %d", i, sum, want)
			}
		}
		if r.Witness == nil {
			checked(t, f, w.Proof)
		}
	}
	if continued < least {
		t.Errorf("%d tries were continued: expected more", continued)
	}
}

// directConflicts returns the number of conflicts of a search by cdcl on one rank.
func directConflicts(t *testing.T, f *sat.Formula) int64 {
	t.Helper()
	r, err := run.RunOnGoroutines(run.DefaultPlan(1), satOf(t, f, "cdcl"), run.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Counts.Sums[workloads.SATConflicts]
}

// The try searches the formula of rule cdcl, and not one that is simplified in another way: it needs
// the same number of conflicts. The checker accepts the proof, which has the lemmas of both
// simplifications.
func TestTryIsRuleCDCL(t *testing.T) {
	for _, n := range []string{"n=20", "n=60"} {
		if testing.Short() && n == "n=60" {
			continue
		}
		f := ruletest.MakeFamily(t, "adder", 1, n)
		whole, err := run.RunOnGoroutines(run.DefaultPlan(1), satOf(t, f, "cdcl"), run.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "proof")
		w := satOf(t, f, "auto")
		w.Proof = path
		if _, err := run.RunOnGoroutines(run.DefaultPlan(1), w, run.Hooks{}); err != nil {
			t.Fatal(err)
		}
		w.Close()
		_, choice := w.PickedRule()
		if want := whole.Counts.Sums[workloads.SATConflicts]; !choice.Decided || choice.Conflicts != want {
			t.Errorf("adder %s: %+v, want a decision after %d conflicts", n, choice, want)
		}
		checked(t, f, path)
	}
}

// On one rank, and on a simulated machine, rule cdcl does the same in each run.
func TestAttemptsAreDeterministic(t *testing.T) {
	f := ruletest.MakeFamily(t, "random", 3, "n=100 ratio=4.6")
	machine, err := sim.FindMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	for _, ranks := range []int{1, 6} {
		var first *run.Result
		for range 2 {
			r, err := run.RunSimulation(machine, run.DefaultPlan(ranks), satOf(t, f, "cdcl"), run.Hooks{})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = r
			}
			if r.Expanded != first.Expanded || r.Seconds != first.Seconds || r.Counts.Maxima[0] != first.Counts.Maxima[0] {
				t.Errorf("%d ranks: %d nodes in %v s, then %d in %v s", ranks, first.Expanded, first.Seconds, r.Expanded, r.Seconds)
			}
		}
		if attempts := first.Counts.Sums[workloads.SATAttempts]; attempts != int64(ranks) {
			t.Errorf("%d attempts on %d ranks: expected one per rank", attempts, ranks)
		}
	}
}

// An attempt survives pauses for checkpoints: it does not begin again.
func TestAttemptsSurvivePauses(t *testing.T) {
	f := ruletest.MakeFamily(t, "random", 3, "n=140 ratio=4.6")
	machine, err := sim.FindMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	still, err := run.RunSimulation(machine, run.DefaultPlan(1), satOf(t, f, "cdcl"), run.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	p := proofPlan("rp", 0, 1)
	p.Checkpoint = filepath.Join(t.TempDir(), "saved")
	p.CheckpointEvery = 20_000_000 // virtual ns
	saved, err := run.RunSimulation(machine, p, satOf(t, f, "cdcl"), run.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if saved.Saved == nil || saved.Saved.Count < 2 {
		t.Fatalf("%+v: expected several checkpoints", saved.Saved)
	}
	if saved.Expanded != still.Expanded || saved.Counts.Sums[0] != still.Counts.Sums[0] {
		t.Errorf("%d nodes with %d checkpoints, %d without", saved.Expanded, saved.Saved.Count, still.Expanded)
	}
}

// Rules and flags that do not go together are refused.
func TestRefusedRules(t *testing.T) {
	f := made(t, "php", map[string]float64{"n": 3}, 0)
	counted := satOf(t, f, "cdcl")
	counted.All = true
	unknown := satOf(t, f, "cdcl")
	unknown.Engine = "chaff"
	for flag, w := range map[string]*workloads.SAT{"--all": counted, "--engine": unknown} {
		if _, err := w.Load(); err == nil || err.Error()[:len(flag)] != flag {
			t.Errorf("%v: expected an error that begins with %s", err, flag)
		}
	}
}
