package workloads

import (
	"errors"
	"fmt"
	"slices"

	"treesplit/puzzle"
	"treesplit/run"
	"treesplit/sat"
)

// checkNotNegative refuses sums that are less than none.
func checkNotNegative(sums []int64) error {
	for i, n := range sums {
		if n < 0 {
			return fmt.Errorf("sum %d is %d: expected 0 or more", i+1, n)
		}
	}
	return nil
}

var errWitness = errors.New("a solution, and a count of none, or the other way round")

// CheckStep checks the path of a solution.
func (i iteration) CheckStep(c run.Counts, witness []byte, whole bool) error {
	if err := checkNotNegative(c.Sums); err != nil {
		return err
	}
	if at := c.Maxima[PuzzleBound]; at != int64(i.bound) {
		return fmt.Errorf("an iteration with bound %d: expected %d", at, i.bound)
	}
	solved := c.Sums[PuzzleSolutions] > 0
	if solved != (witness != nil) {
		return errWitness
	}
	if !solved {
		if whole && i.bound+2 > puzzle.MaxBound {
			return fmt.Errorf("no solution with bound %d", i.bound)
		}
		return nil
	}
	path, err := checkedPath(i.problems[0].Board(), witness)
	if err == nil && len(path) != i.bound {
		err = fmt.Errorf("a path of %d moves: expected %d", len(path), i.bound)
	}
	return err
}

// CheckStep checks a model. Without all a search ends where it finds one, but its time may be
// up at the same moment, and then it is saved.
func (p satProblem) CheckStep(c run.Counts, witness []byte, _ bool) error {
	if err := checkNotNegative(c.Sums); err != nil {
		return err
	}
	solutions := c.Sums[SATSolutions]
	switch {
	case (solutions > 0) != (witness != nil):
		return errWitness
	case p.all && addUpTally(c.Sums[SATTally:]) != solutions:
		return fmt.Errorf("%d solutions by their assigned variables: expected %d", addUpTally(c.Sums[SATTally:]), solutions)
	case witness == nil:
		return nil
	case len(witness) != len(packModel(make([]bool, p.formula.Variables))):
		return fmt.Errorf("a model of %d bytes for %d variables", len(witness), p.formula.Variables)
	}
	return p.formula.CheckModel(unpackModel(witness, p.formula.Variables))
}

// addUpTally adds up.
func addUpTally(tally sat.Tally) (sum int64) {
	for _, n := range tally {
		sum += n
	}
	return sum
}

// CheckStep checks that leaves are nodes. Levels may be more than nodes: after a static start
// the nodes on the way to a part may be yet to be counted.
func (p utsProblem) CheckStep(c run.Counts, witness []byte, _ bool) error {
	r := UTSResult(c)
	if err := checkNotNegative(slices.Concat(c.Sums, c.Maxima)); err != nil {
		return err
	}
	if r.Leaves > r.Size {
		return fmt.Errorf("%d nodes with %d leaves: expected no more leaves than nodes", r.Size, r.Leaves)
	}
	if witness != nil {
		return errors.New("a solution of a search that counts nodes: expected none")
	}
	return nil
}

// CheckStep checks the counts; Value checks the map.
func (p mappingProblem) CheckStep(c run.Counts, _ []byte, _ bool) error {
	return checkNotNegative(c.Sums)
}
