package ksbf

import (
	"math"
	"math/big"
	"math/bits"
)

// limbs is the number of 32-bit digits of a Sum: 2098 bits cover all floating point numbers,
// and the rest is space for carries.
const limbs = 68

// Sum adds up floating point numbers exactly. So the result does not depend on the order, and
// is the same on any number of ranks (Kulisch's long accumulator). The zero value is 0.
type Sum struct {
	// digits[i] has the weight 2^(32i−1074). Digits have a sign and may exceed 2^32, so that
	// carries are rare.
	digits [limbs]int64
	added  int64 // number of additions since the last carryDigits
	broken int64 // number of infinite or NaN summands
}

// carryEvery is the number of additions, each below 2^32 per digit, after which carries are
// propagated.
const carryEvery = 1 << 30

// AddFloat64 adds x. O(1); it does not allocate.
func (s *Sum) AddFloat64(x float64) {
	b := math.Float64bits(x)
	exponent, mantissa := int(b>>52&0x7ff), b&(1<<52-1)
	switch exponent {
	case 0x7ff:
		s.broken++
		return
	case 0:
		exponent = 1
	default:
		mantissa |= 1 << 52
	}
	at, shift := (exponent-1)/32, uint(exponent-1)%32
	high, low := bits.Mul64(mantissa, 1<<shift)
	parts := [3]int64{int64(low & math.MaxUint32), int64(low >> 32), int64(high)}
	for i, part := range parts {
		if b>>63 == 1 {
			part = -part
		}
		s.digits[at+i] += part
	}
	if s.added++; s.added >= carryEvery {
		s.carryDigits()
	}
}

// AddAll adds another sum. O(limbs).
func (s *Sum) AddAll(t *Sum) {
	s.carryDigits()
	u := *t
	u.carryDigits()
	for i, d := range u.digits {
		s.digits[i] += d
	}
	s.added, s.broken = 1, s.broken+u.broken
}

// carryDigits propagates carries, so that all digits except the last are in 0 … 2^32−1.
func (s *Sum) carryDigits() {
	for i := range limbs - 1 {
		s.digits[i+1] += s.digits[i] >> 32
		s.digits[i] &= math.MaxUint32
	}
	s.added = 0
}

// DigitWords returns numbers that can be added element by element over fewer than 2^30 ranks.
// FromWords turns the totals into the sum of the ranks' Sums.
func (s *Sum) DigitWords() []int64 {
	s.carryDigits()
	return append(append([]int64(nil), s.digits[:]...), s.broken)
}

// SumWords is the length of DigitWords.
const SumWords = limbs + 1

// FromWords returns the Sum for the result of DigitWords, or for a sum of its results.
func FromWords(words []int64) (s Sum) {
	copy(s.digits[:], words)
	s.broken = words[limbs]
	s.carryDigits()
	return s
}

// Float64 returns the sum, rounded once to the nearest, or NaN if a summand was infinite or
// NaN.
func (s *Sum) Float64() float64 {
	if s.broken != 0 {
		return math.NaN()
	}
	total := new(big.Int)
	for i := limbs - 1; i >= 0; i-- {
		total.Lsh(total, 32).Add(total, big.NewInt(s.digits[i]))
	}
	f := new(big.Float).SetInt(total) // exact: the precision is the length of the number
	v, _ := f.SetMantExp(f, -1074).Float64()
	return v
}
