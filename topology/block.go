package topology

import (
	"math"
	"math/bits"
)

// BlockOfRank returns the ranks of rank's block in rising order. Blocks are compact groups of
// about size ranks. Every rank is in exactly one block, and BlockOfRank returns the same block
// for all of its ranks.
//
//   - Hypercube, FatTree: ranges of 2^b ranks that begin at a multiple of 2^b, where b is the
//     integer nearest to log2 size: subcubes, or the leaves below one switch or half a switch.
//     If the last range has at most half of these ranks, it joins the range before it.
//   - Mesh, MeshR: boxes whose sides are as equal as possible. If a side does not divide the
//     side of the mesh, it is lengthened and the others are shortened. If the last row or
//     layer is incomplete, its boxes lack ranks.
//   - others: ranges of size to 2·size−1 ranks.
//
// A size below 1 counts as 1, a size above Size as Size. BlockOfRank panics unless 0 ≤ rank <
// Size. In r dimensions it takes O(r + ranks of a complete box); a box of an incomplete last
// layer may have fewer ranks.
func BlockOfRank(t Topology, rank, size int) []int {
	p := t.Size()
	if rank < 0 || rank >= p {
		panic("topology: rank is out of range: expected 0 ≤ rank < Size")
	}
	size = min(max(size, 1), p)
	switch m := t.(type) {
	case Hypercube, FatTree:
		return alignedBlock(p, rank, size)
	case Mesh:
		return meshBlock(p, rank, size, []side{{1, min(m.Cols, p)}, {m.Cols, (p + m.Cols - 1) / m.Cols}})
	case MeshR:
		return meshBlock(p, rank, size, m.meshSides())
	}
	count := p / size
	at := bandOfPosition(rank, p, count)
	return rankRange(bandStart(at, p, count), bandStart(at+1, p, count))
}

// rankRange returns from, …, to−1.
func rankRange(from, to int) []int {
	all := make([]int, to-from)
	for i := range all {
		all[i] = from + i
	}
	return all
}

// alignedBlock returns the block of a rank in a hypercube or a fat tree.
func alignedBlock(p, rank, size int) []int {
	n := 1 << (bits.Len(uint(size)) - 1)
	if float64(size) > math.Sqrt2*float64(n) {
		n *= 2
	}
	last := p &^ (n - 1) // where the incomplete range begins, if there is one
	if p-last <= n/2 {
		last -= n
	}
	if last = max(last, 0); rank >= last {
		return rankRange(last, p)
	}
	from := rank &^ (n - 1)
	return rankRange(from, from+n)
}

// A length is divided into count bands whose lengths differ by at most one. bandOfPosition
// returns the band of position x, bandStart the first position of a band.
func bandOfPosition(x, length, count int) int { return ((x+1)*count - 1) / length }
func bandStart(at, length, count int) int     { return at * length / count }

// side is a dimension of a mesh: the difference of the numbers of neighbours along it, and its
// length in ranks.
type side struct{ stride, length int }

// meshSides returns the dimensions of the mesh, the last one first.
func (m MeshR) meshSides() []side {
	var all []side
	for d := range m.R {
		s := m.strideAlong(d)
		all = append(all, side{s, min(m.Side, (m.P+s-1)/s)})
	}
	return all
}

// meshBlock returns the block of a rank in a mesh.
func meshBlock(p, rank, size int, sides []side) []int {
	block := []int{0}
	rest := float64(size)                  // the size of the box in the remaining dimensions
	for d := len(sides) - 1; d >= 0; d-- { // the first dimensions may be the shorter ones
		s := sides[d]
		want := int(math.Round(math.Pow(rest, 1/float64(d+1))))
		want = min(max(want, 1), s.length)
		count := s.length / want
		rest = max(rest*float64(count)/float64(s.length), 1)
		at := bandOfPosition(rank/s.stride%s.length, s.length, count)
		block = extendBox(block, s.stride, bandStart(at, s.length, count), bandStart(at+1, s.length, count))
	}
	for i, r := range block {
		if r >= p { // block is rising: the following ranks do not exist either
			return block[:i]
		}
	}
	return block
}

// extendBox adds a dimension to a box: positions from to to−1.
func extendBox(box []int, stride, from, to int) []int {
	grown := make([]int, 0, len(box)*(to-from))
	for _, r := range box {
		for x := from; x < to; x++ {
			grown = append(grown, r+x*stride)
		}
	}
	return grown
}
