package workloads

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"treesplit/comm"
	"treesplit/puzzle"
	"treesplit/run"
	"treesplit/search"
)

// Puzzle solves sliding-tile puzzles by IDA*: one board after the other, and for each board one
// search after the other with a growing bound.
type Puzzle struct {
	Boards    []puzzle.Board // to be solved, at least one; on rank 0 only
	Heuristic string         // one of puzzle.HeuristicNames
	Tables    *Tables        // a file that keeps the pattern databases; nil: they are built again
	All       bool           // search the last iteration of each board completely and count its solutions
	MaxMoves  int            // stop the search of a board when it is known to need more moves; 0: never
	Bulk      int            // puzzle.Options.Bulk; a simulation needs 0
	// SmallNodes is the largest expected number of nodes of an iteration that every rank makes by
	// itself, as in the first phase of AIDA* (Reinefeld and Schnecke 1994).
	SmallNodes int64

	unwritten error // why Load could not write Tables that it has built. The search goes on with them
}

// PuzzleSmallNodes is a suitable SmallNodes for real machines. An iteration of this size takes
// about as long as the begin and the end of a common search of all ranks.
const PuzzleSmallNodes = 1 << 18

// Nodes of slowNode and more take about as long as half a message, or longer. Iterations of more than slowSmallNodes of
// them are worth a common search.
const (
	slowNode       comm.Time = 1000
	slowSmallNodes           = 1 << 8
)

// DivideFor prepares a search whose nodes take a given time each, on a simulated machine or on paced ranks: slow
// nodes are divided among all ranks in smaller iterations, and no step goes beyond the nodes that are requested.
func (w *Puzzle) DivideFor(node comm.Time) {
	w.SmallNodes, w.Bulk = PuzzleSmallNodes, 0
	if node >= slowNode {
		w.SmallNodes = slowSmallNodes
	}
}

// Indices of Puzzle's numbers in Counts.Sums.
const (
	PuzzleExpanded = iota
	PuzzleGenerated
	PuzzleSolutions
)

// PuzzleBound is the index of an iteration's bound in Counts.Maxima.
const PuzzleBound = 0

// puzzleWire is the encoded problem that rank 0 sends to the other ranks.
type puzzleWire struct {
	Tiles      []int
	Rows, Cols int
	Goal       puzzle.Goal
	Unkept     bool `json:",omitempty"` // of the first board: no file of Tables exists
}

// Load returns the first iteration of the first board.
func (w *Puzzle) Load() (run.Problem, error) { return w.newProblem(w.Boards, buildAndKeep) }

// Decode reads the boards that rank 0 has encoded.
func (w *Puzzle) Decode(data []byte) (run.Problem, error) {
	var wire []puzzleWire
	if err := json.Unmarshal(data, &wire); err != nil {
		return nil, err
	}
	var boards []puzzle.Board
	for _, m := range wire {
		b, err := puzzle.NewBoard(m.Tiles, puzzle.Size{Rows: m.Rows, Cols: m.Cols}, m.Goal)
		if err != nil {
			return nil, err
		}
		boards = append(boards, b)
	}
	if w.Tables != nil && len(wire) > 0 && wire[0].Unkept {
		return w.newProblem(boards, buildUnkept)
	}
	return w.newProblem(boards, readOnly)
}

// newProblem returns the first iteration of the first board's search. Rank 0 builds Tables that
// do not exist.
func (w *Puzzle) newProblem(boards []puzzle.Board, how tablesFrom) (run.Problem, error) {
	heuristics := map[puzzle.Size]puzzle.Heuristic{}
	var problems []*puzzle.Problem
	for _, b := range boards {
		h := heuristics[b.Size()]
		if h == nil {
			var unwritten, err error
			if h, unwritten, err = w.newHeuristic(b.Size(), how); err != nil {
				return nil, err
			}
			w.unwritten = cmp.Or(w.unwritten, unwritten)
			heuristics[b.Size()] = h
		}
		p, err := puzzle.New(b, h)
		if err != nil {
			return nil, err
		}
		problems = append(problems, p)
	}
	if len(problems) == 0 {
		return nil, errors.New("there are no boards: expected at least one")
	}
	return iteration{
		heuristic: w.Heuristic, options: puzzle.Options{All: w.All, Bulk: w.Bulk}, smallNodes: w.SmallNodes, most: w.MaxMoves,
		unkept: w.unwritten != nil,
	}.firstIteration(problems), nil
}

