package puzzle

import "math/bits"

// patternTable has the distance of each placement of some tiles to their homes,
// counting their own moves alone, by the key of the placement: the cell of the i-th
// tile in bits 4i … 4i+3.
type patternTable struct {
	tiles    []uint8
	distance []uint8
}

// newPatternTable makes the table of up to 6 tiles of a 4x4 board by breadth-first
// search from the goal. A state is a key with the cell of the blank above it; moves
// of the blank alone cost nothing. The distance of a placement is the least over all
// cells of the blank. It takes O(16^(n+1)) time for n tiles, and 2·16^n bytes beside
// the table and the states of a level.
func newPatternTable(g *grid, tiles []uint8) *patternTable {
	n := len(tiles)
	t := &patternTable{tiles, make([]uint8, 1<<(4*n))}
	key := uint32(0)
	for i, tile := range tiles {
		key |= uint32(tile) << (4 * i)
	}
	seen := make([]uint64, 1<<(4*n+4)/64)
	level, next := []uint32{key}, []uint32(nil) // the blank's home is cell 0
	for i := range t.distance {
		t.distance[i] = unreached
	}
	for d := uint8(0); len(level) > 0; d++ {
		// level grows while the blank's own moves from its states are followed.
		for at := 0; at < len(level); at++ {
			state := level[at]
			if word := &seen[state/64]; *word>>(state%64)&1 == 0 {
				*word |= 1 << (state % 64)
			} else {
				continue
			}
			placement := state & (1<<(4*n) - 1)
			if t.distance[placement] == unreached {
				t.distance[placement] = d
			}
			level, next = patternMoves(g, n, state, level, next)
		}
		level, next = next, level[:0]
	}
	return t
}

// unreached marks keys that are no placement: two tiles in one cell.
const unreached = 255

// patternMoves appends what moves from a state lead to: to free what costs nothing,
// and to paid what moves a tile of the pattern.
func patternMoves(g *grid, n int, state uint32, free, paid []uint32) (newFree, newPaid []uint32) {
	blank := state >> (4 * n) & 15
	placement := state & (1<<(4*n) - 1)
	for rest := g.legal[blank][noMove]; rest != 0; rest &= rest - 1 {
		to := uint32(g.to[blank][rest.first()])
		shift := nibble(placement, to)
		if shift >= 4*n {
			free = append(free, to<<(4*n)|placement)
			continue
		}
		moved := placement ^ (to^blank)<<shift
		paid = append(paid, to<<(4*n)|moved)
	}
	return free, paid
}

// nibble is the number of the lowest bit of the lowest nibble of a key that is value;
// if none is, it is beyond the key.
func nibble(key, value uint32) int {
	const ones = 0x11111111
	x := key ^ value*ones // a nibble of 0 is what is looked for
	x = (x - ones) &^ x & (8 * ones)
	if x == 0 {
		return 32
	}
	return bits.TrailingZeros32(x) &^ 3
}
