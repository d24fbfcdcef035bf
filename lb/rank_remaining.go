package lb

import "treesplit/search"

// Resumable is a Balancer that can be asked, when a run has been halted and no message is
// left, for what it has not expanded. The pieces of all ranks together are what the run has
// left: the conservation audit says so, since each holds a credit.
type Resumable interface {
	Balancer
	// TakeRemaining calls emit with each piece that is left at this rank (search.TakeRemaining). It
	// is called once, last of all.
	TakeRemaining(emit func(piece []byte))
}

// TakeRemaining takes out what is left of the work, and the pieces that wait for it.
func (r *rank) TakeRemaining(emit func(piece []byte)) {
	if r.isDealing() && r.credit.held { // rank 0, before it has dealt: the whole tree
		r.dealer.share.assignRange(order{}, 0, 1)
	}
	search.TakeRemaining(r.work, emit)
	for _, m := range r.pending {
		r.takeUnbegun(m.Body, emit)
	}
	r.pending = nil
}

// takeUnbegun takes out a piece that nobody has begun with. After a static start it may be a
// range of parts, and where the search goes on from pieces these are parts of the run at
// hand alone, not of the tree. So the work, which is empty now, takes it apart.
func (r *rank) takeUnbegun(piece []byte, emit func(piece []byte)) {
	if r.dealer == nil || r.work.Accept(piece) != nil {
		search.EachPiece(piece, emit)
		return
	}
	search.TakeRemaining(r.work, emit)
}

// TakeRemaining takes out what is left of the generators' work too.
func (r *GeneratorRank) TakeRemaining(emit func(piece []byte)) {
	r.rank.TakeRemaining(emit)
	for _, g := range r.generators {
		search.TakeRemaining(g.work, emit)
	}
}

// TakeRemaining takes out the shares that have moved here and are not settled in too.
func (r *ShuffleRank) TakeRemaining(emit func(piece []byte)) {
	r.rank.TakeRemaining(emit)
	for _, m := range r.moving.arrived {
		if len(m.Body) > 0 {
			r.takeUnbegun(m.Body, emit)
		}
	}
	r.moving.arrived = nil
}
