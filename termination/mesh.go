package termination

import "treesplit/topology"

// NewMesh returns rank's part of a wave on a mesh in which every message takes one hop: along
// all rows at the same time to their first ranks, then along the first column to rank 0 (Kumar
// et al., appendix A, on a mesh). The protocol is the one of Tree over another spanning tree.
// A round takes about 4√P steps.
func NewMesh(rank, size int) *Tree {
	return &Tree{name: "mesh", edges: spanningAt(topology.Comb{Mesh: topology.NewMesh(size)}, rank)}
}
