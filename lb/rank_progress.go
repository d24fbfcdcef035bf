package lb

import "treesplit/search"

// Progress is how far a rank is, where its work is a search.Sizer.
type Progress struct {
	// Closed is the share of the tree that this rank has closed, by weight; it never falls.
	// Over all ranks it adds up to 1 at the end of a search that was not broken off. Pieces
	// that wait or are in flight are nobody's, and so count as open.
	Closed float64
	// Open is the number of nodes that the rank is yet to expand, as far as it knows them:
	// a part of a static start is one.
	Open int
}

// account keeps how much of the tree a rank has had, so that what it has closed is known
// although nothing is counted while nodes are expanded: it is what the rank was given, less
// what it has given away, less what it has left.
type account struct {
	works  []search.Work // all shares of the rank's that hold nodes
	had    float64       // the weight that they were given, less what they gave away
	closed float64
}

// noteReceived notes that a share has just been given all that it holds.
func (a *account) noteReceived(w search.Work) { a.had += search.WeightOf(w) }

// noteCutOff notes that something was cut off a share that weighed so much before.
func (a *account) noteCutOff(w search.Work, before float64) { a.had -= before - search.WeightOf(w) }

// Progress says how far the rank is. O(levels).
func (r *rank) Progress() Progress {
	a, left, p := &r.account, 0.0, Progress{}
	for _, w := range a.works {
		s := search.SizeOf(w)
		left += s.Weight
		p.Open += s.Open
	}
	a.closed = min(max(a.closed, a.had-left), 1) // rounding must not make it fall
	p.Closed = a.closed
	return p
}
