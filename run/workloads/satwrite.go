package workloads

import (
	"errors"
	"fmt"
	"iter"

	"treesplit/internal/outfile"
	"treesplit/run"
	"treesplit/sat"
)

// CubesFile describes cubes that were written.
type CubesFile struct {
	Cubes   int64  // all leaves, with the following ones
	Refuted int64  // leaves that look-ahead has refuted
	Models  int64  // leaves that look-ahead has satisfied
	Cut     string // as cubes.ParseCut reads it
}

// WriteCubes writes the formula, and the cubes into which rule cubes splits it, to a file as
// incremental CNF. The formula is not simplified. If interrupted returns true, the file is not written,
// and ok is false.
func (w *SAT) WriteCubes(path string, interrupted func() bool) (written CubesFile, ok bool, err error) {
	if err := w.checkUnsimplified("cubes are written for the formula of the input"); err != nil {
		return written, false, err
	}
	file, err := outfile.CreateCompressed(path)
	if err != nil {
		return written, false, run.FlagError("cubes", err)
	}
	w.scratch.Store(file)
	defer w.scratch.Store(nil)
	w.Simplify = simplifyOff
	problem, err := w.Load()
	if err == nil && (w.listed != nil || w.formula.DNF) {
		err = run.FlagError("cubes", fmt.Errorf("%s is no p cnf: expected a formula in conjunctive normal form without cubes", w.inputName()))
	}
	if err != nil {
		file.DiscardFile()
		return written, false, run.InputError{Err: err}
	}
	until := &stoppable{file, interrupted}
	err = w.formula.WriteIncremental(until, written.listLeaves(problem.(cubesProblem), interrupted))
	if err == nil && interrupted() {
		err = run.ErrInterrupted
	}
	if err != nil {
		file.DiscardFile()
		if errors.Is(err, run.ErrInterrupted) {
			return written, false, nil
		}
		return written, false, fmt.Errorf("--cubes: %w", err)
	}
	written.Cut = w.sample.Cut
	return written, true, file.CommitFile()
}

// listLeaves yields the cubes of a problem and counts them. It ends early if interrupted returns true.
func (c *CubesFile) listLeaves(p cubesProblem, interrupted func() bool) iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		for decisions, outcome := range p.split.List() {
			c.Cubes++
			switch outcome {
			case sat.Conflict:
				c.Refuted++
			case sat.Solution:
				c.Models++
			}
			if interrupted() || !yield(decisions) {
				return
			}
		}
	}
}