// newHeuristic returns the heuristic for boards of a size.
func (w *Puzzle) newHeuristic(size puzzle.Size, how tablesFrom) (h puzzle.Heuristic, unwritten, err error) {
	if w.Tables != nil {
		h, unwritten, err := w.Tables.openTables(w.Heuristic, size, how)
		if err != nil {
			return nil, nil, run.FlagError("pdb-file", err)
		}
		return h, unwritten, nil
	}
	if h, err = puzzle.NewHeuristic(w.Heuristic, size); err != nil {
		return nil, nil, run.FlagError("heuristic", err)
	}
	return h, nil, nil
}

// iteration is one bound of IDA* for the first of the remaining boards.
type iteration struct {
	heuristic  string // name
	problems   []*puzzle.Problem
	options    puzzle.Options
	bound      int
	before     int64 // nodes expanded in the previous iteration
	smallNodes int64 // Puzzle.SmallNodes
	most       int   // Puzzle.MaxMoves
	unkept     bool  // rank 0 could not write Tables, so every process builds them
}

// firstIteration returns the first iteration for the first of the problems. If the estimate of the board
// exceeds MaxMoves, the iteration is empty: its bound is the last bound below the estimate.
func (i iteration) firstIteration(problems []*puzzle.Problem) iteration {
	i.problems, i.bound, i.before = problems, problems[0].RootEstimate(), 0
	if i.most > 0 && i.bound > i.most {
		i.bound -= 2
	}
	return i
}

// isEmpty reports whether no path of the iteration begins, because its bound is below the estimate.
func (i iteration) isEmpty() bool { return i.bound < i.problems[0].RootEstimate() }

// Next returns the iteration with the next bound. If this iteration has reached the goal, or the
// next bound exceeds MaxMoves, it returns the first iteration of the next board, or nil after the
// last board.
func (i iteration) Next(c run.Counts) run.Problem {
	switch {
	case c.Sums[PuzzleSolutions] == 0 && (i.most == 0 || i.bound+2 <= i.most):
		i.bound, i.before = i.bound+2, c.Sums[PuzzleExpanded]
		return i
	case len(i.problems) == 1:
		return nil
	}
	return i.firstIteration(i.problems[1:])
}

// Small reports whether the expected number of nodes is less than smallNodes. It expects six times the
// nodes of the previous iteration; usual factors are five to six.
func (i iteration) Small() bool { return 6*i.before < i.smallNodes }

// Encode writes the boards.
func (i iteration) Encode() ([]byte, error) {
	var wire []puzzleWire
	for _, p := range i.problems {
		b := p.Board()
		wire = append(wire, puzzleWire{Tiles: b.Tiles(), Rows: b.Size().Rows, Cols: b.Size().Cols, Goal: b.Goal()})
	}
	if len(wire) > 0 {
		wire[0].Unkept = i.unkept
	}
	return json.Marshal(wire)
}

// Identity returns the heuristic, the options and a digest of the boards.
func (i iteration) Identity() string {
	i.unkept = false
	return fmt.Sprintf("puzzle, heuristic %s, all %v, most moves %d, boards %s", i.heuristic, i.options.All, i.most, run.ProblemDigest(i))
}

// Flags returns the flags of the command line that define the search.
func (i iteration) Flags() map[string]string {
	return map[string]string{"heuristic": "--heuristic", "all": "--all-solutions", "most moves": "--max-moves", "boards": "the list of boards"}
}

// Share returns a share of the iteration.
func (i iteration) Share(split search.Splitting, root bool) search.Work {
	o := i.options
	o.Splitting, o.Root = split, root && !i.isEmpty()
	s, err := i.problems[0].NewSearch(max(i.bound, i.problems[0].RootEstimate()), o)
	if err != nil {
		panic(err) // the bound is valid by construction
	}
	return s
}

// Count returns the counts of a share.
func (i iteration) Count(w search.Work) run.Counts {
	c := w.(*puzzle.Search).Counts()
	return run.Counts{Sums: []int64{c.Expanded, c.Generated, c.Solutions}, Maxima: []int64{int64(i.bound)}}
}

// Witness returns the path that a share has found, in letters, or nil.
func (i iteration) Witness(w search.Work) []byte {
	path := w.(*puzzle.Search).SolutionPath()
	if path == nil {
		return nil
	}
	return append([]byte{'='}, puzzle.FormatPath(path)...) // an empty path is a witness too
}
