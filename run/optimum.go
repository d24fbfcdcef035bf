package run

import (
	"cmp"
	"fmt"

	"treesplit/lb"
	"treesplit/search"
)

// Optimising is a Problem of branch and bound: its shares are search.Optimisers. A Problem with
// these shares must be Optimising.
//
// Its Witness returns the best solution that the share itself has found, even if better values
// are known elsewhere. A run compares the witnesses of all shares by Value and takes one of least
// value.
type Optimising interface {
	Problem
	// Value returns the value of a solution that Witness has returned. Value computes it from the
	// solution alone, not from numbers in the share. It returns an error if the bytes are not a
	// solution of the problem; the run then fails. Any rank may call it.
	Value(witness []byte) (int64, error)
}

// Incumbent is an Optimising problem whose search may begin with a known solution. A checkpoint of a
// search that has found no better solution holds this solution, so that a run that resumes the search
// does not need it.
type Incumbent interface {
	Optimising
	// Incumbent returns the known solution in the encoding of Witness, or nil. It is called on rank 0.
	Incumbent() []byte
}

// incumbentOf returns the known solution of a problem if it has the given value, and otherwise nil.
func incumbentOf(problem Problem, value int64) []byte {
	o, ok := problem.(Incumbent)
	if !ok {
		return nil
	}
	known := o.Incumbent()
	if known == nil {
		return nil
	}
	if v, err := o.Value(known); err != nil || v != value {
		return nil
	}
	return known
}

// asOptimising returns the problem as an Optimising problem. It returns nil if the share is not a
// search.Optimiser; it looks inside wrapped shares too.
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

// tally holds the counts and the witness of some shares.
type tally struct {
	Counts
	named   NamedCounts // of a NamedCounting problem
	witness []byte      // the best witness; the first if witnesses have no values; nil: none
	value   int64       // of witness; search.NoBound if there is no witness, or if witnesses have no values
	bound   int64       // the least value known to a share
	known   int64       // the least value known when the shares were made
}

// emptyTally returns the tally of no shares.
func emptyTally() *tally {
	return &tally{value: search.NoBound, bound: search.NoBound, known: search.NoBound}
}

// addShareTally adds the counts and the witness of one share.
func (t *tally) addShareTally(problem Problem, w search.Work) error {
	t.Counts.addCounts(problem.Count(w))
	if n, ok := problem.(NamedCounting); ok {
		t.named.addNamedCounts(n.CountNamed(w))
	}
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
		return fmt.Errorf("internal error: a share has returned an invalid solution: %w", err)
	}
	if value < bound || value == search.NoBound {
		return fmt.Errorf("internal error: a share has found a solution of value %d but reports a larger least known value, %d", value, bound)
	}
	if value < t.value {
		t.value, t.witness = value, found
	}
	return nil
}

// takeFirstWitness takes a witness without a value, unless the tally already has a witness.
func (t *tally) takeFirstWitness(found []byte) {
	if t.witness == nil {
		t.witness = found
	}
}

// settleSolution decides whether a tally of all shares has a solution. It has a solution if the
// least known value is the value of a witness. It has none if that value was known before the
// search. Otherwise the best solution is lost, which is an error. On ranks other than 0 the
// witness may be on another rank.
func (t *tally) settleSolution() error {
	switch {
	case t.value == t.bound:
		return nil
	case t.bound < t.known:
		best := "no share has a solution"
		if t.value != search.NoBound {
			best = fmt.Sprintf("the best solution of a share has value %d", t.value)
		}
		return fmt.Errorf("internal error: a share knows a solution of value %d, but %s", t.bound, best)
	}
	t.witness, t.value = nil, search.NoBound // the witness is not better than the value known before
	return nil
}

// noteKnownBound notes the least value that the shares of an Optimising problem begin with.
func (t *tally) noteKnownBound(problem Problem) {
	if o, ok := problem.(Optimising); ok {
		t.known = search.BoundOf(o.Share(search.DefaultSplitting, false))
	}
}

// soloTally returns the tally of a share that has searched a problem alone.
func soloTally(problem Problem, w search.Work) (t *tally, err error) {
	t = emptyTally()
	search.Each(w, func(w search.Work) { err = cmp.Or(err, t.addShareTally(problem, w)) })
	t.noteKnownBound(problem)
	return t, cmp.Or(err, t.settleSolution())
}

// soloReason returns the reason for the end of a search that a rank has made alone.
func (t *tally) soloReason() lb.Reason {
	if t.witness != nil && t.bound == search.NoBound {
		return lb.Decided
	}
	return lb.Exhausted
}
