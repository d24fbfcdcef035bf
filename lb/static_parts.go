package lb

import (
	"encoding/binary"
	"errors"
	"fmt"

	"treesplit/gf2perm"
	"treesplit/search"
)

// dealt is a share of a search under the static scheme and those that begin with
// it, as a search.Wrapper of any search.Bisecter: a range of the 2^k parts of the tree,
// in an order that all ranks agree on, and the part at work. A part is bisected
// straight from the root when its turn comes.
//
// The order is a pseudorandom permutation, so that neighbours in the tree, whose
// sizes are alike, fall to different ranks (Sanders, "Randomized Static Load
// Balancing for Tree-Shaped Computations", section 3).
//
// A piece of a dealt share is either one of the part at work, as the Work within
// splits it, or half the range; so the dynamic schemes that follow a static start
// need not know of it.
type dealt struct {
	search.Work // the part at work
	bisecter    search.Bisecter
	known       *Permutations
	order       order
	next, end   uint64 // positions in the order that are still to be worked on
	cursor      gf2perm.PowersCursor
	placed      bool    // the cursor is at next
	redundant   int64   // nodes of other parts, expanded on the way
	scale       float64 // what a weight of the part at work counts for (static_weights.go)
}

// order says which permutation of the 2^k parts it is; all ranks make the same of
// it.
type order struct {
	k    int
	seed uint64
}

// newDealt returns the wrapper of a share, a search.Bisecter that holds nothing or
// the whole tree untouched.
func newDealt(w search.Work, known *Permutations) *dealt {
	if known == nil {
		known = new(Permutations)
	}
	bisecter, ok := search.As[search.Bisecter](w)
	if !ok {
		panic(fmt.Sprintf("lb: %T is no search.Bisecter", w))
	}
	return &dealt{Work: w, bisecter: bisecter, known: known, scale: 1}
}

// AcceptParts makes a share that accepts pieces of schemes with a static start too, which are
// parts of the tree, for searches that go on under another scheme. It panics where w is no
// search.Bisecter.
func AcceptParts(w search.Work) search.Work { return newDealt(w, nil) }

// assignRange gives the share the positions from, …, to−1 of an order. The order is made when
// the first of them has its turn: it takes far more memory than a piece that names it.
func (d *dealt) assignRange(o order, from, to uint64) {
	d.order, d.next, d.end, d.placed = o, from, to, false
}

// Expand works on the current part, then on the next ones. It departs from
// search.Work: redundant nodes count towards limit too, and the way to a part is not
// interrupted. So it may return less than limit, even 0, and not be empty, or pass limit
// by the nodes on one way.
func (d *dealt) Expand(limit int) (expanded int) {
	spent := 0
	for spent < limit && !search.Decided(d.Work) {
		if !d.Work.Empty() {
			n := d.Work.Expand(limit - spent)
			expanded, spent = expanded+n, spent+n
			continue
		}
		if d.next == d.end {
			break
		}
		before := d.redundant
		own := d.beginNextPart()
		expanded, spent = expanded+own, spent+own+int(d.redundant-before)
	}
	return expanded
}

// beginNextPart goes to the next part that waits and returns how many of its nodes it expanded on
// the way.
func (d *dealt) beginNextPart() (expanded int) {
	own, others := d.bisecter.Bisect(d.order.k, d.takeNextPart())
	d.redundant += int64(others)
	d.rescaleWeights()
	return own
}

// takeNextPart takes the next position and returns the part that stands there.
func (d *dealt) takeNextPart() uint64 {
	if d.order.k > 0 && !d.placed {
		d.cursor, d.placed = d.known.PowersFromSeed(d.order.k, d.order.seed).CursorFrom(d.next), true
	}
	if d.next++; d.order.k == 0 {
		return 0
	}
	return d.cursor.Next()
}

// takeRedundant returns the nodes of other parts that were expanded since it was
// last asked.
func (d *dealt) takeRedundant() int64 {
	n := d.redundant
	d.redundant = 0
	return n
}

// Empty reports whether neither a node nor a part is left.
func (d *dealt) Empty() bool { return d.next == d.end && d.Work.Empty() }

// dealtLen is the length of an encoded range: the mark, a byte for k, and the seed,
// the first position and the number of positions with 8 bytes each. What follows
// is a piece of the Work within, or nothing.
const dealtLen = 26

// appendRange appends the positions from, …, to−1.
func (o order) appendRange(dst []byte, from, to uint64) []byte {
	dst = append(dst, search.MarkParts, byte(o.k))
	dst = binary.BigEndian.AppendUint64(dst, o.seed)
	dst = binary.BigEndian.AppendUint64(dst, from)
	return binary.BigEndian.AppendUint64(dst, to-from)
}

