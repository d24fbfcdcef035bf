// Package topology is the arithmetic of interconnection networks: the neighbours of a rank,
// the distance between two ranks, and spanning trees. Every network exists for every number of
// ranks P ≥ 1, also if P is not a power of two. The types hold no state except their sizes.
package topology

import (
	"fmt"
	"strings"
)

// Topology is a network of the ranks 0 … Size−1.
type Topology interface {
	// Name returns the network's name, as Parse accepts it.
	Name() string
	// Size returns the number of ranks.
	Size() int
	// Neighbours appends to dst the ranks that are one hop from rank, each once, in the order
	// in which NN asks them. A rank has no neighbours only if P = 1. In an indirect network
	// (FatTree) no two ranks are one hop apart; Neighbours then appends the ranks that NN
	// asks. Every rank can be reached over neighbours.
	Neighbours(rank int, dst []int) []int
	// Distance returns the number of hops between two ranks.
	Distance(a, b int) int
}

// networks is the registry: names as on the command line.
var networks = []struct {
	name string
	make func(p int) Topology
}{
	{"hypercube", func(p int) Topology { return Hypercube{P: p} }},
	{"mesh", func(p int) Topology { return NewMesh(p) }},
	{"mesh3", func(p int) Topology { return NewMeshR(p, 3) }},
	{"mesh4", func(p int) Topology { return NewMeshR(p, 4) }},
	{"ring", func(p int) Topology { return Ring{P: p} }},
	{"fattree", func(p int) Topology { return FatTree{P: p} }},
	{"crossbar", func(p int) Topology { return Crossbar{P: p} }},
	{"bus", func(p int) Topology { return Bus{P: p} }},
}

// NetworkNames returns the names that Parse accepts.
func NetworkNames() []string {
	var names []string
	for _, n := range networks {
		names = append(names, n.name)
	}
	return names
}

// Parse returns the network with the given name over size ranks. Its error lists the known
// names.
func Parse(name string, size int) (Topology, error) {
	for _, n := range networks {
		if n.name == name {
			return n.make(size), nil
		}
	}
	return nil, fmt.Errorf("unknown topology %q: expected one of %s", name, strings.Join(NetworkNames(), ", "))
}
