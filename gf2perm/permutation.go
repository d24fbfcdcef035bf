// Package gf2perm holds permutations of 0..2^k-1 that need no table of 2^k
// entries: each element can be had alone, and a run of them faster still. The
// static scheme deals its 2^k subproblems by them, so that neighbours in the tree,
// whose sizes are alike, land on different ranks; poll-and-shuffle moves its ranks
// by them.
//
//	Powers    x^l and its powers in GF(2^k): Sanders, "Randomized Static Load
//	          Balancing for Tree-Shaped Computations"
//	Sobol     one dimension of Sobol's sequence: spreads any run of elements evenly
//	Product   random members of a small set, one after another: Sanders, "Better
//	          Algorithms for Parallel Backtracking", section 3.2
//	Table     stored, and truly random: what the others stand in for
//	Exchange  how ranks draw a truly random permutation together
//
// The package is arithmetic alone: randomness comes from the caller's stream when
// a permutation is made, and with the same stream it is the same everywhere.
package gf2perm

import "fmt"

// MaxBits is the largest k for which a permutation of 0..2^k-1 can be made.
const MaxBits = 63

// Permutation is a permutation of 0..2^k-1. It never changes once made, so that
// all ranks of a process may share it; what moves is the Cursor. Positions are
// taken modulo 2^k.
type Permutation interface {
	// Bits is k, 1 ≤ k ≤ MaxBits.
	Bits() int
	// At returns the element at position i.
	At(i uint64) uint64
	// From returns a cursor that stands at position i. It is the caller's own.
	From(i uint64) Cursor
}

// Cursor runs through a permutation from some position on and begins again after
// the last element. It is not for use by several goroutines at once.
type Cursor interface {
	// Next returns the element at the cursor's position and moves on by one.
	Next() uint64
	// Seek moves to position i at the cost of one At: the next Next returns At(i).
	Seek(i uint64)
}

// maskOfBits returns 2^k-1. It panics unless 1 ≤ k ≤ limit: the caller is to have
// checked a k that comes from outside.
func maskOfBits(k, limit int) uint64 {
	if k < 1 || k > limit {
		panic(fmt.Sprintf("gf2perm: %d bits, want 1 to %d", k, limit))
	}
	return 1<<k - 1
}
