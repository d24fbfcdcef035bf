package lookahead

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"treesplit/sat"
	"treesplit/sat/ruletest"
)

// Uniform random 3-SAT at ratio 4.6, nearly all of it unsatisfiable; scripts/bench puts
// other programs beside it.
func BenchmarkRandom(b *testing.B) {
	for _, n := range []int{200, 250, 300} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, uint64(n)))
			nodes := int64(0)
			for range b.N {
				s := sat.NewSearch(New(ruletest.RandomFormula(rng, n, n*46/10, 3)), sat.Options{Root: true})
				for !s.Empty() && !s.Decided() {
					s.Expand(1 << 10)
				}
				nodes += s.Counts().Expanded
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(nodes), "µs/node")
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes")
		})
	}
}
