package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"testing"
)

// What was appended is read.
func TestReadsWhatWasAppended(t *testing.T) {
	data := binary.AppendUvarint(nil, math.MaxUint64)
	data = binary.AppendVarint(append(data, 7), math.MinInt64)
	data = binary.LittleEndian.AppendUint64(data, 1<<40)
	data = binary.BigEndian.AppendUint64(data, 1<<50)
	data = append(data, "run and rest"...)
	r := NewReader(data)
	if v := r.Uvarint(math.MaxUint64); v != math.MaxUint64 {
		t.Errorf("Uvarint %d", v)
	}
	if v := r.Byte(); v != 7 {
		t.Errorf("Byte %d", v)
	}
	if v := r.Varint(); v != math.MinInt64 {
		t.Errorf("Varint %d", v)
	}
	if v, w := r.LittleEndian(), r.BigEndian(); v != 1<<40 || w != 1<<50 {
		t.Errorf("words %d, %d", v, w)
	}
	run := r.Bytes(3)
	if string(run) != "run" || string(r.Rest()) != " and rest" || r.Err() != nil {
		t.Errorf("%q, then %q, %v", run, r.Rest(), r.Err())
	}
	if _ = append(run, 'X'); string(r.Rest()) != " and rest" {
		t.Errorf("an append to a run has changed the rest to %q", r.Rest())
	}
}

// The first error stays, and after it nothing is left and every value is 0.
func TestErrorsStay(t *testing.T) {
	for _, c := range []struct {
		name string
		data []byte
		read func(r *Reader)
		want string
	}{
		{"no number", nil, func(r *Reader) { r.Uvarint(9) }, "cut short"},
		{"half a number", []byte{0x80}, func(r *Reader) { r.Uvarint(9) }, "cut short"},
		{"a large number", []byte{10, 1}, func(r *Reader) { r.Uvarint(9) }, "10: expected at most 9"},
		{"a long number", []byte{0x81, 0, 1}, func(r *Reader) { r.Uvarint(9) }, "a number of too many bytes"},
		{"an endless number", bytes.Repeat([]byte{0x80}, 12), func(r *Reader) { r.Uvarint(9) }, "a number of too many bytes"},
		{"half a signed number", []byte{0x80}, func(r *Reader) { r.Varint() }, "cut short"},
		{"no byte", nil, func(r *Reader) { r.Byte() }, "cut short"},
		{"few bytes", make([]byte, 7), func(r *Reader) { r.Bytes(8) }, "cut short"},
		{"endless bytes", make([]byte, 7), func(r *Reader) { r.Bytes(math.MaxUint64) }, "cut short"},
		{"half a little word", make([]byte, 7), func(r *Reader) { r.LittleEndian() }, "cut short"},
		{"half a big word", make([]byte, 7), func(r *Reader) { r.BigEndian() }, "cut short"},
	} {
		r := NewReader(c.data)
		c.read(&r)
		if r.Err() == nil || r.Err().Error() != c.want || r.Rest() != nil {
			t.Errorf("%s: %v, %x is left: expected the error %q", c.name, r.Err(), r.Rest(), c.want)
		}
		first := r.Err()
		if sum := r.Uvarint(1) + uint64(r.Varint()) + uint64(r.Byte()) + uint64(len(r.Bytes(1))) + r.LittleEndian() + r.BigEndian(); sum != 0 || !errors.Is(r.Err(), first) {
			t.Errorf("%s: %d after the error, which is now %v", c.name, sum, r.Err())
		}
	}
}

// A Reader without an error allocates no memory, because pieces are decoded from every message.
func TestAllocatesNothing(t *testing.T) {
	data := append(binary.AppendUvarint(nil, 1<<40), make([]byte, 100)...)
	if n := testing.AllocsPerRun(100, func() {
		r := NewReader(data)
		r.Uvarint(1 << 40)
		r.Varint()
		r.Bytes(20)
		r.BigEndian()
		r.LittleEndian()
		if r.Err() != nil {
			t.Error(r.Err())
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
