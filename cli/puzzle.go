package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"treesplit/cli/internal/help"
	"treesplit/comm"
	"treesplit/puzzle"
	"treesplit/run"
	"treesplit/run/workloads"
	"treesplit/sim/machinefile"
)

// puzzleFlags are the flags of puzzle besides the flags of all searches.
type puzzleFlags struct {
	searchFlags
	app *app

	heuristic, goal, size, batch, tables string

	all      bool
	maxMoves int
}

// puzzleJob is boards to be solved.
type puzzleJob struct {
	job
	boards *workloads.Puzzle
	names  []string // of the boards
	batch  bool     // they were read from a file
}

func (a *app) puzzleCommand() searchCommand {
	f := puzzleFlags{searchFlags: newSearchFlags(), app: a}
	cmd := &cobra.Command{
		Use:   `puzzle "T0 T1 …"`,
		Short: "Solve the 15-puzzle with the fewest moves",
		Long: `puzzle finds a shortest solution of a sliding-tile puzzle.

It reads the tiles of a board row by row from one argument; 0 is the blank. 16 tiles are a board of
4x4; --size sets other sizes. It prints the solution as moves of the blank: U, L, R and D. The
solution is replayed before it is printed.

All ranks search by IDA* (Korf 1985). Each iteration searches the tree of all paths up to a length;
the iteration that meets the goal is the last. With --all-solutions the last iteration is searched
completely. The number of nodes is then the same under all schemes and on all numbers of ranks.

--batch FILE solves many boards one after the other and prints each when it is solved. FILE is a
CSV file with a column "tiles", and a column "id" if the boards have names.

Lower bounds (--heuristic):

  md	Manhattan distance
  wd	walking distance
  pdb	pattern databases of 5 tiles, 4x4 only; built within a second
  pdb78	pattern databases of 7 and 8 tiles; need --pdb-file

The databases of pdb78 take minutes and 4 GB of memory to build, once. The search then needs 577 MB
in every process. Under MPI rank 0 builds the file and every process reads it, so the file must be
visible on every host.`,
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
		RunE: twoSteps(a, f.parse, a.runPuzzle),
	}
	flags := cmd.Flags()
	flags.StringVar(&f.heuristic, "heuristic", "pdb", "lower `bound`: md, wd, pdb (4x4 only), pdb78 (with --pdb-file)")
	flags.StringVar(&f.tables, "pdb-file", "", "`file` that keeps the databases of pdb or pdb78; built if it does not exist")
	flags.StringVar(&f.goal, "goal", puzzle.BlankFirst.String(), "`place` of the blank in the goal: first (0 1 2 …) or last (1 2 … 0)")
	flags.StringVar(&f.size, "size", "", "`size` of a board that is not square: 2x3 has 2 rows and 3 columns")
	flags.BoolVar(&f.all, "all-solutions", false, "search the last iteration completely and count the shortest solutions")
	flags.IntVar(&f.maxMoves, "max-moves", 0, "give up a board that needs more moves; 0: no limit")
	flags.StringVar(&f.batch, "batch", "", "solve all boards of a CSV `file`")
	f.addFlags(cmd)
	help.SetCommon(flags, "heuristic", "goal", "size", "all-solutions", "batch")
	setExit(cmd, "all boards solved, or given up because of --max-moves", exitStopped)
	setSearchFiles(cmd, [2]string{"FILE of --batch", "boards, in CSV format"}, [2]string{"FILE of --pdb-file", "pattern databases"})
	return searchCommand{cmd, func(args []string) (*job, error) {
		j, err := f.parse(args)
		return &j.job, err
	}}
}

// bulkTime is how long a quantum lasts where searches go in bulk.
const bulkTime = 600 * time.Microsecond

