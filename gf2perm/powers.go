package gf2perm

import (
	"math/bits"
	"math/rand/v2"
)

// Powers lists the elements of GF(2^k) as the powers of g = x^l modulo a primitive polynomial.
// If l is prime to 2^k-1, the powers are all elements except 0; 0 is inserted at a random
// position.
//
// The powers in the paper begin with g^1, so that 1 is always the last element and the first
// element reveals l. Here the first exponent is random, so that at every position every
// element is equally likely.
//
// Sanders, "Randomized Static Load Balancing for Tree-Shaped Computations": a pseudorandom
// permutation by powers in GF(2^k). The paper counts O(k) word operations for the next element
// and O(k²) for a jump. With tables these are k/8 and k²/4 look-ups. The tables take 6 KiB per
// 8 bits of k and are shared by all cursors.
type Powers struct {
	k      int
	mask   uint64 // 2^k-1: the mask of a position, and the order of g
	zero   uint64 // the position of the element 0
	first  uint64 // the exponent of g at position 0 (at position 1 if zero is 0), below mask
	times  linear // multiplication by g
	twice  linear // multiplication by g²
	square linear
}

// NewPowers draws l, the first exponent and the position of 0 from rng. It panics unless 1 ≤ k
// ≤ MaxBits. O(2^8 k) operations.
func NewPowers(k int, rng *rand.Rand) *Powers {
	order := maskOfBits(k, MaxBits)
	l := 1 + rng.Uint64N(order)
	for !areCoprime(l, order) {
		l = 1 + rng.Uint64N(order)
	}
	return newPowers(k, l, rng.Uint64N(order), rng.Uint64N(order+1))
}

// newPowers returns the powers of x^l, beginning with (x^l)^first, with 0 inserted at position
// zero.
func newPowers(k int, l, first, zero uint64) *Powers {
	p := &Powers{k: k, mask: maskOfBits(k, MaxBits), zero: zero, first: first, square: newSquare(k)}
	// Square-and-multiply; the multiplication by x is a shift.
	g := uint64(1)
	for j := bits.Len64(l) - 1; j >= 0; j-- {
		g = p.square.applyToWord(g)
		if l>>j&1 == 1 {
			g = multiplyByX(g, k)
		}
	}
	p.times, p.twice = newMultiplication(g, k), newMultiplication(p.square.applyToWord(g), k)
	return p
}

// areCoprime reports whether a and b have no common prime factor (Euclid's algorithm).
func areCoprime(a, b uint64) bool {
	for b != 0 {
		a, b = b, a%b
	}
	return a == 1
}

// raiseGenerator returns g^e by square-and-multiply from the highest bit of e to the lowest.
// Every multiplication is then one by g, which has a table. O(k) multiplications by table.
func (p *Powers) raiseGenerator(e uint64) uint64 {
	a := uint64(1)
	for j := bits.Len64(e) - 1; j >= 0; j-- {
		a = p.square.applyToWord(a)
		if e>>j&1 == 1 {
			a = p.times.applyToWord(a)
		}
	}
	return a
}

// powerAtOrAfter returns the power at position i or, if i is the position of 0, the power
// right after it.
func (p *Powers) powerAtOrAfter(i uint64) uint64 {
	if i > p.zero {
		i--
	}
	e := i + p.first // below 2^(k+1): k ≤ 63 leaves room
	if e >= p.mask {
		e -= p.mask
	}
	return p.raiseGenerator(e)
}

// Bits returns k.
func (p *Powers) Bits() int { return p.k }

// At returns the element at position i modulo 2^k. O(k) multiplications by table.
func (p *Powers) At(i uint64) uint64 {
	if i &= p.mask; i != p.zero {
		return p.powerAtOrAfter(i)
	}
	return 0
}

// From returns a cursor at position i modulo 2^k.
func (p *Powers) From(i uint64) Cursor {
	c := p.CursorFrom(i)
	return &c
}

// CursorFrom is From without the interface, for loops in which every nanosecond counts.
func (p *Powers) CursorFrom(i uint64) PowersCursor {
	c := PowersCursor{p: p, twice: p.twice, mask: p.mask, zero: p.zero}
	c.Seek(i)
	return c
}

// PowersCursor traverses a Powers. It is a value: a copy advances independently.
type PowersCursor struct {
	p     *Powers
	twice linear
	mask  uint64
	zero  uint64
	next  uint64 // the position of the next element
	power uint64 // the next element that is not 0
	after uint64 // the element after power that is not 0
}

// Next returns the next element with ⌈k/8⌉ look-ups and no allocation. The cursor keeps two
// powers and multiplies each by g² in turn. So a processor can begin a multiplication before
// the previous one is complete.
func (c *PowersCursor) Next() uint64 {
	i := c.next
	c.next = (i + 1) & c.mask
	if i == c.zero {
		return 0
	}
	a := c.power
	c.power, c.after = c.after, c.twice.applyToWord(a)
	return a
}

// Seek moves to position i modulo 2^k. It costs one At.
func (c *PowersCursor) Seek(i uint64) {
	c.next = i & c.mask
	c.power = c.p.powerAtOrAfter(c.next)
	c.after = c.p.times.applyToWord(c.power)
}
