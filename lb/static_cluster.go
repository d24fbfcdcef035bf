package lb

import (
	"cmp"
	"math"

	"treesplit/comm"
	"treesplit/topology"
)

// ClusterPolling is random polling within a cluster. The ranks are divided into blocks of
// neighbours, and a rank asks a random rank of its own block. A static start precedes it and
// gives every cluster about the same amount of work. The polling then balances the remaining
// differences over short distances: Sanders, "Randomized Static Load Balancing for Tree-Shaped
// Computations", section 6, clusters of log^α P ranks.
//
// Without the static start, ranks in clusters other than rank 0's would never work.
//
// Departures from the paper: the paper has log^α P clusters; here a cluster has log^α P ranks,
// and at least 2. A cluster is the topology.BlockOfRank of about that size. On the last row of a
// mesh the block may still be a single rank. That rank sends no requests, and waits for the end
// when it has no work.
type ClusterPolling struct {
	local
	cluster []int // in rising order
	self    int   // the rank's index in cluster
}

// NewClusterPolling returns the Selector of a rank of the given network. alpha = 0 means 1.
func NewClusterPolling(network topology.Topology, alpha float64, rank int) *ClusterPolling {
	s := &ClusterPolling{cluster: topology.BlockOfRank(network, rank, clusterSize(network.Size(), alpha))}
	for s.cluster[s.self] != rank {
		s.self++
	}
	return s
}

// clusterSize returns log^α P to the base 2, rounded, and at least 2.
func clusterSize(ranks int, alpha float64) int {
	size := math.Pow(math.Log2(float64(ranks)), cmp.Or(alpha, 1))
	return max(2, int(math.Round(min(size, float64(ranks)))))
}

// ClusterSize returns the number of ranks of the cluster, including this one.
func (s *ClusterPolling) ClusterSize() int { return len(s.cluster) }

// Next returns a random donor. If the rank is alone in its cluster it has none, and Next
// always returns !ok.
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
