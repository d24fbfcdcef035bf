package puzzle

// Iterations gives the bounds of IDA* in turn and keeps what the iterations were. The
// first bound is the estimate, and each is larger by 2 than the one before, since all
// paths to the goal have lengths of one parity.
type Iterations struct {
	bound int
	done  []Iteration
}

// Iteration is one search with a bound, over all shares.
type Iteration struct {
	Bound int
	Counts
}

// Iterations returns the iterations of the problem, of which none is done.
func (p *Problem) Iterations() *Iterations { return &Iterations{bound: p.estimate} }

// Bound is the bound of the next iteration.
func (i *Iterations) Bound() int { return i.bound }

// FinishIteration notes what the iteration was whose bound is Bound, and says whether it
// found a solution. An iteration that found none must have been searched whole. All
// that were before it have found none, so that a solution found has Bound moves and
// is a shortest.
func (i *Iterations) FinishIteration(c Counts) (solved bool) {
	i.done = append(i.done, Iteration{i.bound, c})
	if c.Solutions > 0 {
		return true
	}
	i.bound += 2
	return false
}

// FinishedIterations returns the iterations that are done; the slice is the caller's to read until
// the next FinishIteration.
func (i *Iterations) FinishedIterations() []Iteration { return i.done }

// TotalCounts is the sum over the iterations that are done.
func (i *Iterations) TotalCounts() (c Counts) {
	for _, d := range i.done {
		c = c.AddCounts(d.Counts)
	}
	return c
}
