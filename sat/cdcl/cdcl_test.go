package cdcl

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"treesplit/sat"
	"treesplit/sat/ruletest"
)

// hasty makes every technique run every few conflicts.
var hasty = tuning{firstMode: 4, luby: 2, rephase: 3, reduce: 3, vivifyShare: 400, freeSteps: 400, garbage: 100}

// decide decides a formula and checks the model, or the proof with its hints.
func decide(f *sat.Formula, seed uint64, t tuning) (satisfiable bool, err error) {
	r := newRecord()
	r.addFormula(f)
	return decideWith(newTuned(Options{Proof: r, Hints: true, Seed: seed}, t), r, f)
}

// decideWith decides a formula by a new solver whose lemmas go to the record.
func decideWith(s *Solver, r *record, f *sat.Formula) (satisfiable bool, err error) {
	s.AddFormula(f)
	switch status := s.Solve(NoLimit); status {
	case Satisfiable:
		return true, errors.Join(f.CheckModel(s.Model(f.Variables)), r.err)
	case Unsatisfiable:
		return false, r.check(f)
	default:
		return false, fmt.Errorf("the result is %v", status)
	}
}

// decideOrFail is decide in a test.
func decideOrFail(t *testing.T, f *sat.Formula, seed uint64, with tuning) bool {
	t.Helper()
	satisfiable, err := decide(f, seed, with)
	if err != nil {
		t.Fatalf("%v: %v", f, err)
	}
	return satisfiable
}

// fewer returns n, or a tenth of it in a short test.
func fewer(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// Verdicts agree with truth tables; models satisfy the formula, and proofs with their hints are
// accepted.
func TestTruthTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range fewer(5000) {
		f := ruletest.MixedFormula(rng)
		if i%4 == 0 {
			f = ruletest.RandomFormula(rng, 10, 30+rng.IntN(25), 2, 3, 4)
		}
		want := ruletest.CountModels(f) > 0
		for _, with := range []tuning{defaultTuning, hasty} {
			if got := decideOrFail(t, f, uint64(i%3), with); got != want {
				t.Fatalf("formula %d, %v: satisfiable %v, want %v", i, f, got, want)
			}
		}
	}
}

// kinds are random formulas of which about half are satisfiable.
var kinds = []struct {
	variables int
	ratio     float64
	lengths   []int
	n         int
}{
	{50, 4.26, []int{3}, 600},
	{80, 1, []int{2}, 200},
	{30, 9.8, []int{4}, 300},
	{20, 21.2, []int{5}, 200},
	{60, 2.7, []int{2, 3, 4}, 500},
	{40, 4.2, []int{2, 3, 4, 5, 6, 7}, 200},
}

