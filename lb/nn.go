package lb

import (
	"treesplit/comm"
	"treesplit/topology"
)

// NearestNeighbour (NN, Kumar et al., section 4.2) asks its neighbours in the network in turn.
// Work moves only between neighbours, so a poor splitting function is most harmful to this
// scheme (section 8).
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
