package topology

import (
	"slices"
	"testing"
)

var sizes = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 31, 64, 100}

// Every topology: neighbours are mutual, distinct, one hop away, and Distance is
// the length of a shortest path over them.
func TestConformance(t *testing.T) {
	for _, name := range Names() {
		for _, p := range sizes {
			top, err := Parse(name, p)
			if err != nil || top.Name() != name || top.Size() != p {
				t.Fatalf("Parse(%q, %d) = %v, %v", name, p, top, err)
			}
			for a := range p {
				hops := breadthFirst(top, a)
				for b := range p {
					if hops[b] != top.Distance(a, b) {
						t.Fatalf("%s of %d: distance %d to %d is %d, shortest path %d", name, p, a, b, top.Distance(a, b), hops[b])
					}
					adjacent := slices.Contains(top.Neighbours(a, nil), b)
					if adjacent != slices.Contains(top.Neighbours(b, nil), a) || adjacent != (hops[b] == 1) {
						t.Fatalf("%s of %d: %d and %d", name, p, a, b)
					}
				}
			}
		}
	}
	if _, err := Parse("torus", 4); err == nil {
		t.Error("Parse accepted a name it does not list")
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

// Every tree: parents and children agree, all ranks hang below rank 0, and every
// edge is an edge of its network.
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
						t.Fatalf("%T of %d: %d below %d", c.tree, p, k, r)
					}
					queue = append(queue, k)
				}
			}
			if seen != p || c.tree.Parent(0) != -1 {
				t.Fatalf("%T of %d spans %d", c.tree, p, seen)
			}
		}
	}
}
