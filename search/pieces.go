package search

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"treesplit/internal/wire"
)

// TakeRemaining takes the remaining nodes out of a share as pieces, which other shares of the
// same problem accept, and leaves the share empty. If a run has been halted and no message is
// in flight, the pieces of all its shares are the part of the search that has not been
// expanded.
//
// The share must be a Packer, or a Wrapper with its own method TakeRemaining. A Decider must
// not be Decided. O(length of the pieces).
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

// EachPiece calls emit for a piece, or for each piece of a list. An invalid list counts as a
// single piece, which no share will accept.
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

// The first byte of a piece identifies its kind.
const (
	MarkFirst  = 0x80 // the least first byte that is reserved for wrappers
	MarkParts  = 0xDE // parts of the tree, of a static start (package lb)
	MarkScaled = 0xDF // a piece with a scaled weight, of a static start (package lb)
	MarkList   = 0xF0 // a list of pieces (AppendPieces)
)

// AppendPieces appends a list of pieces as one piece: MarkList, the number of pieces, and for
// each piece its length and its bytes. The numbers are unsigned varints.
func AppendPieces(dst []byte, pieces [][]byte) []byte {
	dst = append(dst, MarkList)
	dst = binary.AppendUvarint(dst, uint64(len(pieces)))
	for _, p := range pieces {
		dst = binary.AppendUvarint(dst, uint64(len(p)))
		dst = append(dst, p...)
	}
	return dst
}

// ParsePieces reads a list that AppendPieces has written. The pieces are slices of data. It
// does not check the pieces themselves; Work.Accept does. It allocates memory in proportion to
// the length of data, whatever numbers data contains.
func ParsePieces(data []byte) (pieces [][]byte, err error) {
	if len(data) == 0 || data[0] != MarkList {
		return nil, errors.New("the data are no list of pieces: expected the mark 0xF0 first")
	}
	in := wire.NewReader(data[1:])
	count := in.Uvarint(math.MaxUint64)
	if in.Err() != nil || count > uint64(len(in.Rest())) { // each piece takes at least one byte
		return nil, errors.New("the list of pieces is invalid: its number of pieces exceeds its number of bytes")
	}
	for i := range count {
		pieces = append(pieces, in.Bytes(in.Uvarint(math.MaxUint64)))
		if in.Err() != nil {
			return nil, fmt.Errorf("piece %d of %d is invalid: %w", i+1, count, in.Err())
		}
	}
	if left := len(in.Rest()); left > 0 {
		return nil, fmt.Errorf("%d bytes follow the last of %d pieces: expected none", left, count)
	}
	return pieces, nil
}
