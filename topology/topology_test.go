package topology

import (
	"slices"
	"testing"
)

var sizes = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 31, 64, 100}

// Every topology: neighbours are mutual and distinct, and every rank can be reached over them.
// In a direct network they are one hop apart, and Distance is the length of a shortest path
// over them. In an indirect network Distance is a metric.
func TestConformance(t *testing.T) {
	for _, name := range NetworkNames() {
		for _, p := range sizes {
			top, err := Parse(name, p)
			if err != nil || top.Name() != name || top.Size() != p {
				t.Fatalf("Parse(%q, %d) = %v, %v", name, p, top, err)
			}
			for a := range p {
				hops := breadthFirst(top, a)
				around := top.Neighbours(a, nil)
				for b := range p {
					if hops[b] < 0 {
						t.Fatalf("%s of %d: there is no path from %d to %d", name, p, a, b)
					}
					count := 0
					for _, n := range around {
						if n == b {
							count++
						}
					}
					if count > 1 || (count == 1) != slices.Contains(top.Neighbours(b, nil), a) || (count == 1) != (hops[b] == 1) {
						t.Fatalf("%s of %d: %d and %d are not proper neighbours", name, p, a, b)
					}
					if top.Distance(a, b) != hops[b] && name != "fattree" {
						t.Fatalf("%s of %d: the distance from %d to %d is %d, the shortest path %d", name, p, a, b, top.Distance(a, b), hops[b])
					}
				}
			}
		}
	}
	if _, err := Parse("torus", 4); err == nil {
		t.Error("Parse accepted a name it does not list")
	}
}

// The distance in a fat tree is the length of the path up to the lowest common switch and down
// again. Ranks are grouped by four, groups by four, and so on.
func TestFatTreeDistance(t *testing.T) {
	f := FatTree{P: 100}
	for _, c := range []struct{ a, b, hops int }{
		{7, 7, 0}, {4, 7, 2}, {3, 4, 4}, {0, 15, 4}, {15, 16, 6}, {0, 63, 6}, {63, 64, 8},
	} {
		if f.Distance(c.a, c.b) != c.hops || f.Distance(c.b, c.a) != c.hops {
			t.Errorf("%d to %d: %d hops, want %d", c.a, c.b, f.Distance(c.a, c.b), c.hops)
		}
	}
	for a := range f.P {
		for b := range f.P {
			for c := range f.P {
				if f.Distance(a, c) > max(f.Distance(a, b), f.Distance(b, c)) {
					t.Fatalf("from %d to %d is farther than by way of %d", a, c, b)
				}
			}
		}
	}
}

// Meshes of two dimensions are the same in both types, except for the order of neighbours.
func TestMeshROfTwoDimensionsIsMesh(t *testing.T) {
	for _, p := range sizes {
		m, r := NewMesh(p), NewMeshR(p, 2)
		for a := range p {
			for b := range p {
				if m.Distance(a, b) != r.Distance(a, b) {
					t.Fatalf("P = %d: %d to %d is %d and %d", p, a, b, m.Distance(a, b), r.Distance(a, b))
				}
			}
		}
	}
}

func breadthFirst(top Topology, from int) []int {
	hops := make([]int, top.Size())
	for i := range hops {
		hops[i] = -1
	}
	hops[from] = 0
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		for _, n := range top.Neighbours(queue[0], nil) {
			if hops[n] < 0 {
				hops[n] = hops[queue[0]] + 1
				queue = append(queue, n)
			}
		}
	}
	return hops
}

// Every tree: parents and children agree, all ranks are below rank 0, and every edge is an
// edge of its network.
func TestTrees(t *testing.T) {
	for _, p := range sizes {
		for _, c := range []struct {
			tree Tree
			top  Topology
		}{{Binomial{p}, Hypercube{p}}, {Comb{NewMesh(p)}, NewMesh(p)}} {
			seen := 0
			for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
				r := queue[0]
				seen++
				for _, k := range c.tree.Children(r, nil) {
					if c.tree.Parent(k) != r || c.top.Distance(r, k) != 1 {
						t.Fatalf("%T of %d: %d is not a proper child of %d", c.tree, p, k, r)
					}
					queue = append(queue, k)
				}
			}
			if seen != p || c.tree.Parent(0) != -1 {
				t.Fatalf("%T of %d spans %d ranks", c.tree, p, seen)
			}
		}
	}
}
