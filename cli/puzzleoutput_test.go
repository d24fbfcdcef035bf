package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"

	"treesplit/puzzle"
	"treesplit/run"
	"treesplit/run/workloads"
)

// printedAfter searches for all shortest solutions of a board of 3x3 tiles, which has two of 28 moves. It interrupts
// the run after the given number of checks, and returns what puzzle prints.
func printedAfter(t *testing.T, checks int64, batch, asJSON bool) (text string, r *run.Result) {
	t.Helper()
	board, err := puzzle.ParseBoard("8 7 6 5 4 3 2 1 0", puzzle.Size{}, puzzle.BlankFirst)
	if err != nil {
		t.Fatal(err)
	}
	var stdout bytes.Buffer
	a := &app{stdout: &answer{to: &stdout}, stderr: &stdout}
	j := puzzleJob{boards: &workloads.Puzzle{Boards: []puzzle.Board{board}, Heuristic: "md", All: true}, names: []string{"b1"}, batch: batch}
	j.json = asJSON
	out := &puzzleOutput{app: a, puzzleJob: j, attempts: j.boards.NewAttempts()}
	show := a.startProgress("off", "")
	p := run.DefaultPlan(1)
	p.Quantum = 100
	left := atomic.Int64{}
	left.Store(checks)
	r, err = run.RunOnGoroutines(p, j.boards, run.Hooks{
		Interrupted: func() bool { return left.Add(-1) < 0 },
		Step:        func(s run.Step) { out.recordStep(show, s) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := out.printResult(r); err != nil {
		t.Fatal(err)
	}
	return stdout.String(), r
}

// The number of solutions is exact only after a complete search. A run that is interrupted in the last iteration says
// "at least" in the text, and has the key solutionsAtLeast in the JSON.
func TestSolutionsOfInterruptedRun(t *testing.T) {
	texts, objects := 0, 0 // with a part of the solutions
	for checks := int64(1); ; checks++ {
		text, r := printedAfter(t, checks, false, false)
		exact, atLeast := strings.Contains(text, "found  2 solutions of this length"), strings.Contains(text, "found  at least ")
		stopped := strings.Contains(text, "stopped early (interrupted): ")
		if stopped != r.StoppedEarly() || exact == stopped || atLeast != (stopped && strings.Contains(text, "length 28")) {
			t.Fatalf("%d checks, ended: %v: %s", checks, r.Why, text)
		}
		if atLeast {
			texts++
		}

		batch, r := printedAfter(t, checks, true, false)
		if strings.Contains(batch, "stopped early (interrupted): ") != r.StoppedEarly() {
			t.Fatalf("%d checks, ended: %v: %s", checks, r.Why, batch)
		}

		data, r := printedAfter(t, checks, false, true)
		var object struct{ Length, Solutions, SolutionsAtLeast int64 }
		if err := json.Unmarshal([]byte(data), &object); err != nil {
			t.Fatalf("%v: %s", err, data)
		}
		if (object.Solutions == 2) == r.StoppedEarly() || (object.SolutionsAtLeast > 0) != (r.StoppedEarly() && object.Length > 0) {
			t.Fatalf("%d checks, ended: %v: %s", checks, r.Why, data)
		}
		if object.SolutionsAtLeast > 0 {
			objects++
		}
		if !r.StoppedEarly() {
			break
		}
	}
	if texts == 0 || objects == 0 {
		t.Error("no run was interrupted after its first solution")
	}
}
