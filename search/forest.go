package search

import (
	"errors"
	"fmt"
)

// Forest is a share of a search that was broken off and goes on: what was left of it, as
// pieces, takes the place of the root. It is a Wrapper of any Work, which works on one
// piece after the other, and lets every scheme continue a search that any other began, on
// any number of ranks.
//
// A piece of a Forest is half of the pieces that wait, as a list, or where none waits, what
// the Work within splits off. The parts of Bisect are runs of pieces, since a piece is no
// tree that could be bisected: where there are fewer pieces than parts, some are empty. So
// no node is redundant.
type Forest struct {
	Work
	all     [][]byte // that the search went on from, for Bisect
	waiting [][]byte

	allSizes, sizes []Size // theirs
}

// NewForest makes a share of a search that goes on from these pieces: all of it, if root is
// set, or nothing. w must be empty; the pieces and their sizes must be those that CheckPieces
// has found, and not be changed.
func NewForest(w Work, pieces [][]byte, sizes []Size, root bool) *Forest {
	f := &Forest{Work: w, all: pieces, allSizes: sizes}
	if root {
		f.waiting, f.sizes = pieces, sizes
	}
	return f
}

// CheckPieces tries out whether a share accepts each of these pieces and returns their sizes.
// It leaves the share empty.
func CheckPieces(w Work, pieces [][]byte) (sizes []Size, err error) {
	for i, p := range pieces {
		if err := w.Accept(p); err != nil {
			return nil, fmt.Errorf("piece %d of %d: %w", i+1, len(pieces), err)
		}
		sizes = append(sizes, SizeOf(w))
		Rest(w, func([]byte) {})
	}
	return sizes, nil
}

// next begins with a piece that waits.
func (f *Forest) next() {
	last := len(f.waiting) - 1
	if err := f.Work.Accept(f.waiting[last]); err != nil {
		panic("search: a piece that was accepted before is refused: " + err.Error())
	}
	f.waiting, f.sizes = f.waiting[:last:last], f.sizes[:last:last]
}

// ready says that the Work within has a node to expand, after it has begun with a piece
// that waits if need be.
func (f *Forest) ready() bool {
	for f.Work.Empty() && len(f.waiting) > 0 {
		f.next()
	}
	return !f.Work.Empty()
}

// Expand expands the piece at hand, then those that wait.
func (f *Forest) Expand(limit int) (expanded int) {
	for expanded < limit && !Decided(f.Work) && f.ready() {
		expanded += f.Work.Expand(limit - expanded)
		if !f.Work.Empty() {
			break
		}
	}
	return expanded
}

// Empty says that no piece is left.
func (f *Forest) Empty() bool { return len(f.waiting) == 0 && f.Work.Empty() }

// pieceBytes bounds the list of pieces that is given away at once, but for one that is
// longer by itself.
const pieceBytes = 1 << 20

// Split gives away half of the pieces that wait, or what the Work within gives.
func (f *Forest) Split(dst []byte) (piece []byte, ok bool) {
	if !f.ready() {
		return dst, false
	}
	if len(f.waiting) == 0 {
		return f.marked(dst, f.Work.Split)
	}
	give, bytes := 0, 0
	for most := (len(f.waiting) + 1) / 2; give < most && (give == 0 || bytes < pieceBytes); give++ {
		bytes += len(f.waiting[give])
	}
	given := f.waiting[:give]
	f.waiting, f.sizes = f.waiting[give:], f.sizes[give:]
	return AppendPieces(dst, given), true
}

// marked appends a piece of the Work within. One that begins with a mark, as those of
// other decorators do, becomes a list of itself alone: a decorator around the Forest shall
// not take it for its own.
func (f *Forest) marked(dst []byte, split func([]byte) ([]byte, bool)) ([]byte, bool) {
	piece, ok := split(dst)
	if !ok || piece[len(dst)] < MarkFirst {
		return piece, ok
	}
	return AppendPieces(dst, [][]byte{append([]byte(nil), piece[len(dst):]...)}), true
}

// Accept takes over a piece of the Work within, or a list of them.
func (f *Forest) Accept(piece []byte) error {
	if len(piece) == 0 || piece[0] != MarkList {
		return f.Work.Accept(piece)
	}
	pieces, err := ParsePieces(piece)
	if err != nil {
		return err
	}
	if len(pieces) == 0 {
		return errors.New("a list of no pieces: expected one at least")
	}
	sizes, err := CheckPieces(f.Work, pieces)
	if err != nil {
		return err
	}
	f.waiting, f.sizes = pieces, sizes
	return nil
}

// Pack appends all that is left.
func (f *Forest) Pack(dst []byte) []byte {
	var pieces [][]byte
	f.Rest(func(p []byte) { pieces = append(pieces, p) })
	return AppendPieces(dst, pieces)
}

// Rest takes out the pieces that wait, and what is left of the one at hand.
func (f *Forest) Rest(emit func(piece []byte)) {
	for _, p := range f.waiting {
		emit(p)
	}
	f.waiting, f.sizes = nil, nil
	Rest(f.Work, emit)
}

// Bisect makes the share the given part of 2^k of all the pieces.
func (f *Forest) Bisect(k int, part uint64) (expanded, redundant int) {
	way, from, to := NewWay(k, part), 0, len(f.all)
	for !way.Done() && to-from > 1 {
		from, to = way.Halve(from, to)
	}
	f.waiting, f.sizes = nil, nil
	if way.Own() {
		f.waiting, f.sizes = f.all[from:to:to], f.allSizes[from:to:to]
	}
	return 0, 0
}

// Unwrap returns the Work within, of which the pieces are.
func (f *Forest) Unwrap() Work { return f.Work }

// Adapt lets the Forest be a Subtasker or a Sizer where the Work within is one.
func (f *Forest) Adapt(want any) Work {
	switch want.(type) {
	case *Subtasker:
		if Has[Subtasker](f.Work) {
			return forestTasks{f}
		}
		return nil
	case *Sizer:
		if Has[Sizer](f.Work) {
			return forestSize{f}
		}
		return nil
	}
	return f.Work
}

// forestTasks is a Forest of a Subtasker.
type forestTasks struct{ *Forest }

// Subtask goes on through one piece after the other.
func (f forestTasks) Subtask(dst []byte, depth, limit int) (piece []byte, expanded int, ok bool) {
	if Decided(f.Work) || !f.ready() {
		return dst, 0, false
	}
	tasks, _ := As[Subtasker](f.Work)
	piece, ok = f.marked(dst, func(dst []byte) (p []byte, ok bool) {
		p, expanded, ok = tasks.Subtask(dst, depth, limit)
		return p, ok
	})
	return piece, expanded, ok
}

// forestSize is a Forest of a Sizer.
type forestSize struct{ *Forest }

// Weight is that of the pieces that wait and of the one at hand: less than 1 for all that
// the search went on from, since some of the tree was closed before.
func (f forestSize) Weight() float64 {
	left := WeightOf(f.Work)
	for _, s := range f.sizes {
		left += s.Weight
	}
	return left
}

// Open is the number of nodes that they are yet to expand.
func (f forestSize) Open() int {
	nodes := SizeOf(f.Work).Open
	for _, s := range f.sizes {
		nodes += s.Open
	}
	return nodes
}

var (
	_ Packer   = (*Forest)(nil)
	_ Bisecter = (*Forest)(nil)
	_ Adapter  = (*Forest)(nil)
)
