package search

import (
	"errors"
	"fmt"
)

// Resumed is a share of a search that was interrupted and goes on: what was left of it, as
// pieces, takes the place of the root. It is a Wrapper of any Work, which works on one
// piece after the other, and lets every scheme continue a search that any other began, on
// any number of ranks.
//
// A piece of it is half of the pieces that wait, as a list, or where none waits, what
// the Work within splits off. The parts of Bisect are runs of pieces, since a piece is no
// tree that could be bisected: where there are fewer pieces than parts, some are empty. So
// no node is redundant.
type Resumed struct {
	Work
	all     [][]byte // that the search went on from, for Bisect
	waiting [][]byte

	allSizes, sizes []Size // theirs
}

// NewResumed makes a share of a search that goes on from these pieces: all of it, if root is
// set, or nothing. w must be empty; the pieces and their sizes must be those that CheckPieces
// has found, and not be changed.
func NewResumed(w Work, pieces [][]byte, sizes []Size, root bool) *Resumed {
	r := &Resumed{Work: w, all: pieces, allSizes: sizes}
	if root {
		r.waiting, r.sizes = pieces, sizes
	}
	return r
}

// CheckPieces tries out whether a share accepts each of these pieces and returns their sizes.
// It leaves the share empty.
func CheckPieces(w Work, pieces [][]byte) (sizes []Size, err error) {
	for i, p := range pieces {
		if err := w.Accept(p); err != nil {
			return nil, fmt.Errorf("piece %d of %d: %w", i+1, len(pieces), err)
		}
		sizes = append(sizes, SizeOf(w))
		TakeRemaining(w, func([]byte) {})
	}
	return sizes, nil
}

// acceptNextPiece begins with a piece that waits.
func (r *Resumed) acceptNextPiece() {
	last := len(r.waiting) - 1
	if err := r.Work.Accept(r.waiting[last]); err != nil {
		panic("search: a piece that was accepted before is refused: " + err.Error())
	}
	r.waiting, r.sizes = r.waiting[:last:last], r.sizes[:last:last]
}

// ensureNonEmpty reports whether the Work within has a node to expand, after it has begun with a piece
// that waits if need be.
func (r *Resumed) ensureNonEmpty() bool {
	for r.Work.Empty() && len(r.waiting) > 0 {
		r.acceptNextPiece()
	}
	return !r.Work.Empty()
}

// Expand expands the current piece, then those that wait.
func (r *Resumed) Expand(limit int) (expanded int) {
	for expanded < limit && !Decided(r.Work) && r.ensureNonEmpty() {
		expanded += r.Work.Expand(limit - expanded)
		if !r.Work.Empty() {
			break
		}
	}
	return expanded
}

// Empty reports whether no piece is left.
func (r *Resumed) Empty() bool { return len(r.waiting) == 0 && r.Work.Empty() }

// pieceBytes bounds the list of pieces that is given away at once, except for one that is
// longer by itself.
const pieceBytes = 1 << 20

// Split gives away half of the pieces that wait, or what the Work within gives.
func (r *Resumed) Split(dst []byte) (piece []byte, ok bool) {
	if !r.ensureNonEmpty() {
		return dst, false
	}
	if len(r.waiting) == 0 {
		return r.appendInnerPiece(dst, r.Work.Split)
	}
	give, bytes := 0, 0
	for most := (len(r.waiting) + 1) / 2; give < most && (give == 0 || bytes < pieceBytes); give++ {
		bytes += len(r.waiting[give])
	}
	given := r.waiting[:give]
	r.waiting, r.sizes = r.waiting[give:], r.sizes[give:]
	return AppendPieces(dst, given), true
}

// appendInnerPiece appends a piece of the Work within. One that begins with a mark, as those of
// other wrappers do, becomes a list of itself alone: a wrapper around this one must not take it
// for its own.
func (r *Resumed) appendInnerPiece(dst []byte, split func([]byte) ([]byte, bool)) ([]byte, bool) {
	piece, ok := split(dst)
	if !ok || piece[len(dst)] < MarkFirst {
		return piece, ok
	}
	return AppendPieces(dst, [][]byte{append([]byte(nil), piece[len(dst):]...)}), true
}

