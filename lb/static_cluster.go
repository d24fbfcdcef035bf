package lb

import (
	"cmp"
	"math"

	"treesplit/comm"
	"treesplit/topology"
)

// ClusterPolling is random polling within a cluster: the ranks are parted into blocks of
// neighbours, and a rank asks one of its own block, drawn uniformly. It follows a static
// start, which leaves every cluster about as much work, and evens out what is left at
// short distances: Sanders, "Randomized Static Load Balancing for Tree-Shaped
// Computations", section 6.
//
// Without the static start ranks of other clusters than rank 0's would never work.
//
// Departures from the paper: it has log^α P clusters, here a cluster has log^α P ranks, and
// at least 2. A cluster is the topology.BlockOfRank of about that size. The block of a mesh's last row may be one rank all the same: it asks nobody, and
// waits for the end once it has run out of work.
type ClusterPolling struct {
	local
	cluster []int // in rising order
	self    int   // the rank's place in it
}

// NewClusterPolling returns the Selector of a rank of the given network; alpha 0 is 1.
func NewClusterPolling(network topology.Topology, alpha float64, rank int) *ClusterPolling {
	s := &ClusterPolling{cluster: topology.BlockOfRank(network, rank, clusterSize(network.Size(), alpha))}
	for s.cluster[s.self] != rank {
		s.self++
	}
	return s
}

// clusterSize is log^α P to the base 2, rounded, and at least 2.
func clusterSize(ranks int, alpha float64) int {
	size := math.Pow(math.Log2(float64(ranks)), cmp.Or(alpha, 1))
	return max(2, int(math.Round(min(size, float64(ranks)))))
}

// ClusterSize is the number of ranks of the cluster, this one included.
func (s *ClusterPolling) ClusterSize() int { return len(s.cluster) }

// Next draws the donor. A rank that is alone has none: the answer never comes.
func (s *ClusterPolling) Next(env comm.Env) (donor int, ok bool) {
	if len(s.cluster) == 1 {
		return 0, false
	}
	i := env.Rand().IntN(len(s.cluster) - 1)
	if i >= s.self {
		i++
	}
	return s.cluster[i], true
}
