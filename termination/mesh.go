package termination

import "treesplit/topology"

// NewMesh returns rank's part of the wave that a mesh carries at no more than
// one hop a message: along every row to its first rank at the same time, then
// along the first column to rank 0 (Kumar et al., appendix A, on a mesh). It is
// the wave of Tree over another spanning tree; a round takes about 4√P steps.
func NewMesh(rank, size int) *Tree {
	return &Tree{name: "mesh", edges: spanningAt(topology.Comb{Mesh: topology.NewMesh(size)}, rank)}
}
