package gf2perm

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// exchange runs all ranks of an exchange of 0..size-1 one after another and returns the item
// at each position. It panics if an item is lost or is sent to a rank that does not own the
// item's position.
func exchange(ranks, size int, rng *rand.Rand) []uint64 {
	parts := make([]*Exchange, ranks)
	for r := range parts {
		parts[r] = NewExchange(r, ranks, size)
	}
	for _, e := range parts {
		var items []uint64
		for from, to := e.OwnedPositions(); from < to; from++ {
			items = append(items, uint64(from))
		}
		e.ScatterItems(items, rng, func(to int, item uint64) { parts[to].ReceiveItem(item) })
	}
	placed, before := make([]uint64, size), 0
	for _, e := range parts {
		count := e.ReceivedCount()
		e.PlaceItems(before, rng, func(to, position int, item uint64) {
			if from, end := parts[to].OwnedPositions(); position < from || position >= end {
				panic(fmt.Sprintf("%d ranks, %d items: position %d is sent to rank %d, which owns %d to %d", ranks, size, position, to, from, end-1))
			}
			placed[position] = item
		})
		if before += count; e.ReceivedCount() != 0 {
			panic("PlaceItems left items behind")
		}
	}
	if before != size {
		panic(fmt.Sprintf("%d ranks: %d items of %d were placed", ranks, before, size))
	}
	return placed
}

// exchanged is an exchange among 5 ranks as a Table, for the conformance suite.
func exchanged(k int, rng *rand.Rand) Permutation {
	p := &Table{elements: make([]uint32, maskOfBits(k, MaxTableBits)+1)}
	for i, a := range exchange(5, len(p.elements), rng) {
		p.elements[i] = uint32(a)
	}
	return p
}

// For any numbers of ranks and items, no item is lost or duplicated, and each position has one
// owner, the one that OwnerOfPosition returns.
func TestExchange(t *testing.T) {
	for ranks := 1; ranks <= 9; ranks++ {
		for size := range 30 {
			seen := make([]bool, size)
			for _, a := range exchange(ranks, size, stream(uint64(ranks*100+size))) {
				if seen[a] {
					t.Fatalf("%d ranks, %d items: item %d occurs twice", ranks, size, a)
				}
				seen[a] = true
			}
			next := 0
			for r := range ranks {
				e := NewExchange(r, ranks, size)
				from, to := e.OwnedPositions()
				if from != next {
					t.Fatalf("%d ranks, %d items: rank %d begins at %d, want %d", ranks, size, r, from, next)
				}
				for next = from; next < to; next++ {
					if e.OwnerOfPosition(next) != r {
						t.Fatalf("%d ranks, %d items: OwnerOfPosition(%d) = %d, want %d", ranks, size, next, e.OwnerOfPosition(next), r)
					}
				}
			}
			if next != size {
				t.Fatalf("%d ranks own %d of %d items", ranks, next, size)
			}
		}
	}
}

// chiSquare24 is exceeded by χ² with 23 degrees of freedom with a probability below 1e-6.
const chiSquare24 = 72

// All 24 orders of 4 items are equally likely, also if 3 ranks own unequal parts. Without the
// shuffle the test fails, because items that meet on a rank keep their order.
func TestExchangeIsUniform(t *testing.T) {
	const runs = 24_000
	for _, ranks := range []int{1, 2, 3, 4} {
		counts, rng := map[[4]uint64]float64{}, stream(uint64(ranks))
		for range runs {
			counts[[4]uint64(exchange(ranks, 4, rng))]++
		}
		if got := chiSquare(counts); got > chiSquare24 {
			t.Errorf("%d ranks: χ² = %.1f of the 24 orders", ranks, got)
		}
	}
	counts, rng := map[[4]uint64]float64{}, stream(1)
	for range runs {
		counts[unshuffled(rng)]++
	}
	if got := chiSquare(counts); got < chiSquare24 {
		t.Errorf("without the shuffle χ² = %.1f: the test detects nothing", got)
	}
}

func chiSquare(counts map[[4]uint64]float64) (sum float64) {
	runs := 0.0
	for _, n := range counts {
		runs += n
	}
	expected := runs / 24
	for _, n := range counts {
		sum += (n - expected) * (n - expected) / expected
	}
	return sum + float64(24-len(counts))*expected // orders that never occurred
}

// unshuffled is an exchange of 4 items among 4 ranks without the shuffle.
func unshuffled(rng *rand.Rand) (placed [4]uint64) {
	at := [4][]uint64{}
	for item := range uint64(4) {
		to := rng.IntN(4)
		at[to] = append(at[to], item)
	}
	i := 0
	for _, items := range at {
		i += copy(placed[i:], items)
	}
	return placed
}
