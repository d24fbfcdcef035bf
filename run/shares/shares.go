// Package shares builds the shares of a search on which ranks work: shares of the root, or of the
// remaining pieces of a saved search. Package run uses it, and so do the studies that simulate
// ranks without a run.
package shares

import (
	"math"
	"math/bits"

	"treesplit/lb"
	"treesplit/search"
)

// Builder builds the shares of one segment of a search. It remembers them, so that their counts
// can be added up. One goroutine uses it.
//
// A share is built in stages, each around the previous stage:
//
//	problemShare   of the problem: empty or the root, wrapped by Wrap, with the best known value
//	anyPieceShare  accepts the remaining pieces of any scheme, if the search is resumed
//	damagedShare   has a poor splitting function, if Damage is set
//	resumedShare   holds the remaining pieces instead of the root, if the search is resumed
//	Pace           makes its nodes take a given time, if Pace is set
type Builder struct {
	// Share makes a share of the problem: the root, or an empty share.
	Share func(split search.Splitting, root bool) search.Work
	// Wrap wraps a new share of the problem, for example to keep a log; nil: no wrapper.
	Wrap func(w search.Work) search.Work
	// Pace wraps a share that is given to a rank, so that its nodes take a given time; nil: no
	// wrapper.
	Pace func(w search.Work) search.Work

	Splitting search.Splitting
	Damage    float64    // α of the damaged splitting function, 0 < α < 1; 0 or 1: none
	From      *Remainder // state that the search resumes; nil: it begins at the root

	made []search.Work
}

// Remainder is the state that a search resumes.
type Remainder struct {
	Left  Pieces         // all remaining pieces
	Kept  map[int]Pieces // pieces by rank, for the ranks of this Builder, if each rank resumes its own; nil: rank 0 begins with all pieces
	Bound int64          // the least known value
}

// Pieces are encoded pieces that shares of the problem accept, with their sizes.
type Pieces struct {
	Pieces [][]byte
	Sizes  []search.Size
}

// RankShare builds the share with which a rank begins.
func (b *Builder) RankShare(rank int) search.Work {
	if b.hasKeptPieces() {
		return b.rememberShare(b.resumedShare(b.From.Kept[rank], true))
	}
	return b.buildShare(rank == 0)
}

// FreshShare builds an empty share.
func (b *Builder) FreshShare() search.Work { return b.buildShare(false) }

// FillOptions sets the shares in a rank's options. If the parts of a static start are pieces, it
// also sets the number of splits.
func (b *Builder) FillOptions(o *lb.Options, rank int) {
	o.Work, o.Fresh, o.Kept = b.RankShare(rank), b.FreshShare, b.hasKeptPieces()
	if b.From != nil {
		o.Splits = bits.Len(uint(len(b.From.Left.Pieces))) // a part is one piece or empty
	}
}

// Each calls f for every share that was built. If a share is a wrapper, f gets the share inside.
func (b *Builder) Each(f func(search.Work)) {
	for _, w := range b.made {
		search.Each(w, f)
	}
}

// BuiltShares returns the shares that ranks were given, in the order of building.
func (b *Builder) BuiltShares() []search.Work { return b.made }

// CheckPieces checks the remaining pieces of the search and returns them with their sizes. It
// returns an error for the first piece that no share accepts.
func (b *Builder) CheckPieces(pieces [][]byte) (Pieces, error) {
	sizes, err := search.CheckPieces(b.anyPieceShare(false), pieces)
	return Pieces{pieces, sizes}, err
}

// hasKeptPieces reports whether each rank resumes its own pieces.
func (b *Builder) hasKeptPieces() bool { return b.From != nil && b.From.Kept != nil }

// buildShare builds a share of the root or of all remaining pieces, or an empty share.
func (b *Builder) buildShare(root bool) search.Work {
	if b.From != nil {
		return b.rememberShare(b.resumedShare(b.From.Left, root))
	}
	return b.rememberShare(b.damagedShare(root))
}

// rememberShare remembers a share that is given to a rank, and paces it.
func (b *Builder) rememberShare(w search.Work) search.Work {
	if b.Pace != nil {
		w = b.Pace(w)
	}
	b.made = append(b.made, w)
	return w
}

// resumedShare builds a share of remaining pieces, or an empty share.
func (b *Builder) resumedShare(p Pieces, all bool) search.Work {
	return search.NewResumed(b.damagedShare(false), p.Pieces, p.Sizes, all)
}

// damagedShare builds a share with a poor splitting function, if Damage asks for it. Under the
// rule Bottom, whose pieces are single nodes, problemShare already does this.
func (b *Builder) damagedShare(root bool) search.Work {
	w := b.anyPieceShare(root)
	if !b.splitsBadly() || b.Splitting.Rule == search.Bottom {
		return w
	}
	return search.NewDamaged(w, b.Damage, func() search.Work { return b.anyPieceShare(false) })
}

// anyPieceShare builds a share that accepts the remaining pieces of any scheme, if the search is
// resumed.
func (b *Builder) anyPieceShare(root bool) search.Work {
	w := b.problemShare(root)
	if b.From != nil && search.HasCapability[search.Bisecter](w) {
		return lb.AcceptParts(w)
	}
	return w
}

// problemShare makes a share of the problem. If the search is resumed, the share is empty and
// knows the best value.
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

// splitsBadly reports whether shares have a poor splitting function.
func (b *Builder) splitsBadly() bool { return b.Damage > 0 && b.Damage < 1 }
