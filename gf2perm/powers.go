package gf2perm

import (
	"math/bits"
	"math/rand/v2"
)

// Powers lists GF(2^k) as the powers of g = x^l modulo a primitive polynomial. With
// l prime to 2^k-1 they are all elements but 0, which comes in at a random place.
//
// The paper's powers begin with g^1, so that 1 is always last and the first
// element gives l away; here they begin with a random one, which makes every
// position equally likely to hold any element.
//
// Sanders, "Randomized Static Load Balancing for Tree-Shaped Computations": a
// pseudorandom permutation by powers in GF(2^k). The paper counts O(k) word
// operations for the next element and O(k²) for a jump; by tables they are k/8 and
// k²/4. 6 KiB per 8 bits of k, shared by all cursors.
type Powers struct {
	k      int
	mask   uint64 // 2^k-1: the mask of a position, and the order of g
	zero   uint64 // the position of the element 0
	first  uint64 // the exponent of g at position 0 (at position 1, where zero is 0), below mask
	times  linear // multiplication by g
	twice  linear // multiplication by g²
	square linear
}

// NewPowers draws l, the first exponent and the place of 0 from rng. It panics
// unless 1 ≤ k ≤ MaxBits. O(2^8 k) operations.
func NewPowers(k int, rng *rand.Rand) *Powers {
	order := maskOfBits(k, MaxBits)
	l := 1 + rng.Uint64N(order)
	for !areCoprime(l, order) {
		l = 1 + rng.Uint64N(order)
	}
	return newPowers(k, l, rng.Uint64N(order), rng.Uint64N(order+1))
}

// newPowers returns the powers of x^l from (x^l)^first on, with 0 at position zero.
func newPowers(k int, l, first, zero uint64) *Powers {
	p := &Powers{k: k, mask: maskOfBits(k, MaxBits), zero: zero, first: first, square: newSquare(k)}
	// By square-and-multiply, where the multiplication is by x: a shift.
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

func areCoprime(a, b uint64) bool {
	for b != 0 {
		a, b = b, a%b
	}
	return a == 1
}

// raiseGenerator returns g^e by square-and-multiply from the highest bit of e down, so that
// every multiplication is by g itself and hence by table. O(k) multiplications by table.
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

// powerAtOrAfter returns the power that stands at position i or, if that is the place of 0,
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

// CursorFrom is From without the interface, for loops that count nanoseconds.
func (p *Powers) CursorFrom(i uint64) PowersCursor {
	c := PowersCursor{p: p, twice: p.twice, mask: p.mask, zero: p.zero}
	c.Seek(i)
	return c
}

// PowersCursor runs through Powers. It is a value: a copy runs on by itself.
type PowersCursor struct {
	p     *Powers
	twice linear
	mask  uint64
	zero  uint64
	next  uint64 // the position of the next element
	power uint64 // the next element that is not 0
	after uint64 // and the one after it
}

// Next returns the next element. ⌈k/8⌉ look-ups, no allocation. Two powers are kept and
// multiplied by g² in turn, so that a processor can begin with one multiplication before
// it is done with the last.
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

// Seek moves to position i modulo 2^k. The cost of one At.
func (c *PowersCursor) Seek(i uint64) {
	c.next = i & c.mask
	c.power = c.p.powerAtOrAfter(c.next)
	c.after = c.p.times.applyToWord(c.power)
}
