package workloads

import (
	"errors"
	"fmt"

	"treesplit/puzzle"
	"treesplit/run"
)

// Attempt is a board with the results of its search.
type Attempt struct {
	Board      puzzle.Board
	Iterations []run.Step
	Path       []puzzle.Move // nil: no path is known
	// LongerThan is a lower bound on the length of solutions if no path is known: all iterations
	// up to it were searched completely. It is -1 if no iteration was.
	LongerThan int
}

// IsPartial reports whether the run was ended early during the last iteration. The number of solutions is
// then a lower bound.
func (one *Attempt) IsPartial() bool { return one.lastIteration().Stopped }

// CountSolutions returns the number of solutions that the last iteration has found.
func (one *Attempt) CountSolutions() int64 { return one.lastIteration().Counts.Sums[PuzzleSolutions] }

func (one *Attempt) lastIteration() run.Step { return one.Iterations[len(one.Iterations)-1] }

// Attempts sorts the steps of a run by boards as they arrive. It checks that each path leads to
// the goal and is as long as the bound of the last iteration.
type Attempts struct {
	w     *Puzzle
	done  int // number of finished boards
	steps []run.Step
}

// NewAttempts returns an Attempts for a run of w.
func (w *Puzzle) NewAttempts() *Attempts { return &Attempts{w: w} }

// CountDone returns the number of finished boards.
func (a *Attempts) CountDone() int { return a.done }

// TablesError returns the reason why rank 0 could not write the Tables that it has built, or nil.
func (a *Attempts) TablesError() error { return a.w.unwritten }

// RecordStep records the next step. It returns the board if the step was the board's last step,
// and nil otherwise.
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
			return nil, fmt.Errorf("internal error: a path has %d moves with bound %d: expected equal numbers", len(one.Path), bound)
		}
	case s.Stopped || a.w.MaxMoves == 0 || bound+2 <= a.w.MaxMoves:
		return nil, nil
	}
	a.done, a.steps = a.done+1, nil
	return one, nil
}

// TakeUnfinished returns the board whose last step was interrupted because the run ended early,
// or nil. It counts the board as finished.
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

// checkedPath decodes a witness and replays its path.
func checkedPath(b puzzle.Board, witness []byte) ([]puzzle.Move, error) {
	if len(witness) == 0 {
		return nil, errors.New("a solution has no path")
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
