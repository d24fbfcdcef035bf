package search

import (
	"errors"
	"fmt"
)

// Resumed is a share of a search that was interrupted and resumes. The remaining pieces of the
// search take the place of the root. Resumed is a Wrapper of any Work, which works on one
// piece after the other. With it every scheme can continue a search that any other scheme
// began, on any number of ranks.
//
// A piece of a Resumed is half of the waiting pieces, as a list. If no piece waits, it is a
// piece that the inner Work splits off. The parts of Bisect are runs of pieces, because a
// piece cannot be bisected. If there are fewer pieces than parts, some parts are empty. No
// node is redundant.
type Resumed struct {
	Work
	all     [][]byte // the pieces from which the search resumes, for Bisect
	waiting [][]byte // the pieces that this share has not begun

	allSizes, sizes []Size // the sizes of all and waiting
}

// NewResumed returns a share of a search that resumes from the given pieces: all of them if
// root is set, otherwise none. w must be empty. pieces must be pieces that CheckPieces has
// accepted, and sizes its result; the caller must not change them.
func NewResumed(w Work, pieces [][]byte, sizes []Size, root bool) *Resumed {
	r := &Resumed{Work: w, all: pieces, allSizes: sizes}
	if root {
		r.waiting, r.sizes = pieces, sizes
	}
	return r
}

// CheckPieces checks that a share accepts each of the pieces and returns their sizes. It
// leaves the share empty.
func CheckPieces(w Work, pieces [][]byte) (sizes []Size, err error) {
	for i, p := range pieces {
		if err := w.Accept(p); err != nil {
			return nil, fmt.Errorf("piece %d of %d is invalid: %w", i+1, len(pieces), err)
		}
		sizes = append(sizes, SizeOf(w))
		TakeRemaining(w, func([]byte) {})
	}
	return sizes, nil
}

// acceptNextPiece begins a waiting piece.
func (r *Resumed) acceptNextPiece() {
	last := len(r.waiting) - 1
	if err := r.Work.Accept(r.waiting[last]); err != nil {
		panic("search: a piece that was accepted before is refused: " + err.Error())
	}
	r.waiting, r.sizes = r.waiting[:last:last], r.sizes[:last:last]
}

// ensureNonEmpty begins a waiting piece if the inner Work is empty, and reports whether the
// inner Work then has a node to expand.
func (r *Resumed) ensureNonEmpty() bool {
	for r.Work.Empty() && len(r.waiting) > 0 {
		r.acceptNextPiece()
	}
	return !r.Work.Empty()
}

// Expand expands the current piece, then the waiting ones.
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

// pieceBytes bounds the length of a list of pieces that is given away at once. A single piece
// may be longer.
const pieceBytes = 1 << 20

// Split gives away half of the waiting pieces, or a piece of the inner Work if no piece waits.
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

// appendInnerPiece appends a piece of the inner Work. Pieces of other wrappers begin with a
// mark; this piece becomes a list of one piece, so that an outer wrapper does not take it
// for one of its own.
func (r *Resumed) appendInnerPiece(dst []byte, split func([]byte) ([]byte, bool)) ([]byte, bool) {
	piece, ok := split(dst)
	if !ok || piece[len(dst)] < MarkFirst {
		return piece, ok
	}
	return AppendPieces(dst, [][]byte{append([]byte(nil), piece[len(dst):]...)}), true
}

// Accept takes over a piece of the inner Work, or a list of its pieces.
func (r *Resumed) Accept(piece []byte) error {
	if len(piece) == 0 || piece[0] != MarkList {
		return r.Work.Accept(piece)
	}
	pieces, err := ParsePieces(piece)
	if err != nil {
		return err
	}
	if len(pieces) == 0 {
		return errors.New("the list of pieces is empty: expected at least one piece")
	}
	sizes, err := CheckPieces(r.Work, pieces)
	if err != nil {
		return err
	}
	r.waiting, r.sizes = pieces, sizes
	return nil
}

// Pack appends all remaining pieces as one list.
func (r *Resumed) Pack(dst []byte) []byte {
	var pieces [][]byte
	r.TakeRemaining(func(p []byte) { pieces = append(pieces, p) })
	return AppendPieces(dst, pieces)
}

// TakeRemaining takes out the waiting pieces and the rest of the current one.
func (r *Resumed) TakeRemaining(emit func(piece []byte)) {
	for _, p := range r.waiting {
		emit(p)
	}
	r.waiting, r.sizes = nil, nil
	TakeRemaining(r.Work, emit)
}

// Bisect makes the share the given part of 2^k of all pieces.
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

// Unwrap returns the inner Work, to which the pieces belong.
func (r *Resumed) Unwrap() Work { return r.Work }

// Adapt makes the share a Subtasker or a Sizer if the inner Work is one. It is no EvenBisecter,
// because its parts are runs of pieces.
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
	case *EvenBisecter:
		return nil
	}
	return r.Work
}

// resumedTasks is a Resumed whose inner Work is a Subtasker.
type resumedTasks struct{ *Resumed }

// Subtask takes subtasks from one piece after the other.
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

// resumedSize is a Resumed whose inner Work is a Sizer.
type resumedSize struct{ *Resumed }

// Weight returns the weight of the waiting pieces and of the current one. It is less than 1
// even for the whole resumed search, because part of the tree was closed before the
// interruption.
func (r resumedSize) Weight() float64 {
	left := WeightOf(r.Work)
	for _, s := range r.sizes {
		left += s.Weight
	}
	return left
}

// Open returns the number of open nodes of the waiting pieces and the current one.
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
