package run

import (
	"cmp"
	"fmt"

	"treesplit/lb"
	"treesplit/search"
)

// Optimising is a Problem whose shares are search.Optimisers: branch and bound. A Problem
// with such shares must be one.
//
// Its Witness returns the best solution that the share itself has found, whether or not
// better values are known elsewhere. A run compares the witnesses of all shares by Value and
// takes one of the least.
type Optimising interface {
	Problem
	// Value returns the value of a solution that Witness has returned, computed from the
	// solution alone and not from what a share claims about it. An error means that it is no
	// solution of the problem; the run then fails. It may be called on any rank.
	Value(witness []byte) (int64, error)
}

// asOptimising returns the problem as an Optimising one, or nil if the share is no
// search.Optimiser. The share may be wrapped.
func asOptimising(problem Problem, share search.Work) (Optimising, error) {
	if !search.HasCapability[search.Optimiser](share) {
		return nil, nil
	}
	o, ok := problem.(Optimising)
	if !ok {
		return nil, fmt.Errorf("%T is a search.Optimiser, so %T must be a run.Optimising: it has no method Value(witness []byte) (int64, error)", share, problem)
	}
	return o, nil
}

// tally is what shares have counted and found.
type tally struct {
	Counts
	witness []byte // the best, or where there are no values the first; nil: none
	value   int64  // of witness; search.NoBound where there are no values, or no witness
	bound   int64  // the least value known to a share
	known   int64  // the least value known when the shares were made
}

// emptyTally is the tally of no shares.
func emptyTally() *tally {
	return &tally{value: search.NoBound, bound: search.NoBound, known: search.NoBound}
}

// addShareTally adds what one share has counted and found.
func (t *tally) addShareTally(problem Problem, w search.Work) error {
	t.Counts.addCounts(problem.Count(w))
	o, err := asOptimising(problem, w)
	if err != nil {
		return err
	}
	found := problem.Witness(w)
	if o == nil {
		t.takeFirstWitness(found)
		return nil
	}
	bound := search.BoundOf(w)
	t.bound = min(t.bound, bound)
	if found == nil {
		return nil
	}
	value, err := o.Value(found)
	if err != nil {
		return fmt.Errorf("internal error: a share has found what is no solution: %w", err)
	}
	if value < bound || value == search.NoBound {
		return fmt.Errorf("internal error: a share has found a solution of value %d and claims to know of none below %d", value, bound)
	}
	if value < t.value {
		t.value, t.witness = value, found
	}
	return nil
}

// takeFirstWitness takes a witness, where witnesses have no value, unless there is one.
func (t *tally) takeFirstWitness(found []byte) {
	if t.witness == nil {
		t.witness = found
	}
}

// settleSolution decides, when the tally counts all shares, whether it has a solution: there is
// one if the least value known belongs to a witness, and none if that value was known
// before. Anything else is an error, since the best solution is lost. On ranks other than 0
// the witness may be elsewhere.
func (t *tally) settleSolution() error {
	switch {
	case t.value == t.bound:
		return nil
	case t.bound < t.known:
		best := "no share has a solution"
		if t.value != search.NoBound {
			best = fmt.Sprintf("the best one that a share has is of value %d", t.value)
		}
		return fmt.Errorf("internal error: a solution of value %d is known, but %s", t.bound, best)
	}
	t.witness, t.value = nil, search.NoBound // no better than what was known
	return nil
}

// noteKnownBound notes the least value that shares of an Optimising problem begin with.
func (t *tally) noteKnownBound(problem Problem) {
	if o, ok := problem.(Optimising); ok {
		t.known = search.BoundOf(o.Share(search.DefaultSplitting, false))
	}
}

// soloTally is the tally of a share that has searched a problem alone.
func soloTally(problem Problem, w search.Work) (t *tally, err error) {
	t = emptyTally()
	search.Each(w, func(w search.Work) { err = cmp.Or(err, t.addShareTally(problem, w)) })
	t.noteKnownBound(problem)
	return t, cmp.Or(err, t.settleSolution())
}

// soloReason is why a search that a rank has made alone has ended.
func (t *tally) soloReason() lb.Reason {
	if t.witness != nil && t.bound == search.NoBound {
		return lb.Decided
	}
	return lb.Exhausted
}
