package lb

import (
	"encoding/binary"
	"errors"
	"fmt"

	"treesplit/gf2perm"
	"treesplit/search"
)

// dealt is a share of a search under a scheme with a static start. It is a search.Wrapper of
// any search.Bisecter. It holds a range of the 2^k parts of the tree, in an order that is the
// same on all ranks, and the current part. A part is bisected directly from the root when its
// turn comes.
//
// The order is a pseudorandom permutation, so that neighbours in the tree, whose sizes are
// similar, go to different ranks (Sanders, "Randomized Static Load Balancing for Tree-Shaped
// Computations", section 3).
//
// A piece of a dealt share is either a piece of the current part, as the inner Work splits it,
// or half of the range. So the dynamic schemes that follow a static start need no knowledge of
// it.
type dealt struct {
	search.Work // the current part
	bisecter    search.Bisecter
	inner       search.Redundant // the inner Work, if it expands redundant nodes itself; else nil
	known       *Permutations
	order       order
	next, end   uint64 // positions of the waiting parts in the order
	cursor      gf2perm.PowersCursor
	placed      bool    // the cursor is at next
	redundant   int64   // nodes of other parts that were expanded on the way, since TakeRedundant
	scale       float64 // factor of the weights of the current part (static_weights.go)
}

// order identifies a permutation of the 2^k parts. All ranks compute the same permutation from
// it.
type order struct {
	k    int
	seed uint64
}

// newDealt returns a wrapper of a share, a search.Bisecter that is empty or holds the whole
// tree with no node expanded.
func newDealt(w search.Work, known *Permutations) *dealt {
	if known == nil {
		known = new(Permutations)
	}
	bisecter, ok := search.As[search.Bisecter](w)
	if !ok {
		panic(fmt.Sprintf("lb: a share of type %T is no search.Bisecter", w))
	}
	inner, _ := search.As[search.Redundant](w)
	return &dealt{Work: w, bisecter: bisecter, inner: inner, known: known, scale: 1}
}

// AcceptParts returns a share that also accepts pieces of schemes with a static start, which
// are parts of the tree. It is for searches that resume under another scheme. It panics if w
// is no search.Bisecter.
func AcceptParts(w search.Work) search.Work { return newDealt(w, nil) }

// assignRange makes the share hold the positions from, …, to−1 of an order. The permutation is
// computed when the first of them has its turn, because it takes far more memory than the
// piece that identifies it.
func (d *dealt) assignRange(o order, from, to uint64) {
	d.order, d.next, d.end, d.placed = o, from, to, false
}

// Expand expands the current part, then the next ones. It departs from search.Work: redundant
// nodes count towards limit too, and the way to a part is not interrupted. So it may return
// less than limit, even 0, although the share is not empty. It may also exceed limit by the
// number of nodes on one way.
func (d *dealt) Expand(limit int) (expanded int) {
	for spent := 0; spent < limit && !search.Decided(d.Work); {
		before, n := d.redundant, 0
		switch {
		case !d.Work.Empty():
			n = d.expandInner(limit - spent)
		case d.next < d.end:
			n = d.beginNextPart()
		default:
			return expanded
		}
		expanded, spent = expanded+n, spent+n+int(d.redundant-before)
	}
	return expanded
}

// expandInner expands up to limit nodes of the current part and returns their number. If the search
// resumes, the inner Work may contain parts of an earlier static start.
func (d *dealt) expandInner(limit int) (expanded int) {
	expanded = d.Work.Expand(limit)
	if d.inner != nil {
		d.redundant += d.inner.TakeRedundant()
	}
	return expanded
}

// beginNextPart begins the next waiting part and returns the number of its nodes that were
// expanded on the way.
func (d *dealt) beginNextPart() (expanded int) {
	own, others := d.bisecter.Bisect(d.order.k, d.takeNextPart())
	d.redundant += int64(others)
	d.rescaleWeights()
	return own
}

// takeNextPart takes the next position and returns the part at that position.
func (d *dealt) takeNextPart() uint64 {
	if d.order.k > 0 && !d.placed {
		d.cursor, d.placed = d.known.PowersFromSeed(d.order.k, d.order.seed).CursorFrom(d.next), true
	}
	if d.next++; d.order.k == 0 {
		return 0
	}
	return d.cursor.Next()
}