// Accept takes over a piece of the Work within, or a list of them.
func (r *Resumed) Accept(piece []byte) error {
	if len(piece) == 0 || piece[0] != MarkList {
		return r.Work.Accept(piece)
	}
	pieces, err := ParsePieces(piece)
	if err != nil {
		return err
	}
	if len(pieces) == 0 {
		return errors.New("a list of no pieces: expected one at least")
	}
	sizes, err := CheckPieces(r.Work, pieces)
	if err != nil {
		return err
	}
	r.waiting, r.sizes = pieces, sizes
	return nil
}

// Pack appends all that is left.
func (r *Resumed) Pack(dst []byte) []byte {
	var pieces [][]byte
	r.TakeRemaining(func(p []byte) { pieces = append(pieces, p) })
	return AppendPieces(dst, pieces)
}

// TakeRemaining takes out the pieces that wait, and what is left of the current one.
func (r *Resumed) TakeRemaining(emit func(piece []byte)) {
	for _, p := range r.waiting {
		emit(p)
	}
	r.waiting, r.sizes = nil, nil
	TakeRemaining(r.Work, emit)
}

// Bisect makes the share the given part of 2^k of all the pieces.
func (r *Resumed) Bisect(k int, part uint64) (expanded, redundant int) {
	way, from, to := NewWay(k, part), 0, len(r.all)
	for !way.IsFinished() && to-from > 1 {
		from, to = way.HalveSiblings(from, to)
	}
	r.waiting, r.sizes = nil, nil
	if way.OwnsCurrentNode() {
		r.waiting, r.sizes = r.all[from:to:to], r.allSizes[from:to:to]
	}
	return 0, 0
}

// Unwrap returns the Work within, of which the pieces are.
func (r *Resumed) Unwrap() Work { return r.Work }

// Adapt lets the share be a Subtasker or a Sizer where the Work within is one.
func (r *Resumed) Adapt(want any) Work {
	switch want.(type) {
	case *Subtasker:
		if HasCapability[Subtasker](r.Work) {
			return resumedTasks{r}
		}
		return nil
	case *Sizer:
		if HasCapability[Sizer](r.Work) {
			return resumedSize{r}
		}
		return nil
	}
	return r.Work
}

// resumedTasks is a Resumed of a Subtasker.
type resumedTasks struct{ *Resumed }

// Subtask goes on through one piece after the other.
func (r resumedTasks) Subtask(dst []byte, depth, limit int) (piece []byte, expanded int, ok bool) {
	if Decided(r.Work) || !r.ensureNonEmpty() {
		return dst, 0, false
	}
	tasks, _ := As[Subtasker](r.Work)
	piece, ok = r.appendInnerPiece(dst, func(dst []byte) (p []byte, ok bool) {
		p, expanded, ok = tasks.Subtask(dst, depth, limit)
		return p, ok
	})
	return piece, expanded, ok
}

// resumedSize is a Resumed of a Sizer.
type resumedSize struct{ *Resumed }

// Weight is that of the pieces that wait and of the current one: less than 1 for all that
// the search went on from, since some of the tree was closed before.
func (r resumedSize) Weight() float64 {
	left := WeightOf(r.Work)
	for _, s := range r.sizes {
		left += s.Weight
	}
	return left
}

// Open is the number of nodes that they are yet to expand.
func (r resumedSize) Open() int {
	nodes := SizeOf(r.Work).Open
	for _, s := range r.sizes {
		nodes += s.Open
	}
	return nodes
}

var (
	_ Packer   = (*Resumed)(nil)
	_ Bisecter = (*Resumed)(nil)
	_ Adapter  = (*Resumed)(nil)
)
