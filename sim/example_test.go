package sim_test

import (
	"fmt"

	"treesplit/lb"
	"treesplit/search"
	"treesplit/search/replay"
	"treesplit/sim"
	"treesplit/termination"
	"treesplit/uts"
)

// A tree is recorded once, and 16 ranks of an nCUBE/2 search it under random polling.
func ExampleRun() {
	shape, err := uts.TreeShape(uts.DefaultParams())
	if err != nil {
		panic(err)
	}
	tree, err := replay.RecordTree(shape, 1_000_000)
	if err != nil {
		panic(err)
	}
	machine, err := sim.FindMachine("ncube2")
	if err != nil {
		panic(err)
	}
	const p = 16
	result, err := sim.Run(machine, p, 1, func(rank int) lb.Balancer {
		detector, err := termination.New("tree", rank, p)
		if err != nil {
			panic(err)
		}
		balancer, err := lb.New("rp", lb.Options{Work: tree.Share(search.DefaultSplitting, rank == 0), Detector: detector}, rank, p)
		if err != nil {
			panic(err)
		}
		return balancer
	}, sim.Options{Nodes: tree.NodeCount()})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d nodes, %d pieces, speedup %.2f\n", result.Stats.Expanded, result.Stats.Grants, result.Speedup())
	// Output:
	// 1732 nodes, 62 pieces, speedup 4.70
}
