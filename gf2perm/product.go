package gf2perm

import "math/rand/v2"

// Product is the composition of permutations of the same k. A set of m generators
// is made once, and m^f permutations come from products of f of them at the price
// of f draws: to shuffle, ranks that share a stream draw the same f generators and
// none of them computes or stores more than where it stands itself.
//
// A product that has a generator twice fixes a few more elements than a true shuffle does (g² fixes
// what g swaps, on average 2 elements instead of 1). And with m generators there are but m^f
// products of f: the cluster of ranks that one of them would put side by side is put so with
// probability m^-f.
//
// Sanders, "Better Algorithms for Parallel Backtracking", section 3.2.
type Product struct {
	factors []Permutation // the first is applied first; at least one
}

// DrawProduct returns the product of f ≥ 1 generators, each drawn from rng with equal
// chance and put back. The generators are to be of the same k: Draw panics if they
// are not, if there are none, and if f < 1. O(f).
func DrawProduct(generators []Permutation, f int, rng *rand.Rand) *Product {
	if len(generators) == 0 || f < 1 {
		panic("gf2perm: a product of nothing")
	}
	p := &Product{factors: make([]Permutation, f)}
	for j := range p.factors {
		p.factors[j] = generators[rng.IntN(len(generators))]
		if p.factors[j].Bits() != p.factors[0].Bits() {
			panic("gf2perm: generators of different numbers of bits")
		}
	}
	return p
}

// Bits returns k.
func (p *Product) Bits() int { return p.factors[0].Bits() }

// At returns the element at position i modulo 2^k: one At of each factor.
func (p *Product) At(i uint64) uint64 { return p.applyRest(p.factors[0].At(i)) }

// applyRest applies all factors but the first.
func (p *Product) applyRest(a uint64) uint64 {
	for _, g := range p.factors[1:] {
		a = g.At(a)
	}
	return a
}

// From returns a cursor at position i modulo 2^k.
func (p *Product) From(i uint64) Cursor {
	return &productCursor{Cursor: p.factors[0].From(i), p: p}
}

// productCursor runs through the first factor, whose next element may be cheap,
// and looks up the others.
type productCursor struct {
	Cursor // of the first factor
	p      *Product
}

func (c *productCursor) Next() uint64 { return c.p.applyRest(c.Cursor.Next()) }