// parse makes the job of the flags and the board among the arguments, if there is one.
func (f *puzzleFlags) parse(args []string) (puzzleJob, error) {
	names, boards, err := f.readBoards(args)
	if err != nil {
		return puzzleJob{}, err
	}
	plan, w := f.plan, &workloads.Puzzle{Boards: boards, Heuristic: f.heuristic, All: f.all, MaxMoves: f.maxMoves}
	if err := f.chooseSearch(&plan, w); err != nil {
		return puzzleJob{}, err
	}
	log, err := f.app.newLogger(f.logLevel)
	if err != nil {
		return puzzleJob{}, err
	}
	if f.tables != "" {
		w.Tables = &workloads.Tables{Path: f.tables, Building: func(heuristic string) {
			log.WithField("rank", 0).Warnf("the program builds the pattern databases of %s, because the file %s does not exist", heuristic, f.tables)
		}}
	}
	j, err := f.newJob(plan, w, input("batch", f.batch), output("pdb-file", f.tables))
	return puzzleJob{job: j, boards: w, names: names, batch: f.batch != ""}, err
}

// runPuzzle solves the boards and prints the solutions.
func (a *app) runPuzzle(j puzzleJob) (outcome, error) {
	out := &puzzleOutput{app: a, puzzleJob: j, attempts: j.boards.NewAttempts()}
	r, o, err := a.runSearch(&j.job, follower{step: out.recordStep})
	if err != nil || r == nil {
		return o, err
	}
	o.trouble = joinErrors(out.attempts.TablesError(), o.trouble)
	return o, out.printResult(r)
}

// readBoards reads the boards, from the command line or a file, with their names.
func (f *puzzleFlags) readBoards(args []string) (names []string, boards []puzzle.Board, err error) {
	goal, err := puzzle.ParseGoal(f.goal)
	if err != nil {
		return nil, nil, flagError("goal", err)
	}
	var size puzzle.Size
	if f.size != "" {
		if size, err = puzzle.ParseSize(f.size); err != nil {
			return nil, nil, flagError("size", err)
		}
	}
	if f.batch != "" {
		names, boards, err = readBoards(f.batch, size, goal)
	} else {
		names, boards = []string{""}, make([]puzzle.Board, 1)
		boards[0], err = parseSolvableBoard(args[0], size, goal)
	}
	if err != nil {
		return nil, nil, run.InputError{Err: err}
	}
	return names, boards, nil
}

// chooseSearch decides how boards are searched.
func (f *puzzleFlags) chooseSearch(plan *run.Plan, w *workloads.Puzzle) error {
	if w.MaxMoves < 0 {
		return flagError("max-moves", fmt.Errorf("%d: expected a number of moves, or 0 for no limit", w.MaxMoves))
	}
	if !f.cmd.Flags().Changed("heuristic") && f.tables == "" && w.Boards[0].Size() != (puzzle.Size{Rows: 4, Cols: 4}) {
		w.Heuristic = "md"
	}
	if f.tables == "" && w.Heuristic == "pdb78" {
		return flagError("heuristic", errors.New("pdb78 takes minutes to build: expected --pdb-file too, a file to keep it in"))
	}
	switch {
	case f.machine != "":
		if m, err := machinefile.ParseMachine(f.machine); err == nil { // the job reports the error
			w.DivideFor(m.Expand)
		}
	case f.pace.node > 0:
		w.DivideFor(comm.Time(f.pace.node))
	default:
		w.SmallNodes, w.Bulk = workloads.PuzzleSmallNodes, puzzle.DefaultBulk
		if w.Heuristic == "md" || w.Heuristic == "wd" { // search in bulk, the faster the more nodes a step has
			plan.QuantumTime = bulkTime
		}
	}
	return nil
}

// parseSolvableBoard reads a board and refuses one that cannot be solved.
func parseSolvableBoard(text string, size puzzle.Size, goal puzzle.Goal) (puzzle.Board, error) {
	b, err := puzzle.ParseBoard(text, size, goal)
	if err == nil {
		err = b.CheckSolvable()
	}
	return b, err
}
