package spmd_test

import (
	"testing"

	"treesplit/internal/explore"
	"treesplit/local"
	"treesplit/run/observe/ledger"
	"treesplit/run/observe/trace"
	"treesplit/spmd"
)

// BenchmarkDrive drives one rank through a tree in quanta of two cheap nodes, so that it measures
// the loop around the nodes: without an observer, with an observer, and with a trace.
func BenchmarkDrive(b *testing.B) {
	work := explore.Shape{Seed: 9, Depth: 16, Width: 4}
	nodes := work.CountNodes()
	for _, how := range []string{"unobserved", "stats", "trace"} {
		b.Run(how, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				end := local.New(1)[0]
				c := spmd.Config{Seed: 1, Quantum: 2}
				switch how {
				case "stats":
					c.Observer = ledger.New(0, new(ledger.Counts), nil, 0)
				case "trace":
					c.Observer = ledger.New(0, new(ledger.Counts), trace.New(0, 1<<16, 1000), 0)
				}
				r, err := spmd.DriveRank(end, rank(b, "rp", "tree", explore.NewToy(work, true), 0, 1), c)
				if err != nil || r.Stats.Expanded != int64(nodes) {
					b.Fatalf("%d nodes of %d: %v", r.Stats.Expanded, nodes, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(nodes), "ns/node")
		})
	}
}
