package puzzle

import "math/bits"

// patternTable has the distance of each placement of some tiles of a 4x4 board to
// their homes, counting their own moves alone: the least over all cells of the blank.
type patternTable struct {
	tiles []uint8
	// distance is by key up to maxKeyed tiles, with holes for keys that have two tiles
	// in a cell, and by rank beyond.
	distance []uint8
	ranked   bool
}

// maxKeyed is the largest number of tiles whose distances are stored by key: 16 MB.
const maxKeyed = 6

// key is the placement of up to 8 tiles: the cell of the i-th in bits 4i … 4i+3. The
// blank has no part in it.
type key uint32

func (k key) cellAtIndex(i int) uint { return uint(k>>(4*i)) & 15 }

// distanceAt returns the distance of a placement.
func (t *patternTable) distanceAt(k key) uint8 {
	if t.ranked {
		return t.distance[k.placementIndex(len(t.tiles))]
	}
	return t.distance[k]
}

// countPlacements returns the number of placements of n tiles, 16·15·… .
func countPlacements(n int) int {
	p := 1
	for i := range n {
		p *= 16 - i
	}
	return p
}

// placementIndex numbers the placements of n tiles from 0 without a gap. The i-th digit, to the
// base 16−i, is the number of cells before the tile's cell that the earlier tiles leave free.
func (k key) placementIndex(n int) (r uint32) {
	taken := uint32(0)
	for i := range n {
		c := k.cellAtIndex(i)
		before := bits.OnesCount16(uint16(taken & (1<<c - 1)))
		r = r*uint32(16-i) + uint32(c) - uint32(before)
		taken |= 1 << c
	}
	return r
}

// placementAtIndex returns the placement with a rank.
func placementAtIndex(r uint32, n int) (k key) {
	var digits [8]uint8
	for i := n - 1; i >= 0; i-- {
		digits[i] = uint8(r % uint32(16-i))
		r /= uint32(16 - i)
	}
	free := uint16(1<<16 - 1)
	for i := range n {
		rest := free
		for range digits[i] {
			rest &= rest - 1
		}
		k |= key(bits.TrailingZeros16(rest)) << (4 * i)
		free &^= rest & -rest
	}
	return k
}
