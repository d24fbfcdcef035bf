package topology

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// meanHops returns the mean distance along a dimension over all ranks with a neighbour in it.
func meanHops(top Topology, count, d int) float64 {
	hops := 0
	for r := range 1 << count {
		hops += top.Distance(r, r^1<<d)
	}
	return float64(hops) / float64(int(1)<<count)
}

// DimsByDistance lists every dimension once, nearest first. The order is exact if all ranks
// are examined or alike, and correct to a fifth if 1024 ranks represent all.
func TestDims(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		top := networkOf(t, 9000)
		dims := DimsByDistance(top)
		sorted := slices.Sorted(slices.Values(dims))
		count := 0
		for 2<<count <= top.Size() {
			count++
		}
		if !slices.Equal(sorted, rankRange(0, count)) {
			t.Fatalf("the dimensions of %v are %v", top, dims)
		}
		slack := 1e-9
		if count > 10 {
			slack = 0.2
		}
		for i := 1; i < count; i++ {
			near, far := meanHops(top, count, dims[i-1]), meanHops(top, count, dims[i])
			if near > far*(1+slack) {
				t.Fatalf("%v: dimensions %v, of which %d is %v hops and %d is %v", top, dims, dims[i-1], near, dims[i], far)
			}
			if near == far && dims[i-1] > dims[i] && count <= 10 {
				t.Fatalf("%v: dimensions of equal distance %v are in the order %v", top, near, dims)
			}
		}
	})
}

func TestDimsOfRegularNetworks(t *testing.T) {
	for _, c := range []struct {
		top  Topology
		want []int
	}{
		{Hypercube{P: 1000}, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}},
		{Crossbar{P: 8}, []int{0, 1, 2}},
		{FatTree{P: 64}, []int{0, 1, 2, 3, 4, 5}},
		{NewMesh(1 << 20), []int{0, 10, 1, 11, 2, 12, 3, 13, 4, 14, 5, 15, 6, 16, 7, 17, 8, 18, 9, 19}},
		{NewMesh(256), []int{0, 4, 1, 5, 2, 6, 3, 7}},
		{NewMeshR(512, 3), []int{0, 3, 6, 1, 4, 7, 2, 5, 8}},
		{Ring{P: 16}, []int{0, 1, 2, 3}},
		{Ring{P: 1}, nil},
	} {
		if got := DimsByDistance(c.top); !slices.Equal(got, c.want) {
			t.Errorf("%s of %d: %v, want %v", c.top.Name(), c.top.Size(), got, c.want)
		}
	}
}
