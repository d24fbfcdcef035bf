package puzzle

// Iterations gives the bounds of IDA* in turn and records the iterations. The first bound is the
// estimate. Each bound is larger by 2 than the previous one, because the lengths of all paths to
// the goal have the same parity.
type Iterations struct {
	bound int
	done  []Iteration
}

// Iteration is one search with a bound, over all shares.
type Iteration struct {
	Bound int
	Counts
}

// Iterations returns the iterations of the problem; none is finished.
func (p *Problem) Iterations() *Iterations { return &Iterations{bound: p.estimate} }

// Bound returns the bound of the next iteration.
func (i *Iterations) Bound() int { return i.bound }

// FinishIteration records the counts of the iteration whose bound is Bound. It reports whether
// the iteration found a solution. An iteration without a solution must have been searched
// completely. All previous iterations have found none, so a solution has Bound moves and is a
// shortest one.
func (i *Iterations) FinishIteration(c Counts) (solved bool) {
	i.done = append(i.done, Iteration{i.bound, c})
	if c.Solutions > 0 {
		return true
	}
	i.bound += 2
	return false
}

// FinishedIterations returns the finished iterations. The slice is valid until the next
// FinishIteration and must not be changed.
func (i *Iterations) FinishedIterations() []Iteration { return i.done }

// TotalCounts returns the sum over the finished iterations.
func (i *Iterations) TotalCounts() (c Counts) {
	for _, d := range i.done {
		c = c.AddCounts(d.Counts)
	}
	return c
}
