package workloads_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"treesplit/lb"
	"treesplit/puzzle"
	"treesplit/run"
	"treesplit/run/checkpoint"
	"treesplit/run/workloads"
	"treesplit/uts"
)

// savable is a search that is saved, changed and resumed.
type savable struct {
	name string
	open func(t testing.TB) run.Workload
	// verify reads the answer of a run as the command line does. It returns an error that the
	// user would see.
	verify func(w run.Workload, r *run.Result) error
}

// savables returns every workload, each rule of satisfiability, and a problem of the user.
func savables(t testing.TB) (all []savable) {
	unverified := func(run.Workload, *run.Result) error { return nil }
	params := uts.Params{Type: uts.Geometric, Shape: uts.Linear, Depth: 5, B0: 4, Granularity: 1}
	all = append(all,
		savable{"uts", func(testing.TB) run.Workload { return &workloads.UTS{Params: params} }, unverified},
		savable{"slopes", func(testing.TB) run.Workload { return run.Loaded{Problem: &slopes{}} }, unverified},
		savable{"map", func(testing.TB) run.Workload { return &workloads.Mapping{Problem: graph(7, 9, 3, 10)} },
			func(w run.Workload, r *run.Result) error {
				_, err := w.(*workloads.Mapping).ReadResult(r)
				return err
			}})
	for _, rule := range workloads.RuleNames() {
		for _, count := range []bool{false, true} {
			if count && (rule == "cdcl" || rule == "cubes") {
				continue
			}
			f := made(t, "php", map[string]float64{"n": 4}, 0)
			if count {
				f = made(t, "random", map[string]float64{"n": 14, "ratio": 3}, 4)
			}
			all = append(all, savable{fmt.Sprintf("sat %s, all %v", rule, count), func(t testing.TB) run.Workload {
				w := satOf(t, f, rule)
				w.All, w.Simplify = count, "off"
				return w
			}, verifyModel})
		}
	}
	listed := cubesOf(t, made(t, "php", map[string]float64{"n": 4}, 0), "assigned=4")
	all = append(all, savable{"sat, cubes of a file", func(testing.TB) run.Workload {
		return workloads.NewSAT(workloads.SATOptions{Path: listed, Rule: "auto"})
	}, verifyModel})
	for _, tiles := range [][]string{{"3 1 2 4 0 5 6 7 8"}, {"4 1 2 5 3 0 6 7 8", "1 2 5 3 4 0 6 7 8", "1 4 2 3 7 5 6 0 8"}} {
		var boards []puzzle.Board
		for _, text := range tiles {
			b, err := puzzle.ParseBoard(text, puzzle.Size{Rows: 3, Cols: 3}, puzzle.BlankFirst)
			if err != nil {
				continue
			}
			boards = append(boards, b)
		}
		all = append(all, savable{fmt.Sprintf("puzzle, %d boards", len(boards)), func(testing.TB) run.Workload {
			return &workloads.Puzzle{Boards: boards, Heuristic: "md", All: true}
		}, verifyPaths})
	}
	return all
}

func verifyModel(w run.Workload, r *run.Result) error {
	_, err := w.(*workloads.SAT).ReadResult(r)
	return err
}

func verifyPaths(w run.Workload, r *run.Result) error {
	a := w.(*workloads.Puzzle).NewAttempts()
	for _, s := range r.Steps {
		if _, err := a.RecordStep(s); err != nil {
			return err
		}
	}
	return nil
}

// asked returns an Interrupted that reports true after the given number of calls.
func asked(often int64) func() bool {
	var left atomic.Int64
	left.Store(often)
	return func() bool { return left.Add(-1) < 0 }
}

// brokenOff saves a search before its end under a scheme.
func (s savable) brokenOff(t testing.TB, dir, scheme string) *run.Checkpoint {
	t.Helper()
	p := run.DefaultPlan(3)
	p.Store = checkpoint.Files{}
	p.Scheme, p.Quantum = scheme, 8
	for often := int64(20); ; often /= 2 {
		p.Checkpoint = filepath.Join(dir, fmt.Sprint("saved", often))
		if _, err := run.RunOnGoroutines(p, s.open(t), run.Hooks{Interrupted: asked(often)}); err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		state, _, err := checkpoint.Load(p.Checkpoint)
		os.Remove(p.Checkpoint)
		if err == nil {
			return state
		}
		if often == 0 {
			t.Fatalf("%s: %v", s.name, err)
		}
	}
}

