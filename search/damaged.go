package search

import "math"

// Damaged is a Wrapper that gives any Work a poor splitting function, the "damaged splitting
// function" of Kumar et al., section 8, figure 7. Of each piece that the inner Work splits
// off, only about the fraction α leaves the donor; the donor keeps the rest. The piece is
// split again ⌈log2 1/α⌉ times, and the last half is given away. The papers do not describe
// how their splitting function was damaged.
//
// A piece that cannot be split again is given away whole. Under rule Bottom this is every
// piece, because it is a single node. Splitting.Skip damages rule Bottom instead.
//
// The kept pieces wait in shares of their own. A waiting share becomes active when the active
// share is empty; until then no part of it can be given away.
type Damaged struct {
	halves int // number of times that a piece is split again
	fresh  func() Work
	shares []Work // all shares that were ever made; shares[0] is the original one
	main   Work   // the active share
	kept   []Work // waiting shares
	spare  []Work // empty shares for reuse
	bound  int64  // the least known value, if the shares look for one
}

// NewDamaged returns a damaged w, with 0 < alpha ≤ 1; alpha = 1 causes no damage. fresh must
// return an empty share of the same problem.
func NewDamaged(w Work, alpha float64, fresh func() Work) *Damaged {
	return &Damaged{halves: int(math.Ceil(-math.Log2(alpha))), fresh: fresh, shares: []Work{w}, main: w, bound: NoBound}
}

// Each calls f for w or, if w is a Wrapper of several shares, for each of them, so that the
// counts of all shares can be added up.
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

// TakeRemaining takes out the remaining pieces of the active share and of the waiting ones.
func (d *Damaged) TakeRemaining(emit func(piece []byte)) {
	TakeRemaining(d.main, emit)
	for _, w := range d.kept {
		TakeRemaining(w, emit)
	}
	d.spare, d.kept = append(d.spare, d.kept...), nil
}

// Expand expands the active share, then the waiting ones.
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

// knownBound returns the least value that any share knows of, if the shares look for one.
func (d *Damaged) knownBound() int64 { return min(d.bound, BoundOf(d.main)) }

// Split gives away a small part of the piece that the active share splits off.
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
		if !ok { // too small to be split again: it is given away whole
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

// dropSpare discards the share that emptyShare has returned, because it still holds a piece
// that is given away. A spare share stays in shares, because of its earlier counts.
func (d *Damaged) dropSpare() {
	if n := len(d.spare); n > 0 {
		d.spare = d.spare[:n-1]
	}
}

// keepShare makes the share that emptyShare has returned a waiting one.
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

// Unwrap returns the active share.
func (d *Damaged) Unwrap() Work { return d.main }

// Adapt gives the Damaged the capabilities of its shares. There is no Pack, because the
// waiting shares cannot be encoded as one piece of the Work; TakeRemaining returns several
// pieces.
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

// damagedFacets is a Damaged whose shares have the requested capability.
type damagedFacets struct{ *Damaged }

// Decided reports whether the active share has found a witness.
func (d damagedFacets) Decided() bool { return Decided(d.main) }

// Bound returns the least value that any share knows of.
func (d damagedFacets) Bound() int64 { return d.knownBound() }

// Tighten informs all shares of a better solution.
func (d damagedFacets) Tighten(value int64) {
	d.bound = min(d.bound, value)
	for _, s := range d.shares {
		TightenTo(s, value)
	}
}

// Bisect makes the active share one of 2^k parts of the tree.
func (d damagedFacets) Bisect(k int, part uint64) (expanded, redundant int) {
	b, _ := As[Bisecter](d.main)
	return b.Bisect(k, part)
}

// Weight returns the weight of the active share and the waiting ones.
func (d damagedFacets) Weight() float64 {
	left := WeightOf(d.main)
	for _, w := range d.kept {
		left += WeightOf(w)
	}
	return left
}

// Open returns the number of open nodes of the active share and the waiting ones.
func (d damagedFacets) Open() int {
	nodes := SizeOf(d.main).Open
	for _, w := range d.kept {
		nodes += SizeOf(w).Open
	}
	return nodes
}
