// Package gf2perm implements permutations of 0..2^k-1 that need no table of 2^k entries. Any
// single element can be computed alone; a run of consecutive elements is computed faster. The
// static scheme deals its 2^k subproblems by these permutations, so that neighbours in the
// tree, whose sizes are similar, go to different ranks. Poll-and-shuffle moves work between
// ranks by them.
//
//	Powers    x^l and its powers in GF(2^k): Sanders, "Randomized Static Load
//	          Balancing for Tree-Shaped Computations"
//	Sobol     one dimension of Sobol's sequence: spreads any run of elements evenly
//	Product   products of random members of a small set: Sanders, "Better Algorithms
//	          for Parallel Backtracking", section 3.2
//	Table     a stored, truly random permutation, for which the others are substitutes
//	Exchange  a truly random permutation that ranks draw together
//
// The package only does arithmetic. The caller's random stream is used when a permutation is
// made, and the same stream gives the same permutation on every machine.
package gf2perm

import "fmt"

// MaxBits is the largest k for which a permutation of 0..2^k-1 can be made.
const MaxBits = 63

// Permutation is a permutation of 0..2^k-1. It is immutable, so that all ranks of a process
// can share it; a Cursor holds the state of a traversal. Positions are taken modulo 2^k.
type Permutation interface {
	// Bits returns k, 1 ≤ k ≤ MaxBits.
	Bits() int
	// At returns the element at position i.
	At(i uint64) uint64
	// From returns a new cursor at position i.
	From(i uint64) Cursor
}

// Cursor traverses a permutation from some position and begins again after the last element.
// It must not be used by several goroutines at the same time.
type Cursor interface {
	// Next returns the element at the cursor's position and advances by one position.
	Next() uint64
	// Seek moves to position i, so that the next Next returns At(i). It costs one At.
	Seek(i uint64)
}

// maskOfBits returns 2^k-1. It panics unless 1 ≤ k ≤ limit. If k is input, the caller must
// check it first.
func maskOfBits(k, limit int) uint64 {
	if k < 1 || k > limit {
		panic(fmt.Sprintf("gf2perm: a permutation cannot have %d bits: expected 1 to %d", k, limit))
	}
	return 1<<k - 1
}
