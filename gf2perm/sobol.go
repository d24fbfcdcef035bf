package gf2perm

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
)

// Sobol is one dimension of Sobol's sequence, as integers. Position i holds the sum over GF(2)
// of the direction numbers that the Gray code of i selects. Any aligned run of 2^m positions
// has one element in each of the 2^m equal parts of 0..2^k-1. If sizes change slowly along the
// tree, every rank therefore gets the same amount of work. The sequence is not pseudorandom;
// its seed only shifts it.
//
// Sobol', "On the distribution of points in a cube and the approximate evaluation of
// integrals", 1967; the Gray code by Antonov and Saleev, 1979.
type Sobol struct {
	k     int
	mask  uint64
	shift uint64 // added to all elements: a random digital shift
	// directions[j] is the difference of two consecutive elements if the position of the
	// second has j trailing zeros. Entry 64 is for position 0, where the sequence begins
	// again: it removes the one bit of the last Gray code.
	directions [65]uint64
}

// polynomial is a primitive polynomial with its first direction numbers. The recurrence of the
// polynomial computes all others. m[j] is odd and below 2^(j+1).
type polynomial struct {
	degree int
	inner  uint64 // coefficients of x^(degree-1) … x^1, the highest first
	m      []uint64
}

// polynomials holds the polynomials of dimensions 2, 3, …; dimension 1 mirrors the bits (van
// der Corput). The numbers are from Joe and Kuo, "Constructing Sobol sequences with better
// two-dimensional projections", 2008.
var polynomials = []polynomial{
	{1, 0, []uint64{1}},
	{2, 1, []uint64{1, 3}},
	{3, 1, []uint64{1, 3, 1}},
	{3, 2, []uint64{1, 1, 1}},
	{4, 1, []uint64{1, 1, 3, 3}},
	{4, 4, []uint64{1, 3, 5, 13}},
	{5, 2, []uint64{1, 1, 5, 5, 17}},
	{5, 4, []uint64{1, 1, 5, 5, 5}},
	{5, 7, []uint64{1, 1, 7, 11, 19}},
}

// Dimensions is the number of dimensions that NewSobol supports.
const Dimensions = 10

// NewSobol returns one dimension, 1 to Dimensions, of Sobol's sequence of 2^k elements,
// shifted by a number drawn from rng. If rng is nil the sequence begins with 0. It panics
// unless 1 ≤ k ≤ MaxBits.
func NewSobol(k, dimension int, rng *rand.Rand) *Sobol {
	s := &Sobol{k: k, mask: maskOfBits(k, MaxBits)}
	if dimension < 1 || dimension > Dimensions {
		panic(fmt.Sprintf("gf2perm: Sobol's sequence has no dimension %d: expected 1 to %d", dimension, Dimensions))
	}
	if rng != nil {
		s.shift = rng.Uint64() & s.mask
	}
	for j, m := range directionNumbers(k, dimension) {
		s.directions[j] = m << (k - 1 - j)
	}
	s.directions[64] = s.directions[k-1]
	return s
}

// directionNumbers returns m_1 … m_k of a dimension. m_j is odd and below 2^j, so that the
// matrix of the direction numbers is triangular and the sequence is a permutation.
func directionNumbers(k, dimension int) []uint64 {
	m := make([]uint64, k)
	if dimension == 1 {
		for j := range m {
			m[j] = 1
		}
		return m
	}
	p := polynomials[dimension-2]
	for j := copy(m, p.m); j < k; j++ {
		m[j] = m[j-p.degree] ^ m[j-p.degree]<<p.degree
		for i := 1; i < p.degree; i++ {
			if p.inner>>(p.degree-1-i)&1 == 1 {
				m[j] ^= m[j-i] << i
			}
		}
	}
	return m
}

// Bits returns k.
func (s *Sobol) Bits() int { return s.k }

// At returns the element at position i modulo 2^k. It takes one step for each bit that is set
// in the Gray code of i.
func (s *Sobol) At(i uint64) uint64 {
	i &= s.mask
	a := s.shift
	for gray := i ^ i>>1; gray != 0; gray &= gray - 1 {
		a ^= s.directions[bits.TrailingZeros64(gray)]
	}
	return a
}

// From returns a cursor at position i modulo 2^k.
func (s *Sobol) From(i uint64) Cursor {
	c := s.CursorFrom(i)
	return &c
}

// CursorFrom is From without the interface, for loops in which every nanosecond counts.
func (s *Sobol) CursorFrom(i uint64) SobolCursor {
	c := SobolCursor{s: s, mask: s.mask}
	c.Seek(i)
	return c
}

// SobolCursor traverses a Sobol. It is a value: a copy advances independently.
type SobolCursor struct {
	s       *Sobol
	mask    uint64
	next    uint64 // the position of the next element
	element uint64 // the next element
}

// Next returns the next element with one look-up and no allocation.
func (c *SobolCursor) Next() uint64 {
	a := c.element
	i := (c.next + 1) & c.mask
	c.next = i
	c.element = a ^ c.s.directions[bits.TrailingZeros64(i)]
	return a
}

// Seek moves to position i modulo 2^k. It costs one At.
func (c *SobolCursor) Seek(i uint64) {
	c.next = i & c.s.mask
	c.element = c.s.At(c.next)
}
