package objects

import "testing"

// Invalid benchmarks are refused.
func TestValidate(t *testing.T) {
	good := Benchmark{Objects: 5, Iterations: 2, Phases: 2, Work: 3, Sizes: "even", Bytes: 8, Start: "block"}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(b *Benchmark){
		"objects":    func(b *Benchmark) { b.Objects = 0 },
		"many":       func(b *Benchmark) { b.Objects = MaxObjects + 1 },
		"iterations": func(b *Benchmark) { b.Iterations = 0 },
		"phases":     func(b *Benchmark) { b.Phases = 0 },
		"too long":   func(b *Benchmark) { b.Iterations, b.Phases = 1<<20, 1<<20 },
		"work":       func(b *Benchmark) { b.Work = 0 },
		"much work":  func(b *Benchmark) { b.Work = 1 << 60 },
		"bytes":      func(b *Benchmark) { b.Bytes = 7 },
		"sizes":      func(b *Benchmark) { b.Sizes = "small" },
		"start":      func(b *Benchmark) { b.Start = "end" },
	} {
		b := good
		if change(&b); b.Validate() == nil {
			t.Errorf("%s: %+v was accepted", name, b)
		}
	}
}

// Sizes have the documented mean.
func TestSizes(t *testing.T) {
	for _, s := range Sizes {
		b := Benchmark{Objects: MaxObjects, Work: 1000, Sizes: s, Seed: 3}
		sum, most := 0, 0
		for _, n := range b.drawSizes() {
			if n < 1 {
				t.Errorf("%s: a size of %d", s, n)
			}
			sum, most = sum+n, max(most, n)
		}
		if mean := float64(sum) / MaxObjects; mean < 930 || mean > 1070 || most > largest*b.Work+1 {
			t.Errorf("%s: mean %v, most %d", s, mean, most)
		}
	}
}
