package topology

import (
	"math/bits"
	"slices"
)

// DimsByDistance lists the dimensions 0 … ⌊log2 P⌋−1 of the hypercube that the ranks below
// 2^⌊log2 P⌋ form by their numbers, in the order in which a phase along them costs hops:
// nearest first, by the distance between r and r XOR 2^d. On a mesh whose sides are
// powers of two the low bits of the coordinates take turns; a hypercube and a fat tree
// keep the natural order. Those networks look the same from every r. On other meshes
// distances differ and the mean over r counts, or over 1024 of them if there are more.
// Equal ones stand in the natural order. All ranks get the same. O(log P), or 1024 times
// that.
//
// Sanders, "Better Algorithms for Parallel Backtracking", sections 4.1 and 4.2, for
// meshes and fat trees, where the far dimensions are visited less often.
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

// rowLength is the length of a row of a mesh; 1 for others.
func rowLength(t Topology) int {
	switch m := t.(type) {
	case Mesh:
		return m.Cols
	case MeshR:
		return m.Side
	}
	return 1
}

// sampledHops adds up the distances along dimension d from samples of the 2^count ranks,
// a power of two: one from each run of 2^count/samples, at a place in it that changes.
func sampledHops(t Topology, count, d, samples int) (hops int) {
	run := 1 << count / samples
	for i := range samples {
		place := int(uint32(i) * 0x9e3779b1 >> 8)
		r := i*run + place&(run-1)
		hops += t.Distance(r, r^1<<d)
	}
	return hops
}