// TakeRedundant returns the number of nodes of other parts that were expanded since the last call.
func (d *dealt) TakeRedundant() int64 {
	n := d.redundant
	d.redundant = 0
	return n
}

// Empty reports whether neither a node nor a part is left.
func (d *dealt) Empty() bool { return d.next == d.end && d.Work.Empty() }

// dealtLen is the length of an encoded range: the mark, a byte for k, and the seed, the first
// position and the number of positions with 8 bytes each. A piece of the inner Work may
// follow.
const dealtLen = 26

// appendRange appends the positions from, …, to−1.
func (o order) appendRange(dst []byte, from, to uint64) []byte {
	dst = append(dst, search.MarkParts, byte(o.k))
	dst = binary.BigEndian.AppendUint64(dst, o.seed)
	dst = binary.BigEndian.AppendUint64(dst, from)
	return binary.BigEndian.AppendUint64(dst, to-from)
}

// Split gives away the later half of the waiting parts. If no part waits, it gives away a
// piece of the current part, split off by the inner Work.
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

// Pack appends the waiting parts and the current part. The inner Work must be a search.Packer.
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

// Accept takes over a piece: a range of parts, a piece of the inner Work, or both.
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

// parseRange reads the encoding of appendRange.
func parseRange(piece []byte) (o order, from, to uint64, err error) {
	if len(piece) < dealtLen || piece[0] != search.MarkParts {
		return o, 0, 0, fmt.Errorf("a range of parts cannot have %d bytes: expected at least %d and the mark 0xDE", len(piece), dealtLen)
	}
	o = order{k: int(piece[1]), seed: binary.BigEndian.Uint64(piece[2:])}
	if o.k > search.MaxSplits {
		return o, 0, 0, fmt.Errorf("a range cannot consist of 2^%d parts: expected an exponent of 0 to %d", o.k, search.MaxSplits)
	}
	from = binary.BigEndian.Uint64(piece[10:])
	count, parts := binary.BigEndian.Uint64(piece[18:]), uint64(1)<<o.k
	if from >= parts || count == 0 || count > parts-from {
		return o, 0, 0, errors.New("the range of parts is invalid: expected at least one position and none beyond the last part")
	}
	return o, from, from + count, nil
}

// TakeRemaining takes out the remaining pieces. If the inner Work is a search.Resumed, the
// waiting parts are runs of its pieces, and these pieces are taken out, because another run
// does not know the order.
func (d *dealt) TakeRemaining(emit func(piece []byte)) {
	search.TakeRemaining(d.Work, emit)
	resumed, ok := search.As[*search.Resumed](d.Work) // other wrappers, such as a pace, may be around it
	if !ok && d.next < d.end {
		emit(d.order.appendRange(nil, d.next, d.end))
		d.next = d.end
	}
	for d.next < d.end {
		resumed.Bisect(d.order.k, d.takeNextPart())
		search.TakeRemaining(resumed, emit)
	}
}

// Unwrap returns the inner Work.
func (d *dealt) Unwrap() search.Work { return d.Work }

// Adapt makes the share a search.Subtasker or a search.Sizer if the inner Work is one. It is
// no search.Bisecter, because it holds parts already.
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
	case *search.Bisecter, *search.EvenBisecter:
		return nil
	}
	return d.Work
}

// dealtTasks is a dealt share whose inner Work is a search.Subtasker.
type dealtTasks struct{ *dealt }

// Subtask takes subtasks from the current part, then from the next ones, as search.Subtasker
// specifies. The nodes on the way to a part count towards limit, as in Expand.
func (d dealtTasks) Subtask(dst []byte, depth, limit int) (piece []byte, expanded int, ok bool) {
	if !d.Work.Empty() || d.next == d.end {
		tasks, _ := search.As[search.Subtasker](d.Work)
		return tasks.Subtask(dst, depth, limit)
	}
	for spent := 0; spent < limit && d.Work.Empty() && d.next < d.end; {
		before, n := d.redundant, d.beginNextPart()
		expanded, spent = expanded+n, spent+n+int(d.redundant-before)
	}
	return dst, expanded, false
}

var (
	_ search.Packer    = (*dealt)(nil)
	_ search.Redundant = (*dealt)(nil)
	_ search.Adapter   = (*dealt)(nil)
)