// hostile returns the number of inputs to make, which HOSTILE can set.
func hostile(usual int) int {
	if n, err := strconv.Atoi(os.Getenv("HOSTILE")); err == nil {
		return n
	}
	return usual
}

// A checkpoint with a right checksum may have any contents. Resuming it returns an error that
// names the file, or the run ends. HOSTILE=10000 makes 10,000 checkpoints.
func TestHostileStates(t *testing.T) {
	all, dir := savables(t), t.TempDir()
	schemes := []string{"rp", "static+rp", "sl", "grr", "ranade"}
	states := make([]*run.Checkpoint, len(all))
	for i, s := range all {
		states[i] = s.brokenOff(t, dir, schemes[i%3])
	}
	file := filepath.Join(dir, "hostile")
	counts := map[string]int{}
	usual := 400
	if testing.Short() {
		usual = 100
	}
	for i := range hostile(usual) {
		rng := rand.New(rand.NewPCG(uint64(i), 9))
		s, other := all[i%len(all)], states[rng.IntN(len(all))]
		data, how, err := tampered(rng, states[i%len(all)], other)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		p := run.DefaultPlan(1 + rng.IntN(3))
		p.Store = checkpoint.Files{}
		p.Scheme, p.Resume, p.Quantum = schemes[rng.IntN(len(schemes))], file, 64
		counts[s.resumed(t, p, fmt.Sprintf("%d, %s%s", i, s.name, how))]++
	}
	t.Log(counts)
}

// resumed resumes a state and returns the outcome.
func (s savable) resumed(t *testing.T, p run.Plan, how string) string {
	w := s.open(t)
	r, err := run.RunOnGoroutines(p, w, run.Hooks{Interrupted: asked(20000)})
	var input run.InputError
	switch {
	case errors.As(err, &input):
		if !strings.Contains(err.Error(), p.Resume) {
			t.Errorf("%s: %v", how, err)
		}
		return "refused"
	case err != nil:
		t.Errorf("%s: %v", how, err)
		return "failed"
	case r.Why > lb.Decided:
		return "stopped"
	}
	if err := s.verify(w, r); err != nil {
		t.Logf("%s: accepted, and then %v", how, err) // a piece was missing
		return "no answer"
	}
	return "went on"
}

// setModel gives the state of a search for all models a model. If the search had found none, it has found
// this one.
func setModel(s *run.Checkpoint, model ...byte) {
	s.Step.Witness = model
	if s.Step.Sums[workloads.SATSolutions] == 0 {
		s.Step.Sums[workloads.SATSolutions], s.Step.Sums[workloads.SATTally] = 1, 1
	}
}

