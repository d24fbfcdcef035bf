package gf2perm_test

import (
	"fmt"
	"math/rand/v2"

	"treesplit/gf2perm"
)

// Sixteen subproblems are dealt to four ranks. Each rank seeks its first position and
// continues from there. All ranks make the permutation from the same seed, so no message is
// needed.
func Example() {
	p := gf2perm.NewPowers(4, rand.New(rand.NewPCG(1, 0)))
	for rank := range uint64(4) {
		c := p.From(rank * 4)
		fmt.Println("rank", rank, "takes", c.Next(), c.Next(), c.Next(), c.Next())
	}
	// Output:
	// rank 0 takes 6 11 10 14
	// rank 1 takes 13 1 4 3
	// rank 2 takes 0 12 5 7
	// rank 3 takes 15 9 2 8
}

// Three ranks put five items in random order. A loop stands for their messages.
func ExampleExchange() {
	const ranks, size = 3, 5
	var parts [ranks]*gf2perm.Exchange
	var streams [ranks]*rand.Rand
	for r := range parts {
		parts[r] = gf2perm.NewExchange(r, ranks, size)
		streams[r] = rand.New(rand.NewPCG(1, uint64(r)))
	}
	for r, e := range parts {
		var items []uint64
		for from, to := e.OwnedPositions(); from < to; from++ {
			items = append(items, uint64(from))
		}
		e.ScatterItems(items, streams[r], func(to int, item uint64) { parts[to].ReceiveItem(item) })
	}
	before := 0 // the prefix sum
	for r, e := range parts {
		count := e.ReceivedCount()
		e.PlaceItems(before, streams[r], func(to, position int, item uint64) {
			fmt.Println("item", item, "goes to position", position, "on rank", to)
		})
		before += count
	}
	// Output:
	// item 2 goes to position 0 on rank 0
	// item 4 goes to position 1 on rank 1
	// item 0 goes to position 2 on rank 1
	// item 3 goes to position 3 on rank 2
	// item 1 goes to position 4 on rank 2
}
