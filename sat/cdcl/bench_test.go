package cdcl

import (
	"testing"

	"treesplit/sat/ruletest"
)

// benchmarks are formulas of package gen that take a fraction of a second.
var benchmarks = []struct{ family, params string }{
	{"random", "n=180 ratio=4.3"},
	{"vdw", "j=3 k=9 n=77"},
	{"multiplier", "n=6"},
	{"adder", "n=16"},
	{"php", "n=7"},
}

// An operation is to decide one formula.
func BenchmarkSolve(b *testing.B) {
	for _, c := range benchmarks {
		b.Run(c.family, func(b *testing.B) {
			f := ruletest.MakeFamily(b, c.family, 1, c.params)
			var total Stats
			for b.Loop() {
				s := New(Options{})
				s.AddFormula(f)
				s.Solve(NoLimit)
				total.Conflicts += s.Stats().Conflicts
				total.Propagations += s.Stats().Propagations
			}
			b.ReportMetric(float64(total.Conflicts)/float64(b.N), "conflicts")
			b.ReportMetric(float64(total.Conflicts)/b.Elapsed().Seconds(), "conflicts/s")
			b.ReportMetric(float64(total.Propagations)/b.Elapsed().Seconds()/1e6, "Mpropagations/s")
		})
	}
}
