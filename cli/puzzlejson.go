package cli

import (
	"treesplit/puzzle"
	"treesplit/run"
	"treesplit/run/workloads"
)

// puzzleResult is the JSON of puzzle with one board.
type puzzleResult struct {
	*run.Result
	Heuristic string `json:"heuristic"`
	boardJSON
}

// batchResult is the JSON of puzzle --batch.
type batchResult struct {
	*run.Result
	Heuristic string      `json:"heuristic"`
	Generated int64       `json:"generated"`
	Boards    []boardJSON `json:"boards"` // that were begun
}

// iterationJSON is an iteration in the JSON of puzzle.
type iterationJSON struct {
	Bound     int64   `json:"bound"`
	Expanded  int64   `json:"expanded"`
	Generated int64   `json:"generated"`
	Seconds   float64 `json:"seconds"`
}

// boardJSON is a board in the JSON of puzzle. It has a length and a path, or a lower bound of the
// length if one is known.
type boardJSON struct {
	ID         string  `json:"id,omitempty"`
	Length     *int    `json:"length,omitempty"`
	Path       *string `json:"path,omitempty"`
	LongerThan *int    `json:"longerThan,omitempty"`

	// With --all-solutions: the number of solutions, or a lower bound of it if the run was stopped.
	Solutions        int64 `json:"solutions,omitempty"`
	SolutionsAtLeast int64 `json:"solutionsAtLeast,omitempty"`

	Generated  int64           `json:"generated"` // nodes, including the root and pruned nodes
	Iterations []iterationJSON `json:"iterations"`
}

// newBoardJSON describes a board.
func newBoardJSON(id string, one workloads.Attempt, all bool) boardJSON {
	b := boardJSON{ID: id, Generated: 1}
	switch {
	case one.Path != nil:
		length, path := len(one.Path), puzzle.FormatPath(one.Path)
		b.Length, b.Path = &length, &path
	case one.LongerThan >= 0:
		b.LongerThan = &one.LongerThan
	}
	for _, step := range one.Iterations {
		sums := step.Counts.Sums
		b.Generated += sums[workloads.PuzzleGenerated]
		b.Iterations = append(b.Iterations, iterationJSON{
			Bound:    step.Counts.Maxima[workloads.PuzzleBound],
			Expanded: sums[workloads.PuzzleExpanded], Generated: sums[workloads.PuzzleGenerated], Seconds: step.Seconds,
		})
	}
	switch {
	case all && one.IsPartial():
		b.SolutionsAtLeast = one.CountSolutions()
	case all:
		b.Solutions = one.CountSolutions()
	}
	return b
}

// toJSON returns the JSON of puzzle: the board, or all boards that were begun.
func (o *puzzleOutput) toJSON(r *run.Result) any {
	w, boards := o.boards, []boardJSON{}
	for i, one := range o.done {
		boards = append(boards, newBoardJSON(o.names[i], one, w.All))
	}
	if !o.batch {
		return puzzleResult{r, w.Heuristic, boards[0]}
	}
	return batchResult{r, w.Heuristic, r.Counts.Sums[workloads.PuzzleGenerated] + int64(len(boards)), boards}
}
