package lb

import (
	"treesplit/comm"
	"treesplit/topology"
)

// NearestNeighbour (NN, Kumar et al., section 4.2) asks its neighbours in the
// network, one after the other and round again. Work spreads from rank to rank
// only, so a poor splitting function hurts it most (section 8).
type NearestNeighbour struct {
	local
	neighbours []int
	next       int
}

// NewNearestNeighbour returns the Selector of a rank of the given network.
func NewNearestNeighbour(network topology.Topology, rank int) *NearestNeighbour {
	return &NearestNeighbour{neighbours: network.Neighbours(rank, nil)}
}

// Next returns the next neighbour in turn.
func (s *NearestNeighbour) Next(comm.Env) (donor int, ok bool) {
	donor = s.neighbours[s.next]
	s.next = (s.next + 1) % len(s.neighbours)
	return donor, true
}
