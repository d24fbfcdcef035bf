package termination

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// MaxExponent is the largest exponent of a credit. A piece of that exponent results from 2^30
// successive splits. It bounds the memory that a message can make a Fraction allocate (128
// MiB).
const MaxExponent = 1 << 30

// Fraction is an exact sum of credits 2^−e, a binary fraction of any length. The zero value is
// 0. It takes one bit for each binary place up to the largest exponent.
type Fraction struct {
	whole int64
	words []uint64 // the top bit of words[0] is 1/2
}

// AddCredit adds 2^−e, 0 ≤ e ≤ MaxExponent. Other exponents add nothing, so that the sum never
// reaches 1. Amortised O(1).
func (f *Fraction) AddCredit(e int64) {
	if e < 0 || e > MaxExponent {
		return
	}
	if e == 0 {
		f.whole++
		return
	}
	i := int(e-1) / 64
	for len(f.words) <= i {
		f.words = append(f.words, 0)
	}
	carry := uint64(1) << (63 - (e-1)%64)
	for ; i >= 0 && carry != 0; i-- {
		f.words[i], carry = bits.Add64(f.words[i], carry, 0)
	}
	f.whole += int64(carry)
}

// AddFraction adds g to the sum. O(length of g).
func (f *Fraction) AddFraction(g *Fraction) {
	f.whole += g.whole
	for len(f.words) < len(g.words) {
		f.words = append(f.words, 0)
	}
	var carry uint64
	for i := len(f.words) - 1; i >= 0; i-- {
		var w uint64
		if i < len(g.words) {
			w = g.words[i]
		}
		f.words[i], carry = bits.Add64(f.words[i], w, carry)
	}
	f.whole += int64(carry)
}

// IsExactlyOne reports whether the sum is exactly 1.
func (f *Fraction) IsExactlyOne() bool {
	if f.whole != 1 {
		return false
	}
	for _, w := range f.words {
		if w != 0 {
			return false
		}
	}
	return true
}

// String returns the sum to nine digits, or "nearly 1" if it rounds to 1 without being 1.
func (f *Fraction) String() string {
	v := float64(f.whole)
	if len(f.words) > 0 {
		v += float64(f.words[0]) / (1 << 32) / (1 << 32)
	}
	s := fmt.Sprintf("%.9g", v)
	if s == "1" && !f.IsExactlyOne() {
		s = "nearly 1"
	}
	return s
}

// placeBytes is the length of an encoded word of binary places: its index in 4 bytes, and the word.
const placeBytes = 12

// MarshalBinary encodes the sum: the whole part in 8 bytes, then each word of 64 binary places that is
// not 0, with its index in increasing order. All numbers have the high byte first. A sum of n credits
// has at most n+1 such words, however small the credits are.
func (f *Fraction) MarshalBinary() ([]byte, error) {
	data := binary.BigEndian.AppendUint64(nil, uint64(f.whole))
	for i, w := range f.words {
		if w != 0 {
			data = binary.BigEndian.AppendUint32(data, uint32(i))
			data = binary.BigEndian.AppendUint64(data, w)
		}
	}
	return data, nil
}

// UnmarshalBinary reads the encoding of MarshalBinary.
func (f *Fraction) UnmarshalBinary(data []byte) error {
	if len(data) < 8 || (len(data)-8)%placeBytes != 0 {
		return fmt.Errorf("a fraction cannot have %d bytes: expected 8 and a multiple of %d", len(data), placeBytes)
	}
	*f = Fraction{whole: int64(binary.BigEndian.Uint64(data))}
	for data = data[8:]; len(data) > 0; data = data[placeBytes:] {
		i, word := int64(binary.BigEndian.Uint32(data)), binary.BigEndian.Uint64(data[4:])
		if i < int64(len(f.words)) || i >= MaxExponent/64 || word == 0 {
			return fmt.Errorf("word %d of a fraction is %#x: expected increasing words below %d that are not 0", i, word, MaxExponent/64)
		}
		f.words = append(f.words, make([]uint64, int(i)-len(f.words))...)
		f.words = append(f.words, word)
	}
	return nil
}
