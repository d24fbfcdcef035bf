// Package shares builds the shares of a search that ranks work on: of its root, or of what was
// left when it was saved. Runs, and the studies that simulate ranks without a run, build theirs
// here.
package shares

import (
	"math"
	"math/bits"

	"treesplit/lb"
	"treesplit/search"
)

// Builder builds the shares of one segment of a search, and remembers them, so that what they
// have counted can be added up. It is used by one goroutine.
//
// A share is built in stages, each around the one before:
//
//	problemShare   of the problem, empty or its root; wrapped by Wrap; with the best value known
//	anyPieceShare  that accepts what any scheme may have left, where the search goes on
//	damagedShare   with a poor splitting function, where Damage is set
//	resumedShare   of the pieces that were left, in place of the root, where the search goes on
type Builder struct {
	// Share makes a share of the problem's own: its root, or an empty one.
	Share func(split search.Splitting, root bool) search.Work
	// Wrap changes a new share of the problem's own, to let it keep a log, for example; nil: as
	// it is.
	Wrap func(w search.Work) search.Work

	Splitting search.Splitting
	Damage    float64    // α of the damaged splitting function, 0 < α < 1; 0 or 1: none
	From      *Remainder // what the search goes on from; nil: its root

	made []search.Work
}

// Remainder is what a search goes on from.
type Remainder struct {
	Left  Pieces         // all that was left
	Kept  map[int]Pieces // by rank, of the ranks of this Builder, where each goes on with its own; nil: rank 0 begins with all
	Bound int64          // the least value known
}

// Pieces are pieces that shares of the problem accept, with their sizes.
type Pieces struct {
	Pieces [][]byte
	Sizes  []search.Size
}

// RankShare builds the share that a rank begins with.
func (b *Builder) RankShare(rank int) search.Work {
	if b.hasKeptPieces() {
		return b.rememberShare(b.resumedShare(b.From.Kept[rank], true))
	}
	return b.buildShare(rank == 0)
}

// FreshShare builds an empty share.
func (b *Builder) FreshShare() search.Work { return b.buildShare(false) }

// FillOptions fills in what of a rank's options is a share, and how many splits a static start
// makes where a part of it is a piece.
func (b *Builder) FillOptions(o *lb.Options, rank int) {
	o.Work, o.Fresh, o.Kept = b.RankShare(rank), b.FreshShare, b.hasKeptPieces()
	if b.From != nil {
		o.Splits = bits.Len(uint(len(b.From.Left.Pieces))) // a part is a piece, or none
	}
}

// Each calls f for every share that was built, those within wrappers in place of these.
func (b *Builder) Each(f func(search.Work)) {
	for _, w := range b.made {
		search.Each(w, f)
	}
}

// BuiltShares returns the shares that ranks were given, in order.
func (b *Builder) BuiltShares() []search.Work { return b.made }

// CheckPieces looks through pieces that are left of the search; an error names the first that no
// share accepts.
func (b *Builder) CheckPieces(pieces [][]byte) (Pieces, error) {
	sizes, err := search.CheckPieces(b.anyPieceShare(false), pieces)
	return Pieces{pieces, sizes}, err
}

// hasKeptPieces reports whether each rank goes on with what it had.
func (b *Builder) hasKeptPieces() bool { return b.From != nil && b.From.Kept != nil }

// buildShare builds a share of the root or of all that was left, or an empty one.
func (b *Builder) buildShare(root bool) search.Work {
	if b.From != nil {
		return b.rememberShare(b.resumedShare(b.From.Left, root))
	}
	return b.rememberShare(b.damagedShare(root))
}

// rememberShare remembers a share that is given to a rank.
func (b *Builder) rememberShare(w search.Work) search.Work {
	b.made = append(b.made, w)
	return w
}

// resumedShare builds a share of pieces that were left, or an empty one.
func (b *Builder) resumedShare(p Pieces, all bool) search.Work {
	return search.NewResumed(b.damagedShare(false), p.Pieces, p.Sizes, all)
}

// damagedShare builds a share that splits badly, if that is wanted. Under the rule Bottom, whose
// pieces are single nodes, problemShare sees to that.
func (b *Builder) damagedShare(root bool) search.Work {
	w := b.anyPieceShare(root)
	if !b.splitsBadly() || b.Splitting.Rule == search.Bottom {
		return w
	}
	return search.NewDamaged(w, b.Damage, func() search.Work { return b.anyPieceShare(false) })
}

// anyPieceShare builds a share that accepts, where the search goes on, what any scheme may have left.
func (b *Builder) anyPieceShare(root bool) search.Work {
	w := b.problemShare(root)
	if b.From != nil && search.HasCapability[search.Bisecter](w) {
		return lb.AcceptParts(w)
	}
	return w
}

// problemShare makes a share of the problem's own. Of a search that goes on it is empty and knows
// the best value.
func (b *Builder) problemShare(root bool) search.Work {
	split := b.Splitting
	if b.splitsBadly() && split.Rule == search.Bottom {
		split.Skip = int(math.Ceil(-math.Log2(b.Damage)))
	}
	w := b.Share(split, root && b.From == nil)
	if b.Wrap != nil {
		w = b.Wrap(w)
	}
	if b.From != nil {
		search.TightenTo(w, b.From.Bound)
	}
	return w
}

// splitsBadly reports whether shares split badly.
func (b *Builder) splitsBadly() bool { return b.Damage > 0 && b.Damage < 1 }
