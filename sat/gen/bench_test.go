package gen

import "testing"

// BenchmarkRandom makes a formula of the size that rule paper can still solve many
// times over: making it must not be noticed.
func BenchmarkRandom(b *testing.B) {
	for b.Loop() {
		generate(b, "random", "n=400 ratio=4.6", 1)
	}
}
