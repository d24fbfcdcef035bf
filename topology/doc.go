// Package topology is the arithmetic of interconnection networks: who is next
// to whom, how far apart two ranks are, and which trees span them all. Every
// network exists for every number of ranks P ≥ 1, powers of two or not. Nothing
// here holds state beyond the sizes.
package topology

import "fmt"

// Topology is a network of ranks 0 … Size−1.
type Topology interface {
	// Name is the word that Parse reads.
	Name() string
	// Size is the number of ranks.
	Size() int
	// Neighbours appends the ranks one hop from rank to dst, each once, in the
	// order in which NN asks them. Only P = 1 has a rank without any.
	Neighbours(rank int, dst []int) []int
	// Distance is the number of hops between two ranks.
	Distance(a, b int) int
}

// Names lists what Parse reads.
func Names() []string { return []string{"hypercube", "mesh", "ring"} }

// Parse returns the network of that name over size ranks.
func Parse(name string, size int) (Topology, error) {
	switch name {
	case "hypercube":
		return Hypercube{P: size}, nil
	case "mesh":
		return NewMesh(size), nil
	case "ring":
		return Ring{P: size}, nil
	}
	return nil, fmt.Errorf("unknown topology %q: expected hypercube, mesh or ring", name)
}
