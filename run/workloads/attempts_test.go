package workloads_test

import (
	"testing"

	"treesplit/puzzle"
	"treesplit/run"
	"treesplit/run/workloads"
)

// attemptsUntil searches a board on one goroutine, quantum by quantum, and interrupts the run after the given number of
// checks. It returns the attempt, the result, and whether the attempt was finished.
func attemptsUntil(t *testing.T, w *workloads.Puzzle, checks int64) (one *workloads.Attempt, r *run.Result, finished bool) {
	t.Helper()
	all := w.NewAttempts()
	p := run.DefaultPlan(1)
	p.Quantum = 100
	r, err := run.RunOnGoroutines(p, w, run.Hooks{Interrupted: asked(checks), Step: func(s run.Step) {
		done, err := all.RecordStep(s)
		if err != nil {
			t.Fatal(err)
		}
		if done != nil {
			one = done
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if open := all.TakeUnfinished(); open != nil {
		return open, r, false
	}
	return one, r, true
}

// boardOf reads a board.
func boardOf(t *testing.T, text string) puzzle.Board {
	t.Helper()
	b, err := puzzle.ParseBoard(text, puzzle.Size{}, puzzle.BlankFirst)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The shortest solution has 53 moves. A run that is interrupted in the last iteration up to --max-moves says no more
// than the iterations before it have shown, and a complete run says all.
func TestInterruptedBeforeMaxMoves(t *testing.T) {
	board := boardOf(t, "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3")
	stopped, finished := false, false
	for checks := int64(1); !finished; checks *= 2 {
		w := &workloads.Puzzle{Boards: []puzzle.Board{board}, Heuristic: "md", MaxMoves: 45}
		one, r, done := attemptsUntil(t, w, checks)
		last := one.Iterations[len(one.Iterations)-1]
		bound := int(last.Counts.Maxima[workloads.PuzzleBound])
		if done == r.StoppedEarly() || last.Stopped != r.StoppedEarly() || one.IsPartial() != last.Stopped {
			t.Fatalf("%d checks: finished %v, but %v; the last step is stopped: %v", checks, done, r.Why, last.Stopped)
		}
		want := bound
		switch {
		case last.Stopped && len(one.Iterations) == 1:
			want = -1
		case last.Stopped:
			want = bound - 2
		}
		if one.Path != nil || one.LongerThan != want {
			t.Errorf("%d checks: %+v after an iteration with bound %d; want longer than %d", checks, one, bound, want)
		}
		stopped, finished = stopped || last.Stopped && bound == 45, done
	}
	if !stopped {
		t.Error("no run was interrupted in the last iteration")
	}
}

// With All, a run that is interrupted in the last iteration after it has met the goal has the shortest path, but not
// all solutions.
func TestInterruptedWhileCounting(t *testing.T) {
	board := boardOf(t, "8 7 6 5 4 3 2 1 0")
	partial, all := 0, int64(0)
	for checks := int64(1); all == 0; checks++ {
		one, r, done := attemptsUntil(t, &workloads.Puzzle{Boards: []puzzle.Board{board}, Heuristic: "md", All: true}, checks)
		n := one.CountSolutions()
		if done != (n > 0) || one.IsPartial() != r.StoppedEarly() {
			t.Fatalf("%d checks: finished %v with %d solutions, partial %v, %v", checks, done, n, one.IsPartial(), r.Why)
		}
		if done && one.IsPartial() {
			partial++
		}
		if done && !one.IsPartial() {
			all = n
		}
	}
	if partial == 0 {
		t.Error("no run was interrupted after its first solution")
	}
}
