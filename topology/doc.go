// Package topology is the arithmetic of interconnection networks: who is next
// to whom, how far apart two ranks are, and which trees span them all. Every
// network exists for every number of ranks P ≥ 1, powers of two or not. Nothing
// here holds state beyond the sizes.
package topology

import (
	"fmt"
	"strings"
)

// Topology is a network of ranks 0 … Size−1.
type Topology interface {
	// Name is the word that Parse reads.
	Name() string
	// Size is the number of ranks.
	Size() int
	// Neighbours appends the ranks one hop from rank to dst, each once, in the
	// order in which NN asks them. Only P = 1 has a rank without any. In an indirect
	// network (FatTree), where no rank is one hop from another, they are the ranks
	// that NN is to ask all the same; over them every rank can be reached.
	Neighbours(rank int, dst []int) []int
	// Distance is the number of hops between two ranks.
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

// NetworkNames lists what Parse reads.
func NetworkNames() []string {
	var names []string
	for _, n := range networks {
		names = append(names, n.name)
	}
	return names
}

// Parse returns the network of that name over size ranks.
func Parse(name string, size int) (Topology, error) {
	for _, n := range networks {
		if n.name == name {
			return n.make(size), nil
		}
	}
	return nil, fmt.Errorf("unknown topology %q: expected one of %s", name, strings.Join(NetworkNames(), ", "))
}
