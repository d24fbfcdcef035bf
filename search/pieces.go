package search

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"treesplit/internal/wire"
)

// TakeRemaining takes what is left of a share as pieces, each of which another share of the same
// problem accepts, and leaves it empty. Taken out of all shares of a run that has been
// halted, when no message is left, they are what the run has not expanded yet.
//
// The share must be a Packer, or a Wrapper with a method TakeRemaining of its own. A Decider
// must not be Decided. O(length of the pieces).
func TakeRemaining(w Work, emit func(piece []byte)) {
	if r, ok := As[remaining](w); ok {
		r.TakeRemaining(emit)
		return
	}
	if !w.Empty() {
		packer, _ := As[Packer](w)
		emit(packer.Pack(nil))
	}
}

// EachPiece calls emit for a piece, or for those of a list. A list that makes no sense counts
// as a piece, which nobody will accept.
func EachPiece(piece []byte, emit func(piece []byte)) {
	if len(piece) == 0 || piece[0] != MarkList {
		emit(piece)
		return
	}
	pieces, err := ParsePieces(piece)
	if err != nil {
		emit(piece)
		return
	}
	for _, p := range pieces {
		emit(p)
	}
}

// The first byte of a piece says what it is.
const (
	MarkFirst  = 0x80 // the least one that is no Work's own
	MarkParts  = 0xDE // parts of the tree, of a static start (package lb)
	MarkScaled = 0xDF // a piece that weighs other than it says, of a static start (package lb)
	MarkList   = 0xF0 // a list of pieces (AppendPieces)
)

// AppendPieces appends a list of pieces as one: a mark, their number, and each with its
// length before it, the numbers as unsigned varints.
func AppendPieces(dst []byte, pieces [][]byte) []byte {
	dst = append(dst, MarkList)
	dst = binary.AppendUvarint(dst, uint64(len(pieces)))
	for _, p := range pieces {
		dst = binary.AppendUvarint(dst, uint64(len(p)))
		dst = append(dst, p...)
	}
	return dst
}

// ParsePieces reads what AppendPieces has written; the pieces are parts of data. Whether
// each makes sense is the Work's to say. The memory that it takes follows the length of data,
// whatever data says.
func ParsePieces(data []byte) (pieces [][]byte, err error) {
	if len(data) == 0 || data[0] != MarkList {
		return nil, errors.New("no list of pieces: expected its mark")
	}
	in := wire.NewReader(data[1:])
	count := in.Uvarint(math.MaxUint64)
	if in.Err() != nil || count > uint64(len(in.Rest())) { // each takes a byte at least
		return nil, errors.New("a list of more pieces than there are bytes")
	}
	for i := range count {
		pieces = append(pieces, in.Bytes(in.Uvarint(math.MaxUint64)))
		if in.Err() != nil {
			return nil, fmt.Errorf("piece %d of %d: %w", i+1, count, in.Err())
		}
	}
	if left := len(in.Rest()); left > 0 {
		return nil, fmt.Errorf("%d bytes after the last of %d pieces", left, count)
	}
	return pieces, nil
}
