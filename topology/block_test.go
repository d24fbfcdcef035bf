package topology

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// networkOf draws a network of any kind over 1 to mostRanks ranks.
func networkOf(t *rapid.T, mostRanks int) Topology {
	p := rapid.IntRange(1, mostRanks).Draw(t, "ranks")
	top, err := Parse(rapid.SampledFrom(NetworkNames()).Draw(t, "network"), p)
	if err != nil {
		t.Fatal(err)
	}
	return top
}

// width returns the largest distance within a block.
func width(top Topology, block []int) (hops int) {
	for _, a := range block {
		for _, b := range block {
			hops = max(hops, top.Distance(a, b))
		}
	}
	return hops
}

// Blocks partition the ranks: each rank is in its own block, and BlockOfRank returns the same
// block, in rising order, for all of its ranks.
func TestBlocksPartTheRanks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		top := networkOf(t, 600)
		size := rapid.IntRange(-1, 700).Draw(t, "size")
		seen := make([]bool, top.Size())
		for r := range seen {
			block := BlockOfRank(top, r, size)
			if !slices.Contains(block, r) || !slices.IsSorted(block) {
				t.Fatalf("rank %d is in block %v", r, block)
			}
			if seen[r] {
				continue
			}
			for _, other := range block {
				if seen[other] {
					t.Fatalf("rank %d is in two blocks", other)
				}
				seen[other] = true
				if !slices.Equal(BlockOfRank(top, other, size), block) {
					t.Fatalf("rank %d is in block %v, rank %d in %v", r, block, other, BlockOfRank(top, other, size))
				}
			}
		}
	})
}

// Blocks have about the requested size. They are never much larger, and much smaller only if a
// mesh is incomplete.
func TestBlockSizes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		top := networkOf(t, 600)
		size := rapid.IntRange(1, top.Size()).Draw(t, "size")
		least, most := size, 2*size-1
		whole := top.Size() // the ranks of the complete layers
		switch m := top.(type) {
		case Hypercube, FatTree:
			least, most = min((7*size+19)/20, top.Size()), (213*size+99)/100 // 2^±1/2, and up to half as much more or less
		case Mesh:
			whole -= whole % m.Cols
			least, most = size/2, 4*size
		case MeshR:
			s := m.meshSides()
			whole -= whole % s[max(0, slices.IndexFunc(s, func(s side) bool { return s.length*s.stride >= m.P }))].stride
			least, most = size>>m.R, size<<m.R
		}
		r := rapid.IntRange(0, top.Size()-1).Draw(t, "rank")
		block := BlockOfRank(top, r, size)
		if len(block) > most || len(block) < least && block[len(block)-1] < whole {
			t.Fatalf("the block of rank %[2]d in %[3]v has %[1]d ranks, want about %[4]d", len(block), r, top, size)
		}
	})
}

// Blocks are compact: subcubes, boxes, arcs, and the leaves of one switch.
func TestBlocksAreCompact(t *testing.T) {
	for _, c := range []struct {
		top        Topology
		rank, size int
		want       []int
	}{
		{Hypercube{P: 64}, 13, 8, []int{8, 9, 10, 11, 12, 13, 14, 15}},
		{Hypercube{P: 64}, 13, 6, []int{8, 9, 10, 11, 12, 13, 14, 15}},
		{Hypercube{P: 64}, 13, 5, []int{12, 13, 14, 15}},
		{Hypercube{P: 18}, 14, 4, []int{12, 13, 14, 15, 16, 17}},
		{Hypercube{P: 19}, 14, 4, []int{12, 13, 14, 15}},
		{FatTree{P: 64}, 30, 4, []int{28, 29, 30, 31}},
		{Ring{P: 10}, 4, 3, []int{3, 4, 5}},
		{Crossbar{P: 10}, 9, 3, []int{6, 7, 8, 9}},
		{Bus{P: 3}, 1, 1, []int{1}},
		{NewMesh(64), 19, 4, []int{18, 19, 26, 27}},
		{NewMesh(64), 19, 8, []int{2, 3, 10, 11, 18, 19, 26, 27}},
		{NewMesh(11), 10, 4, []int{2, 6, 10}},
		{NewMesh(13), 12, 4, []int{8, 9, 12}},
		{NewMeshR(64, 3), 21, 8, []int{0, 1, 4, 5, 16, 17, 20, 21}},
		{NewMeshR(64, 3), 63, 64, rankRange(0, 64)},
		{NewMeshR(5, 4), 4, 2, []int{4}},
	} {
		if got := BlockOfRank(c.top, c.rank, c.size); !slices.Equal(got, c.want) {
			t.Errorf("the block of rank %d in %#v of size %d is %v, want %v", c.rank, c.top, c.size, got, c.want)
		}
	}
	// A box of size ranks is no wider than a square or a cube with one more rank along each
	// side.
	for size := 1; size <= 256; size++ {
		for _, m := range []Topology{NewMesh(4096), NewMeshR(4096, 3)} {
			r, side := 2, 1
			if _, ok := m.(MeshR); ok {
				r = 3
			}
			for pow(side, r) < size {
				side++
			}
			if block := BlockOfRank(m, 2000, size); width(m, block) > 2*r*side {
				t.Errorf("a block of %d ranks of requested size %d is %d hops wide", len(block), size, width(m, block))
			}
		}
	}
}

func pow(x, n int) int {
	y := 1
	for range n {
		y *= x
	}
	return y
}

func TestBlockPanics(t *testing.T) {
	for _, r := range []int{-1, 5} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("BlockOfRank returns a block for rank %d of 5", r)
				}
			}()
			BlockOfRank(Ring{P: 5}, r, 2)
		}()
	}
}