// Split gives away half of the parts that wait, the later ones, or, where none
// waits, what the Work within gives of the part at work.
func (d *dealt) Split(dst []byte) (piece []byte, ok bool) {
	waiting := d.end - d.next
	if waiting == 0 {
		if piece, ok = d.Work.Split(d.appendScale(dst)); !ok {
			return dst, false
		}
		return piece, true
	}
	given := waiting / 2
	if !d.Work.Empty() {
		given = (waiting + 1) / 2
	}
	if given == 0 {
		return dst, false
	}
	d.end -= given
	return d.order.appendRange(dst, d.end, d.end+given), true
}

// Pack appends all that is left: the parts that wait and the part at work. The Work
// within must be a search.Packer.
func (d *dealt) Pack(dst []byte) []byte {
	if !d.Work.Empty() {
		dst = d.appendScale(dst)
	}
	if d.next < d.end {
		dst = d.order.appendRange(dst, d.next, d.end)
		d.next = d.end
	}
	if !d.Work.Empty() {
		packer, _ := search.As[search.Packer](d.Work)
		dst = packer.Pack(dst)
	}
	return dst
}

// Accept takes over a piece: a range of parts, one of the Work within, or both.
func (d *dealt) Accept(piece []byte) error {
	scale, piece, err := parseScale(piece)
	if err != nil {
		return err
	}
	if len(piece) == 0 || piece[0] != search.MarkParts {
		return d.acceptScaled(piece, scale)
	}
	o, from, to, err := parseRange(piece)
	if err != nil {
		return err
	}
	if len(piece) > dealtLen || scale != 1 {
		if err := d.acceptScaled(piece[dealtLen:], scale); err != nil {
			return err
		}
	}
	d.assignRange(o, from, to)
	return nil
}

// parseRange reads what appendRange has written.
func parseRange(piece []byte) (o order, from, to uint64, err error) {
	if len(piece) < dealtLen || piece[0] != search.MarkParts {
		return o, 0, 0, fmt.Errorf("%d bytes: expected a range of parts of at least %d", len(piece), dealtLen)
	}
	o = order{k: int(piece[1]), seed: binary.BigEndian.Uint64(piece[2:])}
	if o.k > search.MaxSplits {
		return o, 0, 0, fmt.Errorf("a range of 2^%d parts: expected an exponent of 0 to %d", o.k, search.MaxSplits)
	}
	from = binary.BigEndian.Uint64(piece[10:])
	count, parts := binary.BigEndian.Uint64(piece[18:]), uint64(1)<<o.k
	if from >= parts || count == 0 || count > parts-from {
		return o, 0, 0, errors.New("a range of parts that are not all there")
	}
	return o, from, from + count, nil
}

// TakeRemaining takes out what is left. Where the Work within is itself one that goes on from pieces,
// the parts that wait are runs of these, and it is these that are taken out: the order means
// nothing to whoever continues.
func (d *dealt) TakeRemaining(emit func(piece []byte)) {
	search.TakeRemaining(d.Work, emit)
	resumed, ok := d.Work.(*search.Resumed)
	if !ok && d.next < d.end {
		emit(d.order.appendRange(nil, d.next, d.end))
		d.next = d.end
	}
	for d.next < d.end {
		resumed.Bisect(d.order.k, d.takeNextPart())
		search.TakeRemaining(resumed, emit)
	}
}

// Unwrap returns the Work within.
func (d *dealt) Unwrap() search.Work { return d.Work }

// Adapt lets the share be a search.Subtasker or a search.Sizer where the Work within is one.
// It is no search.Bisecter: it holds parts already.
func (d *dealt) Adapt(want any) search.Work {
	switch want.(type) {
	case *search.Subtasker:
		if search.HasCapability[search.Subtasker](d.Work) {
			return dealtTasks{d}
		}
		return nil
	case *search.Sizer:
		if search.HasCapability[search.Sizer](d.Work) {
			return dealtSize{d}
		}
		return nil
	case *search.Bisecter:
		return nil
	}
	return d.Work
}

// dealtTasks is a dealt share of a search.Subtasker.
type dealtTasks struct{ *dealt }

// Subtask goes on through the current part, then through the next ones, as search.Subtasker
// says. The nodes on the way to a part count towards limit, as in Expand.
func (d dealtTasks) Subtask(dst []byte, depth, limit int) (piece []byte, expanded int, ok bool) {
	if !d.Work.Empty() || d.next == d.end {
		tasks, _ := search.As[search.Subtasker](d.Work)
		return tasks.Subtask(dst, depth, limit)
	}
	for expanded < limit && d.Work.Empty() && d.next < d.end {
		expanded += d.beginNextPart()
	}
	return dst, expanded, false
}

var (
	_ search.Packer  = (*dealt)(nil)
	_ search.Adapter = (*dealt)(nil)
)
