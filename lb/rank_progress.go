package lb

import "treesplit/search"

// Progress is the progress of a rank.
type Progress struct {
	// Sized reports whether the rank's work is a search.Sizer. Otherwise Closed and Open are zero.
	Sized bool
	// Closed is the fraction of the tree that this rank has closed, by weight. It never falls.
	// At the end of a search that was not interrupted, the sum over all ranks is 1. Pieces
	// that wait or are in flight belong to no rank and count as open.
	Closed float64
	// Open is the number of nodes that the rank knows and has not expanded. A part of a static
	// start counts as one node.
	Open int
	// Bound is the least value of a solution that the rank knows, or search.NoBound.
	Bound int64
}

// account keeps the weight of the tree that a rank has had. So the closed weight is known
// although nothing is counted while nodes are expanded: it is the weight that the rank was
// given, minus the weight that it gave away, minus the weight of its shares.
type account struct {
	works  []search.Work // all shares of the rank that hold nodes
	had    float64       // the weight that they were given minus the weight that they gave away
	closed float64
}

// noteReceived records that a share has just received everything that it holds.
func (a *account) noteReceived(w search.Work) { a.had += search.WeightOf(w) }

// noteCutOff records that a piece was cut off a share that had the given weight before.
func (a *account) noteCutOff(w search.Work, before float64) { a.had -= before - search.WeightOf(w) }

// Progress returns the progress of the rank. O(levels).
func (r *rank) Progress() Progress {
	a, left, p := &r.account, 0.0, Progress{Bound: search.NoBound}
	if len(r.best.shares) > 0 {
		p.Bound = r.best.value
	}
	for _, w := range a.works {
		if s, ok := search.As[search.Sizer](w); ok {
			p.Sized = true
			left += s.Weight()
			p.Open += s.Open()
		}
	}
	a.closed = min(max(a.closed, a.had-left), 1) // rounding must not make it fall
	p.Closed = a.closed
	return p
}
