package cli

import (
	"fmt"
	"io"

	"treesplit/cli/internal/units"
	"treesplit/puzzle"
	"treesplit/run"
	"treesplit/run/workloads"
)

// puzzleOutput prints the results of a run of puzzle. It prints the row of a board of a batch when
// the board is finished, and everything else at the end.
type puzzleOutput struct {
	app *app
	puzzleJob
	attempts *workloads.Attempts
	done     []workloads.Attempt
	err      error // the first error
}

// recordStep records a step while the run is in progress.
func (o *puzzleOutput) recordStep(show *progress, s run.Step) {
	one, err := o.attempts.RecordStep(s)
	switch {
	case o.err != nil:
	case err != nil:
		o.err = err
	case one != nil:
		o.recordBoard(show.linesWriter(o.app.stdout), *one)
	}
	switch {
	case o.batch:
		show.setLabel(fmt.Sprintf("%d of %d boards", o.attempts.CountDone(), len(o.names)))
	case one == nil: // the next board or iteration
		show.setLabel(fmt.Sprintf("bound %d", s.Counts.Maxima[workloads.PuzzleBound]+2))
	}
}

// recordBoard records a finished board and prints its row.
func (o *puzzleOutput) recordBoard(w io.Writer, one workloads.Attempt) {
	o.done = append(o.done, one)
	if !o.batch || o.job.json {
		return
	}
	text := ""
	if len(o.done) == 1 {
		text = fmt.Sprintf("%6s %7s %15s %12s  %s\n", "board", "moves", "expanded", "time", "path")
	}
	var expanded int64
	var seconds float64
	for _, step := range one.Iterations {
		expanded += step.Counts.Sums[workloads.PuzzleExpanded]
		seconds += step.Seconds
	}
	moves, path := fmt.Sprint(len(one.Path)), puzzle.FormatPath(one.Path)
	if one.Path == nil {
		moves, path = formatLowerBound(one), "no path within the limit"
	}
	// The row is written at once, so that the progress line can be drawn below it.
	fmt.Fprintf(w, "%s%6s %7s %15s %12s  %s\n", text, o.names[len(o.done)-1], moves, units.Count(expanded), units.Seconds(seconds), path)
}

// formatLowerBound writes the lower bound of the solution length of an unsolved board.
func formatLowerBound(one workloads.Attempt) string {
	if one.LongerThan < 0 {
		return "?"
	}
	return fmt.Sprintf(">%d", one.LongerThan)
}

// printResult prints the result, except for the rows that are already printed.
func (o *puzzleOutput) printResult(r *run.Result) error {
	if o.err != nil {
		return o.err
	}
	out := o.app.stdout
	open := o.attempts.TakeUnfinished()
	if o.job.json {
		if open != nil {
			o.done = append(o.done, *open)
		}
		return o.app.printJSON(o.toJSON(r))
	}
	if !o.batch && open == nil {
		printSolution(out, o.done[0])
	}
	switch left := len(o.names) - len(o.done); {
	case left == 0 && r.StoppedEarly():
		fmt.Fprint(out, stoppedLine(r, "the last iteration may have more solutions"))
	case left > 0:
		which, board := "not solved", ""
		if o.batch {
			which, board = fmt.Sprintf("%d of %d boards are not solved", left, len(o.names)), "board "+o.names[len(o.done)]+": "
		}
		fmt.Fprint(out, stoppedLine(r, which))
		if open != nil && open.LongerThan >= 0 {
			fmt.Fprintf(out, "%slonger than %d moves\n", board, open.LongerThan)
		}
	}
	_, err := fmt.Fprintln(out, summarizeRun(r))
	return err
}

// printSolution prints a finished board.
func printSolution(w io.Writer, one workloads.Attempt) {
	if one.Path == nil {
		fmt.Fprintf(w, "longer than %d moves\n", one.LongerThan)
		return
	}
	fmt.Fprintf(w, "length %d\npath   %s\n", len(one.Path), puzzle.FormatPath(one.Path))
	switch n := one.CountSolutions(); {
	case one.IsPartial():
		fmt.Fprintf(w, "found  at least %s of this length\n", units.Things(n, "solution"))
	case n > 1:
		fmt.Fprintf(w, "found  %s of this length\n", units.Things(n, "solution"))
	}
}
