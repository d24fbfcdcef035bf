package gf2perm

import "math/rand/v2"

// Product is the composition of permutations of the same k. A set of m generators is made
// once. Products of f of them give m^f permutations at the cost of f draws. To shuffle, ranks
// that share a random stream draw the same f generators, and each rank computes only its own
// position.
//
// A product that contains a generator twice has a few more fixed points than a true shuffle:
// g² fixes the elements that g swaps, on average 2 elements instead of 1. Since m generators
// have only m^f products, the cluster of ranks that one product would make adjacent becomes
// adjacent with probability m^-f.
//
// Sanders, "Better Algorithms for Parallel Backtracking", section 3.2.
type Product struct {
	factors []Permutation // the first is applied first; at least one
}

// DrawProduct returns the product of f ≥ 1 generators, each drawn from rng uniformly and with
// replacement. It panics if the generators differ in k, if there are none, and if f < 1. O(f).
func DrawProduct(generators []Permutation, f int, rng *rand.Rand) *Product {
	if len(generators) == 0 || f < 1 {
		panic("gf2perm: a product needs at least one generator and one factor")
	}
	p := &Product{factors: make([]Permutation, f)}
	for j := range p.factors {
		p.factors[j] = generators[rng.IntN(len(generators))]
		if p.factors[j].Bits() != p.factors[0].Bits() {
			panic("gf2perm: the generators of a product must have the same number of bits")
		}
	}
	return p
}

// Bits returns k.
func (p *Product) Bits() int { return p.factors[0].Bits() }

// At returns the element at position i modulo 2^k. It calls At of each factor once.
func (p *Product) At(i uint64) uint64 { return p.applyRest(p.factors[0].At(i)) }

// applyRest applies all factors except the first.
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

// productCursor traverses the first factor, whose next element may be cheap, and looks up the
// other factors by At.
type productCursor struct {
	Cursor // of the first factor
	p      *Product
}

func (c *productCursor) Next() uint64 { return c.p.applyRest(c.Cursor.Next()) }
