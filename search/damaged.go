package search

import "math"

// Damaged is a Work with a poor splitting function, the paper's "damaged
// splitting function" (Kumar et al., section 8, figure 7), as a Wrapper of any
// Work: of what the inner Work would give away only about the share α leaves the
// donor, which keeps the rest. The piece is split again ⌈log2 1/α⌉ times and the
// last half handed over. The papers do not print how theirs was damaged.
//
// A piece that cannot be split again goes whole. That is every piece of rule
// Bottom, a single node, which is damaged by Splitting.Skip instead.
//
// What is kept waits in shares of its own and is worked on when the share before
// it is empty; until then it cannot be given away.
type Damaged struct {
	halves int // how often a piece is split again
	fresh  func() Work
	shares []Work // all that were ever made; shares[0] is the one given
	main   Work   // the share worked on
	kept   []Work // shares that wait
	spare  []Work // empty shares to be used again
	bound  int64  // the least value known, where they look for one
}

// NewDamaged damages w; 0 < alpha ≤ 1, where 1 does no damage. fresh returns an
// empty share of the same problem.
func NewDamaged(w Work, alpha float64, fresh func() Work) *Damaged {
	return &Damaged{halves: int(math.Ceil(-math.Log2(alpha))), fresh: fresh, shares: []Work{w}, main: w, bound: NoBound}
}

// Each calls f for w, or for every share that w, a Wrapper, is made of, so that
// what shares have counted can be added up.
func Each(w Work, f func(Work)) {
	switch x := w.(type) {
	case several:
		x.Each(f)
	case Wrapper:
		Each(x.Unwrap(), f)
	default:
		f(w)
	}
}

// Each calls f for every share that was ever made.
func (d *Damaged) Each(f func(Work)) {
	for _, s := range d.shares {
		Each(s, f)
	}
}

// TakeRemaining takes out what is left of the share worked on and of those that wait.
func (d *Damaged) TakeRemaining(emit func(piece []byte)) {
	TakeRemaining(d.main, emit)
	for _, w := range d.kept {
		TakeRemaining(w, emit)
	}
	d.spare, d.kept = append(d.spare, d.kept...), nil
}

// Expand expands the share worked on, then those that wait.
func (d *Damaged) Expand(limit int) (expanded int) {
	for {
		expanded += d.main.Expand(limit - expanded)
		d.bound = d.knownBound()
		if Decided(d.main) || !d.main.Empty() || len(d.kept) == 0 {
			return expanded
		}
		d.spare = append(d.spare, d.main)
		last := len(d.kept) - 1
		d.main, d.kept = d.kept[last], d.kept[:last]
		if expanded == limit {
			return expanded
		}
	}
}

// Empty reports whether no share has a node left.
func (d *Damaged) Empty() bool { return d.main.Empty() && len(d.kept) == 0 }

// knownBound is the least value that any of the shares knows of, if they look for one.
func (d *Damaged) knownBound() int64 { return min(d.bound, BoundOf(d.main)) }

// Split gives away a small part of what the share worked on would give.
func (d *Damaged) Split(dst []byte) ([]byte, bool) {
	piece, ok := d.main.Split(nil)
	if !ok {
		return dst, false
	}
	for range d.halves {
		w := d.emptyShare()
		if err := w.Accept(piece); err != nil {
			panic("search: a Work refuses its own piece: " + err.Error())
		}
		smaller, ok := w.Split(nil)
		if !ok { // too small to be split again: it goes whole
			d.dropSpare()
			break
		}
		piece = smaller
		d.keepShare(w)
	}
	return append(dst, piece...), true
}

// emptyShare returns an empty share.
func (d *Damaged) emptyShare() Work {
	if n := len(d.spare); n > 0 {
		return d.spare[n-1]
	}
	return d.fresh()
}

// dropSpare gives up the share that emptyShare has returned, since it still holds a piece
// that goes elsewhere. A spare one stays in shares, for what it has counted before.
func (d *Damaged) dropSpare() {
	if n := len(d.spare); n > 0 {
		d.spare = d.spare[:n-1]
	}
}

// keepShare keeps a share that emptyShare has returned.
func (d *Damaged) keepShare(w Work) {
	if n := len(d.spare); n > 0 {
		d.spare = d.spare[:n-1]
	} else {
		d.shares = append(d.shares, w)
		TightenTo(w, d.knownBound())
	}
	d.kept = append(d.kept, w)
}

// Accept takes over a piece.
func (d *Damaged) Accept(piece []byte) error { return d.main.Accept(piece) }

// Unwrap returns the share worked on.
func (d *Damaged) Unwrap() Work { return d.main }

// Adapt lets the Damaged do what its shares can do. There is no Pack, as the shares that wait
// cannot be encoded as one piece of the Work; TakeRemaining gives several.
func (d *Damaged) Adapt(want any) Work {
	can := false
	switch want.(type) {
	case *Decider:
		can = HasCapability[Decider](d.main)
	case *Optimiser:
		can = HasCapability[Optimiser](d.main)
	case *Bisecter:
		can = HasCapability[Bisecter](d.main)
	case *Sizer:
		can = HasCapability[Sizer](d.main)
	case *Levelled:
		return d.main
	}
	if can {
		return damagedFacets{d}
	}
	return nil
}

// damagedFacets is a Damaged of shares that can do what is asked of it.
type damagedFacets struct{ *Damaged }

// Decided reports whether the share worked on has met a witness.
func (d damagedFacets) Decided() bool { return Decided(d.main) }

// Bound is the least value that any of the shares knows of.
func (d damagedFacets) Bound() int64 { return d.knownBound() }

// Tighten tells all of the shares of a better solution.
func (d damagedFacets) Tighten(value int64) {
	d.bound = min(d.bound, value)
	for _, s := range d.shares {
		TightenTo(s, value)
	}
}

// Bisect makes the share worked on one of 2^k parts of the tree.
func (d damagedFacets) Bisect(k int, part uint64) (expanded, redundant int) {
	b, _ := As[Bisecter](d.main)
	return b.Bisect(k, part)
}

// Weight is that of the share worked on and of those that wait.
func (d damagedFacets) Weight() float64 {
	left := WeightOf(d.main)
	for _, w := range d.kept {
		left += WeightOf(w)
	}
	return left
}

// Open is the number of nodes that they are yet to expand.
func (d damagedFacets) Open() int {
	nodes := SizeOf(d.main).Open
	for _, w := range d.kept {
		nodes += SizeOf(w).Open
	}
	return nodes
}
