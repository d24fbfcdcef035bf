package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"treesplit/puzzle"
	"treesplit/run"
	"treesplit/run/workloads"
)

// puzzleFlags are the flags of puzzle besides those of all searches.
type puzzleFlags struct {
	searchFlags
	goal, size, batch, tables string
}

func (a *app) puzzle() *cobra.Command {
	var f puzzleFlags
	var w workloads.Puzzle
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

--max-moves ends the search once it is known that a solution takes more moves.

--batch solves many boards, one after the other, and prints each as it is solved: a
CSV file with a column "tiles", and "id" if they have names.

The pattern databases of --heuristic pdb are built within a second. pdb78 has groups
of 7 and 8 tiles: it takes minutes and 4 GB to build them, once, in the file that
--pdb-file names, and 577 MB in every process to search. Under MPI every process
reads the file, so that it must be there on every host; rank 0 builds it.`,
		Example: `  treesplit puzzle "1 5 2 3 4 9 6 7 8 10 14 11 12 13 0 15"
  treesplit puzzle --goal last "5 1 2 4 9 6 3 8 13 10 7 11 14 15 12 0" --json
  treesplit puzzle --size 2x3 "5 4 3 2 1 0" --all-solutions
  treesplit puzzle --batch testdata/boards.csv --heuristic wd -n 2 --scheme grr-m
  treesplit puzzle "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3" --heuristic md --max-moves 49`,
		Args: func(_ *cobra.Command, args []string) error {
			if (len(args) == 1) == (f.batch != "") {
				return run.InputError{Err: errors.New("puzzle: expected one board, its tiles in quotes, or --batch and a file")}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.runPuzzle(&f, &w, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&w.Heuristic, "heuristic", "pdb", "lower `bound`: md (Manhattan distance), wd (walking distance), pdb (pattern databases of 5 tiles, 4x4 alone), pdb78 (of 7 and 8, with --pdb-file)")
	flags.StringVar(&f.tables, "pdb-file", "", "`file` that keeps the pattern databases of pdb or pdb78; made if there is none")
	flags.StringVar(&f.goal, "goal", puzzle.BlankFirst.String(), "`where` the blank belongs: first (0 1 2 …) or last (1 2 … 0)")
	flags.StringVar(&f.size, "size", "", "`rows`xcolumns of a board that is not square")
	flags.BoolVar(&w.All, "all-solutions", false, "search the last iteration whole and count the shortest solutions")
	flags.IntVar(&w.MaxMoves, "max-moves", 0, "give up a board that takes more moves; 0: never")
	flags.StringVar(&f.batch, "batch", "", "solve the boards of a CSV `file`")
	f.add(cmd)
	return cmd
}

// bulkTime is how long a quantum lasts where searches go in bulk.
const bulkTime = 600 * time.Microsecond

// simulatedAlone is run.Puzzle's Alone on simulated machines.
const simulatedAlone = 1 << 8

func (a *app) runPuzzle(f *puzzleFlags, w *workloads.Puzzle, args []string) error {
	names, err := f.boards(w, args)
	if err != nil {
		return err
	}
	if err := f.settle(w); err != nil {
		return err
	}
	log, err := a.logger(f.logLevel)
	if err != nil {
		return err
	}
	if w.Tables != nil {
		w.Tables.Building = func(heuristic string) {
			log.WithField("rank", 0).Warnf("building the pattern databases of %s in %s, since there is no such file", heuristic, f.tables)
		}
	}
	out := &puzzleOutput{app: a, flags: f, workload: w, names: names, attempts: w.Attempts()}
	f.step = out.step
	f.own = []place{input("batch", f.batch), output("pdb-file", f.tables)}
	r, err := a.run(&f.searchFlags, w)
	if err != nil || r == nil {
		return err
	}
	if stopped(r.Why) {
		a.status = statusStopped
	}
	if w.Tables != nil {
		a.trouble = oneError(w.Tables.Trouble, a.trouble)
	}
	return out.end(r)
}

// boards reads the boards, from the command line or a file, and returns their names.
func (f *puzzleFlags) boards(w *workloads.Puzzle, args []string) (names []string, err error) {
	goal, err := puzzle.ParseGoal(f.goal)
	if err != nil {
		return nil, flagError("goal", err)
	}
	var size puzzle.Size
	if f.size != "" {
		if size, err = puzzle.ParseSize(f.size); err != nil {
			return nil, flagError("size", err)
		}
	}
	if f.batch != "" {
		names, w.Boards, err = readBoards(f.batch, size, goal)
	} else {
		names, w.Boards = []string{""}, make([]puzzle.Board, 1)
		w.Boards[0], err = oneBoard(args[0], size, goal)
	}
	if err != nil {
		return nil, run.InputError{Err: err}
	}
	return names, nil
}

// settle completes the workload from the flags.
func (f *puzzleFlags) settle(w *workloads.Puzzle) error {
	if w.MaxMoves < 0 {
		return flagError("max-moves", fmt.Errorf("%d: expected a number of moves, or 0 for no limit", w.MaxMoves))
	}
	if !f.cmd.Flags().Changed("heuristic") && f.tables == "" && w.Boards[0].Size() != (puzzle.Size{Rows: 4, Cols: 4}) {
		w.Heuristic = "md"
	}
	switch {
	case f.tables != "":
		w.Tables = &workloads.Tables{Path: f.tables}
	case w.Heuristic == "pdb78":
		return flagError("heuristic", errors.New("pdb78 takes minutes to build: expected --pdb-file too, a file to keep it in"))
	}
	w.Alone, w.Bulk = workloads.PuzzleAlone, puzzle.DefaultBulk
	if w.Heuristic == "md" || w.Heuristic == "wd" { // search in bulk, the faster the more nodes a step has
		f.plan.QuantumTime = bulkTime
	}
	if f.machine != "" { // where a node takes as long as half a message
		w.Alone, w.Bulk = simulatedAlone, 0
	}
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
