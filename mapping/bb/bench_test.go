package bb

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// BenchmarkProof proves optima of random graphs with 20 objects on 4 processors, and
// reports the median of 15 for each number of arcs and cost of them.
func BenchmarkProof(b *testing.B) {
	for _, arcs := range []int{1, 2, 3, 5} {
		for _, size := range []int64{2, 5, 10, 20} {
			b.Run(fmt.Sprintf("arcs=%d/cost=%d", arcs, size), func(b *testing.B) {
				for range b.N {
					var seconds, nodes []float64
					for seed := range uint64(15) {
						in, err := New(graph(rand.New(rand.NewPCG(8, seed)), 20, 4, arcs, size), Options{})
						if err != nil {
							b.Fatal(err)
						}
						start := time.Now()
						r := in.SolveSequentially(func() bool { return time.Since(start) > 10*time.Second })
						seconds, nodes = append(seconds, time.Since(start).Seconds()), append(nodes, float64(r.Expanded))
					}
					slices.Sort(seconds)
					slices.Sort(nodes)
					b.ReportMetric(seconds[7], "median-s")
					b.ReportMetric(seconds[14], "worst-s")
					b.ReportMetric(nodes[7], "median-nodes")
				}
			})
		}
	}
}
