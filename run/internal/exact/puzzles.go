package exact

import (
	"fmt"

	"treesplit/puzzle"
	"treesplit/run"
	"treesplit/run/workloads"
)

// boards have solutions of known length. A board of 3x3 takes at most 31 moves. The last board
// but one is the twelfth of Korf's instances. Another program counted the same nodes
// (puzzle/testdata/korf50-oracle.csv): 52,207 nodes in the iterations that fail and 277,724 nodes
// in the last iteration.
var boards = []struct {
	tiles     string
	size      puzzle.Size
	goal      puzzle.Goal
	heuristic string
	all       bool
	bulk      int
	length    int
	expanded  int64 // in all iterations; 0: as in the sequential search
}{
	{"8 6 7 2 5 4 3 0 1", puzzle.Size{Rows: 3, Cols: 3}, puzzle.BlankLast, "md", true, 0, 31, 0},
	{"8 6 7 2 5 4 3 0 1", puzzle.Size{Rows: 3, Cols: 3}, puzzle.BlankLast, "wd", false, 0, 31, 0},
	{"14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15", puzzle.Size{Rows: 4, Cols: 4}, puzzle.BlankFirst, "md", true, puzzle.DefaultBulk, 45, 329931},
	{"14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15", puzzle.Size{Rows: 4, Cols: 4}, puzzle.BlankFirst, "wd", true, 0, 45, 0},
}

// puzzles returns inputs of several iterations, all of which are balanced.
func puzzles() (inputs []Input, err error) {
	for _, c := range boards {
		b, err := puzzle.ParseBoard(c.tiles, c.size, c.goal)
		if err != nil {
			return nil, err
		}
		in := Input{
			Name: fmt.Sprintf("puzzle %q --heuristic %s, bulk %d", c.tiles, c.heuristic, c.bulk),
			Open: func() run.Workload {
				return &workloads.Puzzle{Boards: []puzzle.Board{b}, Heuristic: c.heuristic, All: c.all, Bulk: c.bulk}
			},
			Check: func(w run.Workload, r *run.Result) error {
				return checkPath(w.(*workloads.Puzzle), r, c.length)
			},
			Expanded: c.expanded,
		}
		if c.all && c.expanded == 0 {
			h, err := puzzle.NewHeuristic(c.heuristic, c.size)
			if err != nil {
				return nil, err
			}
			p, err := puzzle.New(b, h)
			if err != nil {
				return nil, err
			}
			s, err := p.SolveSequentially(puzzle.Options{All: true})
			if err != nil {
				return nil, err
			}
			in.Expanded = s.Total.Expanded
		}
		inputs = append(inputs, in)
	}
	return inputs, nil
}

// checkPath replays the solution and compares its length with the known one.
func checkPath(w *workloads.Puzzle, r *run.Result, length int) error {
	all := w.NewAttempts()
	for i, s := range r.Steps {
		one, err := all.RecordStep(s)
		if err != nil {
			return err
		}
		if last := i == len(r.Steps)-1; (one != nil) != last || last && len(one.Path) != length {
			return fmt.Errorf("step %d of %d: %v, want %d moves at the last", i+1, len(r.Steps), one, length)
		}
	}
	return nil
}
