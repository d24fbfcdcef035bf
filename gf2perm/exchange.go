package gf2perm

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
)

// Exchange is one rank's part in drawing a truly random permutation of items that
// lie on many ranks, without any rank seeing them all:
//
//	ScatterItems  each item goes to a rank drawn uniformly
//	ReceiveItem   the items that come in are kept
//	PlaceItems    they are shuffled; with the number of items on the ranks before this
//	              one, a prefix sum, each has its new position and goes to its owner
//
// Every order of the items is equally likely: those on a rank are the ones with the
// same first digit of a random key, and the shuffle orders them by the rest of it.
// Sanders, "Better Algorithms for Parallel Backtracking": the exact permutation that
// the pseudorandom ones of section 3.2 stand in for.
//
// Sending, the prefix sum, and waiting until all that was scattered has come in
// are the caller's. Rank r owns the positions from ⌊r·n/P⌋ to ⌊(r+1)·n/P⌋-1 of n
// items: one each where n = P.
type Exchange struct {
	rank, ranks, size int
	received          []uint64
}

// NewExchange returns rank's part of an exchange of size items among ranks. It
// panics unless 0 ≤ rank < ranks and size ≥ 0.
func NewExchange(rank, ranks, size int) *Exchange {
	if rank < 0 || rank >= ranks || size < 0 {
		panic(fmt.Sprintf("gf2perm: rank %d of %d exchanges %d items", rank, ranks, size))
	}
	return &Exchange{rank: rank, ranks: ranks, size: size}
}

// OwnedPositions returns the positions [from, to) that this rank owns before and after.
func (e *Exchange) OwnedPositions() (from, to int) {
	return floorMulDiv(e.rank, e.size, e.ranks), floorMulDiv(e.rank+1, e.size, e.ranks)
}

// OwnerOfPosition returns the rank that owns position, 0 ≤ position < size. O(1).
func (e *Exchange) OwnerOfPosition(position int) int {
	high, low := bits.Mul64(uint64(position)+1, uint64(e.ranks))
	low, borrow := bits.Sub64(low, 1, 0)
	owner, _ := bits.Div64(high-borrow, low, uint64(e.size))
	return int(owner)
}

// floorMulDiv returns ⌊a·n/p⌋ without overflow, for a ≤ p.
func floorMulDiv(a, n, p int) int {
	high, low := bits.Mul64(uint64(a), uint64(n))
	scaled, _ := bits.Div64(high, low, uint64(p))
	return int(scaled)
}

// ScatterItems calls send for each of this rank's items with a rank drawn from rng, the
// own one among them.
func (e *Exchange) ScatterItems(items []uint64, rng *rand.Rand, send func(to int, item uint64)) {
	for _, item := range items {
		send(rng.IntN(e.ranks), item)
	}
}

// ReceiveItem keeps an item that was scattered to this rank. The order in which items
// come in does not touch the probabilities; except for the same permutation from the
// same seeds it must be the same.
func (e *Exchange) ReceiveItem(item uint64) { e.received = append(e.received, item) }

// ReceivedCount is the number of items received: this rank's part of the prefix sum.
func (e *Exchange) ReceivedCount() int { return len(e.received) }

// PlaceItems shuffles the items received and calls send for each with its new position
// and the rank that owns it. before is the sum of Count over the ranks below this
// one. The Exchange is then empty and can begin again.
func (e *Exchange) PlaceItems(before int, rng *rand.Rand, send func(to, position int, item uint64)) {
	rng.Shuffle(len(e.received), func(i, j int) {
		e.received[i], e.received[j] = e.received[j], e.received[i]
	})
	for i, item := range e.received {
		send(e.OwnerOfPosition(before+i), before+i, item)
	}
	e.received = e.received[:0]
}
