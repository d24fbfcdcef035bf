// Package wire reads the binary forms that are decoded by hand: pieces, messages, formulas,
// recordings. The data is untrusted: no data makes a read go beyond the end.
package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// ErrShort is the error of a read beyond the end.
var ErrShort = errors.New("cut short")

// Reader reads data from the beginning to the end. It keeps its first error. After an error no
// data remains and every read returns zero, so that a caller can read several values before it
// checks the error. Without an error it allocates no memory.
type Reader struct {
	rest []byte
	err  error
}

// NewReader returns a Reader of data. It does not change data.
func NewReader(data []byte) Reader { return Reader{rest: data} }

// Err returns the first error, or nil.
func (r *Reader) Err() error { return r.err }

// Rest returns the unread data without reading it.
func (r *Reader) Rest() []byte { return r.rest }

// Uvarint reads a number of at most most, in the variable length of package encoding/binary. A
// number has one valid form: a longer form is refused.
func (r *Reader) Uvarint(most uint64) uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v > most || n > 1 && r.rest[n-1] == 0 {
		r.refuse(v, n, most)
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

// refuse keeps the error of a number of n bytes.
func (r *Reader) refuse(v uint64, n int, most uint64) {
	switch {
	case n == 0:
		r.fail(ErrShort)
	case n < 0 || r.rest[n-1] == 0 && n > 1:
		r.fail(errors.New("a number of too many bytes"))
	default:
		r.fail(fmt.Errorf("%d: expected at most %d", v, most))
	}
}

// Varint reads a number with a sign, in the variable length of package encoding/binary.
func (r *Reader) Varint() int64 {
	u := r.Uvarint(math.MaxUint64)
	return int64(u>>1) ^ -int64(u&1)
}

// Byte reads a byte.
func (r *Reader) Byte() byte {
	if len(r.rest) == 0 {
		r.fail(ErrShort)
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

// Bytes reads n bytes. They are part of the data; appending to them copies them.
func (r *Reader) Bytes(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.fail(ErrShort)
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

// LittleEndian reads a word of 8 bytes, the lowest first.
func (r *Reader) LittleEndian() uint64 {
	if b := r.Bytes(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// BigEndian reads a word of 8 bytes, the highest first.
func (r *Reader) BigEndian() uint64 {
	if b := r.Bytes(8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

// fail keeps the first error and drops the remaining data.
func (r *Reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.rest = nil
}
