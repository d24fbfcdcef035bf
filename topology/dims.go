package topology

import (
	"math/bits"
	"slices"
)

// DimsByDistance returns the dimensions 0 … ⌊log2 P⌋−1 of a hypercube, nearest first. The
// hypercube consists of the ranks below 2^⌊log2 P⌋, joined by their numbers. The hops of a
// phase along dimension d are the distances between r and r XOR 2^d. On a mesh whose sides are
// powers of two the low bits of the coordinates alternate. A hypercube and a fat tree keep the
// natural order. On these networks all r have the same distance. On other meshes the distances
// differ; then the mean over all r is used, or over 1024 of them if there are more. Dimensions
// of equal distance stay in the natural order. All ranks get the same list. O(log P), or 1024
// times as much on other meshes.
//
// Sanders, "Better Algorithms for Parallel Backtracking", sections 4.1 and 4.2, for meshes and
// fat trees, where the far dimensions are visited less often.
func DimsByDistance(t Topology) []int {
	count := bits.Len(uint(t.Size())) - 1
	samples := 1
	if side := rowLength(t); side&(side-1) != 0 {
		samples = 1 << min(count, 10)
	}
	dims, hops := rankRange(0, count), make([]int, count)
	for d := range dims {
		hops[d] = sampledHops(t, count, d, samples)
	}
	slices.SortStableFunc(dims, func(a, b int) int { return hops[a] - hops[b] })
	return dims
}

// rowLength returns the length of a row of a mesh, and 1 for other networks.
func rowLength(t Topology) int {
	switch m := t.(type) {
	case Mesh:
		return m.Cols
	case MeshR:
		return m.Side
	}
	return 1
}

// sampledHops returns the sum of the distances along dimension d from samples of the 2^count
// ranks. samples is a power of two. One rank is taken from each run of 2^count/samples ranks,
// at a position that varies.
func sampledHops(t Topology, count, d, samples int) (hops int) {
	run := 1 << count / samples
	for i := range samples {
		place := int(uint32(i) * 0x9e3779b1 >> 8)
		r := i*run + place&(run-1)
		hops += t.Distance(r, r^1<<d)
	}
	return hops
}
