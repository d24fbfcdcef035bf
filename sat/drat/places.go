package drat

import varint "encoding/binary"

// place is the place of a step in a proof.
type place struct {
	step   int64 // from 1
	line   int64 // from 1; 0 in a binary proof
	offset int64 // the first byte, from 0
}

// places stores the places of many steps in about three bytes each: the differences from step to
// step, as numbers of variable length. Only the place of a refused step is read.
type places struct {
	bytes []byte
	last  place
}

// add appends the place of a later step.
func (s *places) add(p place) {
	for _, d := range [...]int64{p.step - s.last.step, p.line - s.last.line, p.offset - s.last.offset} {
		s.bytes = varint.AppendUvarint(s.bytes, uint64(d))
	}
	s.last = p
}

// find returns place i, from 0, in O(i).
func (s *places) find(i int) (p place) {
	rest := s.bytes
	for range i + 1 {
		rest = p.advance(rest)
	}
	return p
}

// advance makes p the next place and returns the bytes after it.
func (p *place) advance(bytes []byte) (rest []byte) {
	for _, sum := range [...]*int64{&p.step, &p.line, &p.offset} {
		d, n := varint.Uvarint(bytes)
		*sum += int64(d)
		bytes = bytes[n:]
	}
	return bytes
}
