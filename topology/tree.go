package topology

import "math/bits"

// Tree is a spanning tree of the ranks 0 … P−1 with its root at rank 0.
type Tree interface {
	// Parent returns the parent of rank, and −1 for the root.
	Parent(rank int) int
	// Children appends the children of rank to dst.
	Children(rank int, dst []int) []int
}

// Binomial is the binomial tree of the hypercube. A rank's parent is the rank with its lowest
// set bit cleared. So every edge of the tree is an edge of the hypercube, and the depth is at
// most ⌈log2 P⌉.
type Binomial struct{ P int }

// Parent returns rank with its lowest set bit cleared.
func (Binomial) Parent(rank int) int {
	if rank == 0 {
		return -1
	}
	return rank & (rank - 1)
}

// Children appends the ranks that have one more bit set, below the lowest set bit of rank. The
// largest subtree comes first.
func (t Binomial) Children(rank int, dst []int) []int {
	low := bits.Len(uint(t.P))
	if rank != 0 {
		low = bits.TrailingZeros(uint(rank))
	}
	for l := low - 1; l >= 0; l-- {
		if c := rank + 1<<l; c < t.P {
			dst = append(dst, c)
		}
	}
	return dst
}

// Comb is a tree of a mesh: it runs along each row to the first rank of the row, and along the
// first column to rank 0. Its depth is at most 2(⌈√P⌉−1).
type Comb struct{ Mesh Mesh }

// Parent returns the left neighbour, or the upper one in the first column.
func (t Comb) Parent(rank int) int {
	switch {
	case rank == 0:
		return -1
	case rank%t.Mesh.Cols == 0:
		return rank - t.Mesh.Cols
	default:
		return rank - 1
	}
}

// Children appends the lower neighbour if rank is in the first column, then the right one.
func (t Comb) Children(rank int, dst []int) []int {
	col := rank % t.Mesh.Cols
	if down := rank + t.Mesh.Cols; col == 0 && down < t.Mesh.P {
		dst = append(dst, down)
	}
	if col+1 < t.Mesh.Cols && rank+1 < t.Mesh.P {
		dst = append(dst, rank+1)
	}
	return dst
}