// Verdicts on random formulas agree with MiniSat's and CaDiCaL's, if they are installed.
func TestAgainstSolvers(t *testing.T) {
	judges := ruletest.NewJudges(t)
	rng := rand.New(rand.NewPCG(3, 4))
	for _, kind := range kinds {
		for i := range fewer(kind.n) {
			f := ruletest.RandomFormula(rng, kind.variables, int(kind.ratio*float64(kind.variables)), kind.lengths...)
			with := hasty
			if i%2 == 0 {
				with = defaultTuning
			}
			if err := judges.ExpectVerdict(f, decideOrFail(t, f, uint64(i%3), with)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := judges.FinishJudging(); err != nil {
		t.Error(err)
	}
}

// structured are small formulas of package gen.
var structured = []struct{ family, params string }{
	{"php", "n=4"}, {"php", "n=5"}, {"parity", "n=10"}, {"tseitin-torus", "r=3 c=3"},
	{"tseitin-regular", "n=10 d=3"}, {"vdw", "j=3 k=5 n=21"}, {"vdw", "j=3 k=5 n=22"}, {"vdw", "j=3 k=6 n=32"},
	{"ramsey", "s=3 t=4 n=8"}, {"ramsey", "s=3 t=3 n=6"}, {"adder", "n=4"}, {"multiplier", "n=3"},
	{"mycielski", "order=4 colours=3"}, {"queens", "n=5 colours=5"},
	{"random-colouring", "n=20 p=0.24 colours=3"}, {"random", "n=40 ratio=4.3"},
}

// Verdicts on structured formulas agree with other solvers, under several seeds.
func TestStructured(t *testing.T) {
	judges := ruletest.NewJudges(t)
	for _, c := range structured {
		for seed := range uint64(fewer(20)) {
			f := ruletest.MakeFamily(t, c.family, seed, c.params)
			with := hasty
			if seed%2 == 0 {
				with = defaultTuning
			}
			if err := judges.ExpectVerdict(f, decideOrFail(t, f, seed, with)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := judges.FinishJudging(); err != nil {
		t.Error(err)
	}
}

// The same calls give the same counts, and every technique takes part.
func TestDeterministic(t *testing.T) {
	f := ruletest.MakeFamily(t, "random", 2, "n=90 ratio=4.3")
	run := func(limit int64) Stats {
		s := New(Options{Seed: 5})
		s.AddFormula(f)
		for s.Solve(limit) == Unknown {
		}
		return s.Stats()
	}
	if a, b := run(NoLimit), run(NoLimit); a != b {
		t.Errorf("two runs differ: %+v, %+v", a, b)
	}
	if a, b := run(100), run(100); a != b {
		t.Errorf("two runs with limits differ: %+v, %+v", a, b)
	}
	g := ruletest.MakeFamily(t, "php", 1, "n=7")
	s := newTuned(Options{}, tuning{firstMode: 100, luby: 20, rephase: 50, reduce: 20, vivifyShare: 50})
	s.AddFormula(g)
	s.Solve(NoLimit)
	if x := s.Stats(); x.Restarts == 0 || x.Rephases == 0 || x.Reductions == 0 || x.Vivified == 0 || x.Minimized == 0 || x.Shrunken == 0 || s.modeChanges < 2 {
		t.Errorf("a technique did not run: %+v", x)
	}
}

// A literal that is no DIMACS number panics.
func TestInvalidLiteral(t *testing.T) {
	for _, l := range []int32{0, sat.MaxVariables + 1, -sat.MaxVariables - 1, -1 << 31} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("literal %d is accepted", l)
				}
			}()
			New(Options{}).AddClause(1, l)
		}()
	}
}

// After the clauses are refuted, every call says so and no assumption is to blame.
func TestRefutedForGood(t *testing.T) {
	s := New(Options{})
	s.AddClause(1)
	s.AddClause(-1)
	s.AddClause(2, 3)
	s.Assume(2)
	if got := s.Solve(0); got != Unsatisfiable || len(s.Failed()) > 0 {
		t.Errorf("%v, failed %d", got, s.Failed())
	}
}

// A limit of conflicts is kept, and the search can be resumed.
func TestLimit(t *testing.T) {
	s := New(Options{})
	s.AddFormula(ruletest.MakeFamily(t, "php", 1, "n=7"))
	for calls := int64(1); ; calls++ {
		status, spent := s.Solve(50), s.Stats().Conflicts
		if status == Unsatisfiable {
			break
		}
		if status != Unknown || spent != 50*calls {
			t.Fatalf("call %d: %v after %d conflicts", calls, status, spent)
		}
	}
}

// The search allocates only when tables grow: far less than once per conflict.
func TestFewAllocations(t *testing.T) {
	f := ruletest.MakeFamily(t, "php", 1, "n=7")
	var conflicts int64
	allocations := testing.AllocsPerRun(1, func() {
		s := New(Options{})
		s.AddFormula(f)
		s.Solve(NoLimit)
		conflicts = s.Stats().Conflicts
	})
	if allocations > float64(conflicts)/10 {
		t.Errorf("%v allocations in %d conflicts", allocations, conflicts)
	}
	t.Logf("%v allocations in %d conflicts", allocations, conflicts)
}
