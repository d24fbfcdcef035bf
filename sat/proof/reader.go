package proof

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Stream is the log of one share, all blocks in order.
type Stream interface {
	io.ReaderAt
	Size() int64 // in bytes
}

// reader reads the numbers of a part of a stream through a window. It keeps its first error;
// after an error no bytes remain and all numbers are 0. It allocates no memory.
type reader struct {
	in   Stream
	next int64  // offset in the stream at which the window ends
	end  int64  // offset in the stream at which the part ends
	buf  []byte // the window; its capacity is kept
	pos  int    // index of the next byte in buf
	err  error
}

// Window sizes: window is for readers of whole streams. Single runs are many and short, so they
// use a smaller window.
const (
	window    = 1 << 16
	runWindow = 1 << 13
)

// resetRange makes the reader read the bytes from, …, to−1 of a stream.
func (r *reader) resetRange(in Stream, from, to int64) {
	r.in, r.next, r.end, r.buf, r.pos, r.err = in, from, to, r.buf[:0], 0, nil
}

// nextOffset returns the offset of the next byte in the stream.
func (r *reader) nextOffset() int64 { return r.next - int64(len(r.buf)-r.pos) }

// hasMoreBytes reports whether a byte remains.
func (r *reader) hasMoreBytes() bool { return r.pos < len(r.buf) || r.next < r.end }

// remainingBytes returns the number of remaining bytes.
func (r *reader) remainingBytes() int64 { return r.end - r.nextOffset() }

// recordError keeps the first error and drops the remaining bytes.
func (r *reader) recordError(err error) {
	if r.err == nil {
		r.err = fmt.Errorf("byte %d of a log of %d: %w", r.nextOffset(), r.in.Size(), err)
	}
	r.next, r.buf, r.pos = r.end, r.buf[:0], 0
}

var (
	errTorn   = errors.New("a record is cut short")
	errNumber = errors.New("a number is out of range")
	errOrder  = errors.New("a record cannot follow the previous record")
)

// fillBuffer moves the unread bytes of the window to its front and reads more.
func (r *reader) fillBuffer() {
	room := r.buf[:cap(r.buf)]
	n := copy(room, r.buf[r.pos:])
	want := min(int64(len(room)-n), r.end-r.next)
	got, err := r.in.ReadAt(room[n:n+int(want)], r.next)
	r.next += int64(got)
	r.buf, r.pos = room[:n+got], 0
	if int64(got) < want {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		r.recordError(err)
	}
}

// peekNextByte returns the next byte without consuming it, or 0 if no byte remains.
func (r *reader) peekNextByte() byte {
	if r.pos == len(r.buf) && r.next < r.end {
		r.fillBuffer()
	}
	if r.pos == len(r.buf) {
		return 0
	}
	return r.buf[r.pos]
}

// takeRecordKind reads the byte that begins a record.
func (r *reader) takeRecordKind() byte {
	k := r.peekNextByte()
	r.pos += min(1, len(r.buf)-r.pos)
	return k
}

// takeUvarint reads a uvarint.
func (r *reader) takeUvarint() uint64 {
	if r.pos < len(r.buf) {
		if b := r.buf[r.pos]; b < 0x80 {
			r.pos++
			return uint64(b)
		}
	}
	if len(r.buf)-r.pos < binary.MaxVarintLen64 && r.next < r.end {
		r.fillBuffer()
	}
	v, n := binary.Uvarint(r.buf[r.pos:])
	if n <= 0 {
		r.recordError(errTorn)
		return 0
	}
	r.pos += n
	return v
}

// takeCount reads a number of items, each of which takes at least one byte.
func (r *reader) takeCount() int {
	n := r.takeUvarint()
	if n > uint64(r.remainingBytes()) {
		r.recordError(errTorn)
		return 0
	}
	return int(n)
}

// takeDepth reads the depth of a node.
func (r *reader) takeDepth() int {
	n := r.takeUvarint()
	if n > math.MaxInt32 {
		r.recordError(errNumber)
		return 0
	}
	return int(n)
}

// decodeLiteral converts the zigzag of a DIMACS literal to the literal.
func (r *reader) decodeLiteral(z uint64) int32 {
	if z == 0 || z >= math.MaxUint32 { // MaxUint32 is the only number without a complement
		r.recordError(errNumber)
		return 0
	}
	return decodeZigzag(uint32(z))
}

// takePathStep reads a step.
func (r *reader) takePathStep() (literal int32, second bool) {
	z := r.takeUvarint()
	return r.decodeLiteral(z >> 1), z&1 == 1
}
