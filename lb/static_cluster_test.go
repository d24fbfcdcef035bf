package lb_test

import (
	"math/rand/v2"
	"testing"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/topology"
)

// A rank asks every other rank of its block equally often, and no other rank.
func TestClusterPolling(t *testing.T) {
	stream := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		network topology.Topology
		alpha   float64
		size    int // the approximate value of log^α P
	}{
		{topology.Hypercube{P: 1024}, 0, 10},
		{topology.Hypercube{P: 1024}, 2, 100},
		{topology.NewMesh(256), 1, 8},
		{topology.NewMesh(250), 1, 8},
		{topology.Ring{P: 2}, 1, 2},
		{topology.Crossbar{P: 5}, 9, 5},
		{topology.FatTree{P: 17}, 1, 4},
	} {
		p := c.network.Size()
		for rank := 0; rank < p; rank += 1 + p/100 {
			block := topology.BlockOfRank(c.network, rank, c.size)
			asked := map[int]int{}
			selector := lb.NewClusterPolling(c.network, c.alpha, rank)
			tries := 40 * (len(block) - 1)
			for range tries {
				donor, ok := selector.Next(caller{rank: rank, size: p, stream: stream})
				if !ok {
					t.Fatalf("%v: rank %d has no donor", c.network, rank)
				}
				asked[donor]++
			}
			for _, r := range block {
				if n := asked[r]; (r == rank) != (n == 0) || n > 120 {
					t.Errorf("%v: rank %d asked rank %d of its cluster %v %d times in %d", c.network, rank, r, block, n, tries)
				}
				delete(asked, r)
			}
			if len(asked) > 0 {
				t.Errorf("%v: rank %d asked %v, in cluster %v", c.network, rank, asked, block)
			}
		}
	}
}

// A rank that is alone in its cluster asks no rank: if it chose itself as donor, it would do
// so for ever.
func TestClusterOfOne(t *testing.T) {
	network := topology.NewMeshR(5, 4)
	if block := topology.BlockOfRank(network, 4, 2); len(block) != 1 {
		t.Fatalf("rank 4 of 5 is in block %v", block)
	}
	selector := lb.NewClusterPolling(network, 0, 4)
	env := caller{rank: 4, size: 5, stream: rand.New(rand.NewPCG(1, 2))}
	if donor, ok := selector.Next(env); ok {
		t.Errorf("Next returns donor %d", donor)
	}
	if donor, ok := selector.Wake(env); ok {
		t.Errorf("Wake returns donor %d", donor)
	}
	if donor, ok := selector.Receive(env, comm.Message{}); ok {
		t.Errorf("Receive returns donor %d", donor)
	}
}
