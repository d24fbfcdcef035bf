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

// MarshalBinary encodes the sum: the whole part, then the binary places, in words of 8 bytes,
// the high byte first.
func (f *Fraction) MarshalBinary() ([]byte, error) {
	data := binary.BigEndian.AppendUint64(nil, uint64(f.whole))
	for _, w := range f.words {
		data = binary.BigEndian.AppendUint64(data, w)
	}
	return data, nil
}

// UnmarshalBinary reads the encoding of MarshalBinary.
func (f *Fraction) UnmarshalBinary(data []byte) error {
	if len(data) < 8 || len(data)%8 != 0 {
		return fmt.Errorf("a fraction cannot have %d bytes: expected a positive multiple of 8", len(data))
	}
	*f = Fraction{whole: int64(binary.BigEndian.Uint64(data))}
	for data = data[8:]; len(data) > 0; data = data[8:] {
		f.words = append(f.words, binary.BigEndian.Uint64(data))
	}
	return nil
}
