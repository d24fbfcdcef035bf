package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"treesplit/experiment"
	"treesplit/puzzle"
)

// puzzleFlags are the flags of puzzle besides those of all searches.
type puzzleFlags struct {
	searchFlags
	goal, size, batch string
}

func (a *app) puzzle() *cobra.Command {
	var f puzzleFlags
	var w experiment.Puzzle
	cmd := &cobra.Command{
		Use:   `puzzle "T0 T1 …"`,
		Short: "Solve the 15-puzzle with the fewest moves",
		Long: `puzzle finds a shortest solution of a sliding-tile puzzle by IDA* (Korf 1985), on
all ranks. The tiles are listed row by row, 0 is the blank; 16 of them make a
board of 4x4, --size says otherwise. The path is printed as moves of the blank,
U, L, R and D, after it has been replayed.

Each iteration searches the tree of all paths up to a length; the one that meets
the goal is the last. --all-solutions searches that one whole, and then the nodes
expanded are the same whatever the scheme and the number of ranks.

--batch solves many boards, one after the other: a CSV file with a column
"tiles", and "id" if they have names.`,
		Example: `  treesplit puzzle "1 5 2 3 4 9 6 7 8 10 14 11 12 13 0 15"
  treesplit puzzle --goal last "5 1 2 4 9 6 3 8 13 10 7 11 14 15 12 0" --json
  treesplit puzzle --size 2x3 "5 4 3 2 1 0" --all-solutions
  treesplit puzzle --batch testdata/boards.csv --heuristic wd -n 2 --scheme grr-m`,
		Args: func(_ *cobra.Command, args []string) error {
			if (len(args) == 1) == (f.batch != "") {
				return experiment.InputError{Err: errors.New("puzzle: expected one board, its tiles in quotes, or --batch and a file")}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.runPuzzle(&f, &w, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&w.Heuristic, "heuristic", "pdb", "lower `bound`: md (Manhattan distance), wd (walking distance), pdb (pattern databases, 4x4 alone)")
	flags.StringVar(&f.goal, "goal", puzzle.BlankFirst.String(), "`where` the blank belongs: first (0 1 2 …) or last (1 2 … 0)")
	flags.StringVar(&f.size, "size", "", "`rows`xcolumns of a board that is not square")
	flags.BoolVar(&w.All, "all-solutions", false, "search the last iteration whole and count the shortest solutions")
	flags.StringVar(&f.batch, "batch", "", "solve the boards of a CSV `file`")
	f.add(cmd)
	return cmd
}

// bulkTime is how long a quantum lasts where searches go in bulk.
const bulkTime = 600 * time.Microsecond

// simulatedAlone is experiment.Puzzle's Alone on simulated machines.
const simulatedAlone = 1 << 8

func (a *app) runPuzzle(f *puzzleFlags, w *experiment.Puzzle, args []string) error {
	goal, err := puzzle.ParseGoal(f.goal)
	if err != nil {
		return flagError("goal", err)
	}
	var size puzzle.Size
	if f.size != "" {
		if size, err = puzzle.ParseSize(f.size); err != nil {
			return flagError("size", err)
		}
	}
	var names []string
	if f.batch != "" {
		names, w.Boards, err = readBoards(f.batch, size, goal)
	} else {
		names, w.Boards, err = []string{""}, make([]puzzle.Board, 1), nil
		w.Boards[0], err = oneBoard(args[0], size, goal)
	}
	if err != nil {
		return experiment.InputError{Err: err}
	}
	w.Alone, w.Bulk = experiment.PuzzleAlone, puzzle.DefaultBulk
	if w.Heuristic != "pdb" { // search in bulk, the faster the more nodes a step has
		f.plan.QuantumTime = bulkTime
	}
	if f.machine != "" { // where a node takes as long as half a message
		w.Alone, w.Bulk = simulatedAlone, 0
	}
	if !f.cmd.Flags().Changed("heuristic") && w.Boards[0].Size() != (puzzle.Size{Rows: 4, Cols: 4}) {
		w.Heuristic = "md"
	}
	r, err := a.run(&f.searchFlags, w)
	if err != nil || r == nil {
		return err
	}
	solved, err := w.Solutions(r)
	if err != nil {
		return err
	}
	if stopped(r.Why) {
		a.status = statusStopped
	}
	if f.json {
		return a.print(puzzleJSON(r, w, names, solved, f.batch != ""))
	}
	a.printPuzzle(r, names, solved, f.batch != "")
	return nil
}

// oneBoard reads a board and refuses one that cannot be solved.
func oneBoard(text string, size puzzle.Size, goal puzzle.Goal) (puzzle.Board, error) {
	b, err := puzzle.Parse(text, size, goal)
	if err == nil {
		err = b.Solvable()
	}
	return b, err
}

// iterationJSON is an iteration in the JSON of puzzle.
type iterationJSON struct {
	Bound     int     `json:"bound"`
	Expanded  int64   `json:"expanded"`
	Generated int64   `json:"generated"`
	Seconds   float64 `json:"seconds"`
}

// boardJSON is a solved board in the JSON of puzzle.
type boardJSON struct {
	ID         string          `json:"id,omitempty"`
	Length     int             `json:"length"`
	Path       string          `json:"path"`
	Solutions  int64           `json:"solutions,omitempty"` // with --all-solutions
	Generated  int64           `json:"generated"`           // nodes, the root and pruned ones too
	Iterations []iterationJSON `json:"iterations"`
}

// newBoardJSON describes a solved board.
func newBoardJSON(id string, s experiment.Solved, all bool) boardJSON {
	b := boardJSON{ID: id, Length: len(s.Path), Path: puzzle.FormatPath(s.Path), Generated: 1}
	for i, step := range s.Iterations {
		sums := step.Counts.Sums
		b.Generated += sums[experiment.PuzzleGenerated]
		b.Iterations = append(b.Iterations, iterationJSON{
			Bound:    len(s.Path) - 2*(len(s.Iterations)-1-i),
			Expanded: sums[experiment.PuzzleExpanded], Generated: sums[experiment.PuzzleGenerated], Seconds: step.Seconds,
		})
		if all {
			b.Solutions = sums[experiment.PuzzleSolutions]
		}
	}
	return b
}

// puzzleJSON is the JSON of puzzle: that of the board, or of all that were solved.
func puzzleJSON(r *experiment.Result, w *experiment.Puzzle, names []string, solved []experiment.Solved, batch bool) any {
	var boards []boardJSON
	for i, s := range solved {
		boards = append(boards, newBoardJSON(names[i], s, w.All))
	}
	switch {
	case batch:
		return struct {
			*experiment.Result
			Heuristic string      `json:"heuristic"`
			Generated int64       `json:"generated"`
			Boards    []boardJSON `json:"boards"`
		}{r, w.Heuristic, r.Counts.Sums[experiment.PuzzleGenerated] + int64(len(boards)), boards}
	case len(boards) == 0:
		return struct {
			*experiment.Result
			Heuristic string `json:"heuristic"`
			Generated int64  `json:"generated"`
		}{r, w.Heuristic, r.Counts.Sums[experiment.PuzzleGenerated] + 1}
	}
	return struct {
		*experiment.Result
		Heuristic string `json:"heuristic"`
		boardJSON
	}{r, w.Heuristic, boards[0]}
}

// printPuzzle prints a solution, or a table of them.
func (a *app) printPuzzle(r *experiment.Result, names []string, solved []experiment.Solved, batch bool) {
	if batch {
		fmt.Fprintf(a.stdout, "%6s %7s %15s %10s  %s\n", "board", "moves", "expanded", "seconds", "path")
	}
	for i, s := range solved {
		var expanded int64
		var seconds float64
		for _, step := range s.Iterations {
			expanded += step.Counts.Sums[experiment.PuzzleExpanded]
			seconds += step.Seconds
		}
		path := puzzle.FormatPath(s.Path)
		if batch {
			fmt.Fprintf(a.stdout, "%6s %7d %15d %10.3f  %s\n", names[i], len(s.Path), expanded, seconds, path)
			continue
		}
		last := s.Iterations[len(s.Iterations)-1].Counts.Sums[experiment.PuzzleSolutions]
		fmt.Fprintf(a.stdout, "length %d\npath   %s\n", len(s.Path), path)
		if last > 1 {
			fmt.Fprintf(a.stdout, "found  %d solutions of that length\n", last)
		}
	}
	if n := len(names) - len(solved); n > 0 {
		fmt.Fprintf(a.stdout, "stopped early (%s): %s\n", r.Reason, strings.TrimPrefix(fmt.Sprintf("%d of %d boards are not solved", n, len(names)), "1 of 1 boards are "))
	}
	fmt.Fprintln(a.stdout, summary(r))
}
