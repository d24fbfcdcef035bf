package lb

import "treesplit/search"

// Resumable is a Balancer that can be asked, when a run has been halted and no message is
// left, for what it has not expanded. The pieces of all ranks together are what the run has
// left: the conservation audit says so, since each holds a credit.
type Resumable interface {
	Balancer
	// Rest calls emit with each piece that is left at this rank (search.Rest). It is called
	// once, last of all.
	Rest(emit func(piece []byte))
}

// Rest takes out what is left of the work, and the pieces that wait for it.
func (r *rank) Rest(emit func(piece []byte)) {
	if r.dealing() && r.credit.held { // rank 0, before it has dealt: the whole tree
		r.dealer.share.hold(order{}, 0, 1)
	}
	search.Rest(r.work, emit)
	for _, m := range r.pending {
		r.unbegun(m.Body, emit)
	}
	r.pending = nil
}

// unbegun takes out a piece that nobody has begun with. After a static start it may be a
// range of parts, and where the search goes on from pieces these are parts of the run at
// hand alone, not of the tree. So the work, which is empty now, takes it apart.
func (r *rank) unbegun(piece []byte, emit func(piece []byte)) {
	if r.dealer == nil || r.work.Accept(piece) != nil {
		search.EachPiece(piece, emit)
		return
	}
	search.Rest(r.work, emit)
}

// Rest takes out what is left of the generators' work too.
func (r *GeneratorRank) Rest(emit func(piece []byte)) {
	r.rank.Rest(emit)
	for _, g := range r.generators {
		search.Rest(g.work, emit)
	}
}

// Rest takes out the shares that have moved here and are not settled in too.
func (r *ShuffleRank) Rest(emit func(piece []byte)) {
	r.rank.Rest(emit)
	for _, m := range r.moving.arrived {
		if len(m.Body) > 0 {
			r.unbegun(m.Body, emit)
		}
	}
	r.moving.arrived = nil
}
