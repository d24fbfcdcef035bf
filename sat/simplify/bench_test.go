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
		b.Run(c.name+" "+c.params, func(b *testing.B) {
			f := ruletest.MakeFamily(b, c.name, 1, c.params)
			b.ResetTimer()
			for b.Loop() {
				Run(f, LookaheadTechniques())
			}
		})
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
		b.Run(c.name+" "+c.params, func(b *testing.B) {
			f := ruletest.MakeFamily(b, c.name, 1, c.params)
			b.ResetTimer()
			for b.Loop() {
				Run(f, LearningTechniques())
			}
		})
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
