package gf2perm

import (
	"math/bits"
	"math/rand/v2"
)

// MaxTableBits is the largest k of a Table, which then takes 4 GiB.
const MaxTableBits = 30

// Table is a stored permutation of 4 bytes per element. It is truly random: the reference for
// the other permutations, and a generator for products.
type Table struct {
	elements []uint32
}

// NewTable draws one of the (2^k)! permutations from rng, each with the same probability
// (Fisher and Yates). It panics unless 1 ≤ k ≤ MaxTableBits. O(2^k).
func NewTable(k int, rng *rand.Rand) *Table {
	t := &Table{elements: make([]uint32, maskOfBits(k, MaxTableBits)+1)}
	for i := range t.elements {
		j := rng.IntN(i + 1)
		t.elements[i] = t.elements[j]
		t.elements[j] = uint32(i)
	}
	return t
}

// Bits returns k.
func (t *Table) Bits() int { return bits.Len(uint(len(t.elements))) - 1 }

// At returns the element at position i modulo 2^k.
func (t *Table) At(i uint64) uint64 { return uint64(t.elements[i&uint64(len(t.elements)-1)]) }

// From returns a cursor at position i modulo 2^k.
func (t *Table) From(i uint64) Cursor { return &pointCursor{t, i} }

// pointCursor traverses a permutation by At alone.
type pointCursor struct {
	p    Permutation
	next uint64
}

func (c *pointCursor) Next() uint64 {
	c.next++
	return c.p.At(c.next - 1)
}

func (c *pointCursor) Seek(i uint64) { c.next = i }
