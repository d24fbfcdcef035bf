package workloads

import (
	"errors"
	"fmt"

	"treesplit/puzzle"
	"treesplit/run"
)

// Attempt is a board and what is known of it.
type Attempt struct {
	Board      puzzle.Board
	Iterations []run.Step
	Path       []puzzle.Move // nil: none is known
	// LongerThan bounds the solutions from below where no path is known: all
	// iterations up to it were searched whole. It is -1 where none was.
	LongerThan int
}

// Attempts sorts the steps of a run by boards while they come in, and checks the paths:
// they lead to the goal, and are as long as the bound of the last iteration.
type Attempts struct {
	w     *Puzzle
	done  int // boards
	steps []run.Step
}

// NewAttempts returns an Attempts of the run that is to be made.
func (w *Puzzle) NewAttempts() *Attempts { return &Attempts{w: w} }

// CountDone is the number of boards that were done with.
func (a *Attempts) CountDone() int { return a.done }

// TablesError returns the reason why rank 0 could not write the Tables that it has built, or nil.
func (a *Attempts) TablesError() error { return a.w.unwritten }

// RecordStep takes in the next step. If that was the last for a board, it returns the board.
func (a *Attempts) RecordStep(s run.Step) (*Attempt, error) {
	a.steps = append(a.steps, s)
	bound := int(s.Counts.Maxima[PuzzleBound])
	one := &Attempt{Board: a.w.Boards[a.done], Iterations: a.steps, LongerThan: bound}
	switch solved := s.Counts.Sums[PuzzleSolutions] > 0; {
	case solved:
		var err error
		if one.Path, err = checkedPath(one.Board, s.Witness); err != nil {
			return nil, fmt.Errorf("internal error: %w", err)
		}
		if one.LongerThan = -1; len(one.Path) != bound {
			return nil, fmt.Errorf("internal error: a path of %d moves with bound %d", len(one.Path), bound)
		}
	case a.w.MaxMoves == 0 || bound+2 <= a.w.MaxMoves:
		return nil, nil
	}
	a.done, a.steps = a.done+1, nil
	return one, nil
}

// TakeUnfinished is the board that a run was at when it was ended early, or nil: its last step was
// not searched to the end. It takes the board as done with.
func (a *Attempts) TakeUnfinished() *Attempt {
	n := len(a.steps)
	if n == 0 {
		return nil
	}
	one := &Attempt{Board: a.w.Boards[a.done], Iterations: a.steps, LongerThan: int(a.steps[n-1].Counts.Maxima[PuzzleBound]) - 2}
	if n == 1 {
		one.LongerThan = -1
	}
	a.done, a.steps = a.done+1, nil
	return one
}

// checkedPath reads a witness and replays it.
func checkedPath(b puzzle.Board, witness []byte) ([]puzzle.Move, error) {
	if len(witness) == 0 {
		return nil, errors.New("a solution without a path")
	}
	path, err := puzzle.ParsePath(string(witness[1:]))
	if err != nil {
		return nil, err
	}
	end, err := b.ReplayPath(path)
	if err != nil {
		return nil, err
	}
	if !end.IsGoalBoard() {
		return nil, fmt.Errorf("the path %s does not lead to the goal", witness[1:])
	}
	return path, nil
}