// Errors that only an audit at the end or a crash would reveal are found when the file is read.
func TestSenselessStates(t *testing.T) {
	all, dir := savables(t), t.TempDir()
	file := filepath.Join(dir, "senseless")
	idle := func(steps int) (all []run.SavedStep) {
		for i := range steps {
			all = append(all, run.SavedStep{Sums: []int64{1, 2, 0}, Maxima: []int64{int64(2 + 2*i)}})
		}
		return all
	}
	// A search may be interrupted before it has a solution. These cases contain one. All nine
	// objects are on processor 0; the first byte is the version of the format.
	oneMap := []byte{1, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	for name, c := range map[string]struct {
		of     string
		tamper func(s *run.Checkpoint)
		want   string
	}{
		"bounds without end":  {"puzzle, 1 boards", func(s *run.Checkpoint) { s.Steps = idle(2100) }, "no solution has bound 4096"},
		"another bound":       {"puzzle, 1 boards", func(s *run.Checkpoint) { s.Step.Maxima[0] = 1 << 40 }, "bound 1099511627776: expected"},
		"a solution, no path": {"puzzle, 1 boards", func(s *run.Checkpoint) { s.Step.Sums[2], s.Step.Witness = 1, nil }, "contradict each other"},
		"no path to the goal": {"puzzle, 1 boards", func(s *run.Checkpoint) { s.Step.Sums[2], s.Step.Witness = 1, []byte("=LR") }, "goal"},
		"a step after the last": {"puzzle, 1 boards", func(s *run.Checkpoint) {
			s.Steps = []run.SavedStep{{Sums: []int64{1, 1, 1}, Maxima: []int64{2}, Witness: []byte("=LU")}}
		}, "no step follows step 1"},
		"a model that is none":        {"sat plain, all true", func(s *run.Checkpoint) { setModel(s, 0, 0) }, "clause"},
		"a model cut short":           {"sat plain, all true", func(s *run.Checkpoint) { setModel(s, 213) }, "a model has 1 bytes"},
		"models of none":              {"sat plain, all true", func(s *run.Checkpoint) { s.Step.Sums[workloads.SATTally]++ }, "the tally has"},
		"a model, still going":        {"sat paper, all false", func(s *run.Checkpoint) { s.Step.Sums[1], s.Step.Witness = 1, []byte{0, 0, 0} }, "clause"},
		"more leaves than nodes":      {"uts", func(s *run.Checkpoint) { s.Step.Sums[1] = s.Step.Sums[0] + 1 }, "expected at most as many leaves"},
		"a sum below 0":               {"uts", func(s *run.Checkpoint) { s.Step.Sums[1] = -1 }, "expected 0 or more"},
		"a witness, not of its bound": {"map", func(s *run.Checkpoint) { s.Step.Witness, s.Bound = slices.Clone(oneMap), 1 }, "its best solution has value"},
		"a witness that is none":      {"map", func(s *run.Checkpoint) { s.Step.Witness = append(slices.Clone(oneMap[:9]), 9) }, "processor"},
		"one witness of slopes":       {"slopes", func(s *run.Checkpoint) { s.Step.Witness, s.Bound = []byte("500"), 501 }, "expected equal values"},
		"sums that are missing":       {"uts", func(s *run.Checkpoint) { s.Step.Sums = nil }, "0 sums and 1 maxima: expected 2 and 1"},
		"sums about to overflow":      {"uts", func(s *run.Checkpoint) { s.Step.Sums[0] = math.MaxInt64 }, "a sum is 9223372036854775807"},
		"nodes about to overflow":     {"uts", func(s *run.Checkpoint) { s.Totals.Expanded = math.MaxInt64 }, "9223372036854775807 nodes"},
		"sessions without end":        {"uts", func(s *run.Checkpoint) { s.Sessions = math.MaxInt64 }, "runs"},
		"a step of no time":           {"uts", func(s *run.Checkpoint) { s.Step.Seconds = -1 }, "-1 seconds"},
		"a piece of another":          {"uts", func(s *run.Checkpoint) { s.Pieces[0] = []byte{1, 2, 6} }, "piece 1 of"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, s := range all {
				if s.name != c.of {
					continue
				}
				state := s.brokenOff(t, dir, "static+rp")
				c.tamper(state)
				data, err := checkpoint.Encode(state)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, data, 0o600); err != nil {
					t.Fatal(err)
				}
				p := run.DefaultPlan(2)
				p.Store = checkpoint.Files{}
				p.Resume = file
				_, err = run.RunOnGoroutines(p, s.open(t), run.Hooks{})
				if !errors.As(err, &run.InputError{}) || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, want %q of %s", err, c.want, file)
				}
				return
			}
			t.Fatalf("no search %q", c.of)
		})
	}
}

// A saved state of a real run is not refused. After a static start, the deepest node may be
// counted before the nodes on the way to it.
func TestDeepPartIsNotRefused(t *testing.T) {
	for _, s := range savables(t) {
		if s.name != "uts" {
			continue
		}
		file := filepath.Join(t.TempDir(), "deep")
		state := s.brokenOff(t, t.TempDir(), "static+rp")
		state.Step.Sums, state.Step.Maxima = []int64{3, 2}, []int64{7}
		if err := checkpoint.Save(file, state); err != nil {
			t.Fatal(err)
		}
		p := run.DefaultPlan(2)
		p.Store = checkpoint.Files{}
		p.Resume = file
		if _, err := run.RunOnGoroutines(p, s.open(t), run.Hooks{}); err != nil {
			t.Error(err)
		}
	}
}
