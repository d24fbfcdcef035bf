package puzzle

import (
	"math/bits"
)

// cells is a set of cells of a 4x4 board: bit c is cell c.
type cells uint16

// adjacentCells returns the cells next to the cells of a set.
func (s cells) adjacentCells() cells {
	return s<<4 | s>>4 | s<<1&0xeeee | s>>1&0x7777
}

// floodFill returns the cells that the blank reaches from a set of cells through free cells.
func (s cells) floodFill(free cells) cells {
	for {
		next := s | s.adjacentCells()&free
		if next == s {
			return s
		}
		s = next
	}
}

// builder makes a patternTable by breadth-first search from the goal. For a placement it stores a
// set of cells: the possible places of the blank. Moves of the blank alone cost nothing, so the
// blank spreads over its whole region at once.
type builder struct {
	n        int
	distance []uint8 // by rank
	reached  []cells // by rank: of the blank, at this level or before
	fresh    []cells // by rank: of the blank, at this level, before it spreads
	next     []cells // by rank: at the next
}

// unreached marks placements that are not reached yet, and keys that are not placements.
const unreached = 255

// newPatternTable makes the table of up to 8 tiles. It takes 7 bytes per placement and about 13
// updates in random order for each. There are 524,160 placements for 5 tiles and 518,918,400 for
// 8.
func newPatternTable(tiles []uint8) *patternTable {
	n := len(tiles)
	p := countPlacements(n)
	b := &builder{n, make([]uint8, p), make([]cells, p), make([]cells, p), make([]cells, p)}
	for i := range b.distance {
		b.distance[i] = unreached
	}
	var home key
	for i, t := range tiles {
		home |= key(t) << (4 * i)
	}
	b.fresh[home.placementIndex(n)] = 1 // the blank's home is cell 0
	for d := uint8(0); b.expandLevel(d); d++ {
		b.fresh, b.next = b.next, b.fresh
	}
	t := &patternTable{tiles: tiles, distance: b.distance, ranked: n > maxKeyed}
	if !t.ranked {
		t.distance = reorderByKey(b.distance, n)
	}
	return t
}

// expandLevel expands the placements with a distance. It reports whether there are placements
// beyond. It leaves fresh empty.
func (b *builder) expandLevel(d uint8) (more bool) {
	for r, fresh := range b.fresh {
		if fresh == 0 {
			continue
		}
		b.fresh[r] = 0
		if fresh &^= b.reached[r]; fresh == 0 {
			continue
		}
		if b.distance[r] == unreached {
			b.distance[r] = d
		}
		b.spreadBlank(uint32(r), fresh)
		more = true
	}
	return more
}

// spreadBlank lets the blank spread from cells at which a placement was reached first, and
// moves the tiles that it comes to lie beside.
func (b *builder) spreadBlank(r uint32, fresh cells) {
	k := placementAtIndex(r, b.n)
	free := ^cells(0)
	for i := range b.n {
		free &^= 1 << k.cellAtIndex(i)
	}
	blank := fresh.floodFill(free) &^ b.reached[r]
	b.reached[r] |= blank
	for i := range b.n {
		from := k.cellAtIndex(i)
		for to := (cells(1) << from).adjacentCells() & blank; to != 0; to &= to - 1 {
			c := uint(bits.TrailingZeros16(uint16(to)))
			moved := k ^ key(from^c)<<(4*i)
			b.next[moved.placementIndex(b.n)] |= 1 << from
		}
	}
}

// reorderByKey orders distances by key.
func reorderByKey(byRank []uint8, n int) []uint8 {
	table := make([]uint8, 1<<(4*n))
	for i := range table {
		table[i] = unreached
	}
	for r, d := range byRank {
		table[placementAtIndex(uint32(r), n)] = d
	}
	return table
}
