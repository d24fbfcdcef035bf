package simplify

import (
	"testing"

	"treesplit/sat/ruletest"
)

// The cost at the size where a search takes about 100 ms, where simplification finds
// nothing and must cost nothing; of structured formulas; and of large ones.
func BenchmarkRun(b *testing.B) {
	for _, c := range []struct{ name, params string }{
		{"random", "n=250 ratio=4.6"},
		{"random", "n=1000 ratio=4.6"},
		{"random", "n=230000 ratio=4.3"},
		{"multiplier", "n=8"},
		{"adder", "n=64"},
		{"php", "n=10"},
		{"tseitin-torus", "r=8 c=8"},
		{"parity", "n=100000"},
	} {
		benchmarkRun(b, c.name, c.params, LookaheadTechniques())
	}
}

// The cost of elimination and vivification together with the others.
func BenchmarkLearning(b *testing.B) {
	for _, c := range []struct{ name, params string }{
		{"random", "n=250 ratio=4.6"},
		{"random", "n=230000 ratio=4.3"},
		{"multiplier", "n=8"},
		{"multiplier", "n=150"},
		{"adder", "n=4096"},
		{"php", "n=10"},
	} {
		benchmarkRun(b, c.name, c.params, LearningTechniques())
	}
}

func BenchmarkHostile(b *testing.B) {
	for name, f := range hostile(1_000_000) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Run(f, AllTechniques())
			}
		})
	}
}

// benchmarkRun measures Run on a formula of package gen.
func benchmarkRun(b *testing.B, family, params string, o Options) {
	b.Run(family+" "+params, func(b *testing.B) {
		f := ruletest.MakeFamily(b, family, 1, params)
		b.ResetTimer()
		for b.Loop() {
			Run(f, o)
		}
	})
}
