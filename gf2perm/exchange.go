package gf2perm

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
)

// Exchange is one rank's part in drawing a truly random permutation of items that are
// distributed over many ranks. No rank sees all items. There are three steps:
//
//	ScatterItems   sends each item to a rank that is drawn uniformly
//	ReceiveItem    keeps an item that arrives
//	PlaceItems     shuffles the received items. The number of items on all lower ranks, a
//	               prefix sum, gives each item its new position; it is sent to the owner.
//
// Every order of the items is equally likely. The items on a rank correspond to the items
// whose random keys have the same first digit, and the shuffle orders them by the remaining
// digits. Sanders, "Better Algorithms for Parallel Backtracking": the exact permutation for
// which the pseudorandom ones of section 3.2 are substitutes.
//
// The caller sends the items, computes the prefix sum, and waits until all scattered items
// have arrived. Rank r owns the positions ⌊r·n/P⌋ to ⌊(r+1)·n/P⌋-1 of n items: one position if
// n = P.
type Exchange struct {
	rank, ranks, size int
	received          []uint64
}

// NewExchange returns one rank's part of an exchange of size items among ranks. It panics
// unless 0 ≤ rank < ranks and size ≥ 0.
func NewExchange(rank, ranks, size int) *Exchange {
	if rank < 0 || rank >= ranks || size < 0 {
		panic(fmt.Sprintf("gf2perm: rank %d of %d cannot exchange %d items: expected 0 ≤ rank < ranks and size ≥ 0", rank, ranks, size))
	}
	return &Exchange{rank: rank, ranks: ranks, size: size}
}

// OwnedPositions returns the range [from, to) of the positions that this rank owns before and
// after the exchange.
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

// ScatterItems calls send for each of this rank's items with a rank drawn from rng. That rank
// may be this one.
func (e *Exchange) ScatterItems(items []uint64, rng *rand.Rand, send func(to int, item uint64)) {
	for _, item := range items {
		send(rng.IntN(e.ranks), item)
	}
}

// ReceiveItem keeps an item that was scattered to this rank. The order of arrival does not
// change the probabilities. To get the same permutation from the same seeds, the order must be
// the same too.
func (e *Exchange) ReceiveItem(item uint64) { e.received = append(e.received, item) }

// ReceivedCount returns the number of items received: this rank's term of the prefix sum.
func (e *Exchange) ReceivedCount() int { return len(e.received) }

// PlaceItems shuffles the received items and calls send for each with its new position and the
// rank that owns that position. before is the sum of ReceivedCount over all lower ranks. The
// Exchange is empty afterwards and can be used again.
func (e *Exchange) PlaceItems(before int, rng *rand.Rand, send func(to, position int, item uint64)) {
	rng.Shuffle(len(e.received), func(i, j int) {
		e.received[i], e.received[j] = e.received[j], e.received[i]
	})
	for i, item := range e.received {
		send(e.OwnerOfPosition(before+i), before+i, item)
	}
	e.received = e.received[:0]
}
