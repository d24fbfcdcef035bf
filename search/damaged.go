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
	shares []Work // all shares that have held work; shares[0] is the original one
	main   Work   // the active share
	kept   []Work // waiting shares
	spare  []Work // empty shares for reuse
	bound  int64  // the least known value, if the shares look for one
	sent   int64  // TransferTime of the last Expand, if the shares send their nodes
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

// Each calls f for every share that has held work.
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
	d.sent = 0
	for {
		expanded += d.main.Expand(limit - expanded)
		d.bound = d.knownBound()
		if t, ok := As[Transferring](d.main); ok {
			d.sent += t.TransferTime()
		}
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
		w, isNew := d.takeEmptyShare()
		if err := w.Accept(piece); err != nil {
			panic("search: a Work refuses its own piece: " + err.Error())
		}
		smaller, ok := w.Split(nil)
		if !ok { // too small to be split again: it is given away whole
			d.recycleShare(w, isNew)
			break
		}
		piece = smaller
		d.noteShare(w, isNew)
		d.kept = append(d.kept, w)
	}
	return append(dst, piece...), true
}

// takeEmptyShare returns an empty share, and whether it is new.
func (d *Damaged) takeEmptyShare() (w Work, isNew bool) {
	if n := len(d.spare); n > 0 {
		w, d.spare = d.spare[n-1], d.spare[:n-1]
		return w, false
	}
	return d.fresh(), true
}

// noteShare adds a share to shares if it is new.
func (d *Damaged) noteShare(w Work, isNew bool) {
	if isNew {
		d.shares = append(d.shares, w)
		TightenTo(w, d.knownBound())
	}
}

// recycleShare empties a share whose piece is given away, and keeps it for reuse. A share that
// cannot be emptied is discarded, but stays in shares if it is not new, because of its counts.
func (d *Damaged) recycleShare(w Work, isNew bool) {
	if !HasCapability[Packer](w) && !HasCapability[remaining](w) {
		return
	}
	TakeRemaining(w, func([]byte) {})
	d.noteShare(w, isNew)
	d.spare = append(d.spare, w)
}

// Accept takes over a piece.
func (d *Damaged) Accept(piece []byte) error { return d.main.Accept(piece) }

// Unwrap returns the active share.
func (d *Damaged) Unwrap() Work { return d.main }
