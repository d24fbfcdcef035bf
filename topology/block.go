package topology

import (
	"math"
	"math/bits"
)

// BlockOfRank returns the ranks of the block that rank lies in, in rising order: one of the
// compact groups of about size ranks into which the network falls. Every rank is in
// exactly one block, and all ranks of a block get the same one.
//
//   - Hypercube, FatTree: ranges of 2^b ranks that begin at a multiple of 2^b, with the
//     b nearest to log2 size: subcubes, and leaves below one switch or half a switch. A
//     last range of at most half that joins the one before.
//   - Mesh, MeshR: boxes whose sides are as equal as they can be. Where a side does not
//     divide the mesh's it is lengthened, and the others are shortened. Where the last
//     row or layer is incomplete boxes lack ranks.
//   - others: ranges of size to 2·size−1 ranks.
//
// It panics unless 0 ≤ rank < Size; a size below 1 is 1, one above Size is Size. O(r +
// ranks of the box) in r dimensions; a box of the last, incomplete layer may have fewer
// ranks than that.
func BlockOfRank(t Topology, rank, size int) []int {
	p := t.Size()
	if rank < 0 || rank >= p {
		panic("topology: no such rank")
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

// rankRange lists from, …, to−1.
func rankRange(from, to int) []int {
	all := make([]int, to-from)
	for i := range all {
		all[i] = from + i
	}
	return all
}

// alignedBlock is the block of a hypercube.
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

// A length is cut into count bands, as equal as whole numbers can be. band is the one that
// position x is in, first the position where a band begins.
func bandOfPosition(x, length, count int) int { return ((x+1)*count - 1) / length }
func bandStart(at, length, count int) int     { return at * length / count }

// side is a dimension of a mesh: how far apart ranks are that are neighbours along it,
// and how many ranks it is long.
type side struct{ stride, length int }

// meshSides are the dimensions of the mesh, the last one first.
func (m MeshR) meshSides() []side {
	var all []side
	for d := range m.R {
		s := m.strideAlong(d)
		all = append(all, side{s, min(m.Side, (m.P+s-1)/s)})
	}
	return all
}

// meshBlock is the block of a mesh.
func meshBlock(p, rank, size int, sides []side) []int {
	block := []int{0}
	rest := float64(size)                  // the size of the box in the dimensions that are left
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
		if r >= p { // block rises: the rest does not exist either
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
