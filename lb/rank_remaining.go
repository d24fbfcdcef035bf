package lb

import "treesplit/search"

// Resumable is a Balancer that can return its unexpanded pieces after the run was halted and
// when no message is in flight. The pieces of all ranks together are the rest of the search.
// The conservation audit checks this, because each piece holds a credit.
type Resumable interface {
	Balancer
	// TakeRemaining calls emit with each remaining piece of this rank (search.TakeRemaining).
	// It is called once, after all other calls.
	TakeRemaining(emit func(piece []byte))
}

// TakeRemaining takes out the remaining pieces of the work, and the waiting pieces.
func (r *rank) TakeRemaining(emit func(piece []byte)) {
	if r.isDealing() && r.credit.held { // rank 0, before it has dealt
		r.dealer.takeWholeTree(emit)
	}
	search.TakeRemaining(r.work, emit)
	for _, m := range r.pending {
		r.takeUnbegun(m.Body, emit)
	}
	r.pending = nil
}

// takeWholeTree takes out the whole tree as single parts, several for each rank. A run that resumes
// the search can deal them. If the search resumes from pieces, these are taken out.
func (d *dealer) takeWholeTree(emit func(piece []byte)) {
	if search.HasCapability[*search.Resumed](d.share.Work) {
		d.share.assignRange(order{}, 0, 1)
		d.share.TakeRemaining(emit)
		return
	}
	const more, most = 4, 20 // 16 parts per rank, and at most a million pieces
	o := order{k: min(d.least+more, most)}
	for i := range uint64(1) << o.k {
		emit(o.appendRange(nil, i, i+1))
	}
}

// takeUnbegun takes out a piece that no rank has begun. After a static start it may be a range
// of parts. If the search resumes from pieces, these are parts of the current run only, not of
// the tree. So the work, which is empty now, converts it into pieces of the tree.
func (r *rank) takeUnbegun(piece []byte, emit func(piece []byte)) {
	if r.dealer == nil || r.work.Accept(piece) != nil {
		search.EachPiece(piece, emit)
		return
	}
	search.TakeRemaining(r.work, emit)
}

// TakeRemaining also takes out the remaining pieces of the generators' work.
func (r *GeneratorRank) TakeRemaining(emit func(piece []byte)) {
	r.rank.TakeRemaining(emit)
	for _, g := range r.generators {
		search.TakeRemaining(g.work, emit)
	}
}

// TakeRemaining also takes out the shares that have moved to this rank and are not begun.
func (r *ShuffleRank) TakeRemaining(emit func(piece []byte)) {
	r.rank.TakeRemaining(emit)
	for _, m := range r.moving.arrived {
		if len(m.Body) > 0 {
			r.takeUnbegun(m.Body, emit)
		}
	}
	r.moving.arrived = nil
}
