package workloads

import (
	"errors"
	"fmt"
	"slices"

	"treesplit/puzzle"
	"treesplit/run"
	"treesplit/sat"
)

// checkNotNegative returns an error if a sum is negative.
func checkNotNegative(sums []int64) error {
	for i, n := range sums {
		if n < 0 {
			return fmt.Errorf("sum %d is %d: expected 0 or more", i+1, n)
		}
	}
	return nil
}

var errWitness = errors.New("the witness and the number of solutions contradict each other")

// CheckStep checks the path of a solution and the counts.
func (i iteration) CheckStep(c run.Counts, witness []byte, whole bool) error {
	if err := checkNotNegative(c.Sums); err != nil {
		return err
	}
	if at := c.Maxima[PuzzleBound]; at != int64(i.bound) {
		return fmt.Errorf("an iteration has the bound %d: expected %d", at, i.bound)
	}
	solved := c.Sums[PuzzleSolutions] > 0
	if solved != (witness != nil) {
		return errWitness
	}
	if !solved {
		if whole && i.bound+2 > puzzle.MaxBound {
			return fmt.Errorf("no solution has bound %d", i.bound)
		}
		return nil
	}
	path, err := checkedPath(i.problems[0].Board(), witness)
	if err == nil && len(path) != i.bound {
		err = fmt.Errorf("a path has %d moves: expected %d", len(path), i.bound)
	}
	return err
}

// CheckStep checks a model and the counts. A search without all ends at its first model. It is
// still saved if the timeout comes at the same moment.
func (p satProblem) CheckStep(c run.Counts, witness []byte, _ bool) error {
	if err := checkNotNegative(c.Sums); err != nil {
		return err
	}
	solutions := c.Sums[SATSolutions]
	switch {
	case (solutions > 0) != (witness != nil):
		return errWitness
	case p.all && addUpTally(c.Sums[SATTally:]) != solutions:
		return fmt.Errorf("the tally has %d solutions: expected %d", addUpTally(c.Sums[SATTally:]), solutions)
	case witness == nil:
		return nil
	case len(witness) != len(packModel(make([]bool, p.formula.Variables))):
		return fmt.Errorf("a model has %d bytes for %d variables", len(witness), p.formula.Variables)
	}
	return p.formula.CheckModel(unpackModel(witness, p.formula.Variables))
}

// addUpTally returns the sum of a tally.
func addUpTally(tally sat.Tally) (sum int64) {
	for _, n := range tally {
		sum += n
	}
	return sum
}

// CheckStep checks that there are at most as many leaves as nodes. The depth may exceed the
// number of nodes: after a static start, the nodes on the way to a part may not be counted yet.
func (p utsProblem) CheckStep(c run.Counts, witness []byte, _ bool) error {
	r := UTSResult(c)
	if err := checkNotNegative(slices.Concat(c.Sums, c.Maxima)); err != nil {
		return err
	}
	if r.Leaves > r.Size {
		return fmt.Errorf("the tree has %d nodes and %d leaves: expected at most as many leaves as nodes", r.Size, r.Leaves)
	}
	if witness != nil {
		return errors.New("a search that counts nodes has a solution: expected none")
	}
	return nil
}

// CheckStep checks the counts; Value checks the map.
func (p mappingProblem) CheckStep(c run.Counts, _ []byte, _ bool) error {
	return checkNotNegative(c.Sums)
}
