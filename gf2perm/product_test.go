package gf2perm

import "testing"

// A product applies its factors one after another, beginning with the first.
func TestProductIsComposition(t *testing.T) {
	rng := stream(1)
	a, b, c := NewTable(6, rng), NewPowers(6, rng), NewSobol(6, 2, rng)
	p := &Product{factors: []Permutation{a, b, c}}
	for i := range uint64(1) << 6 {
		if got, want := p.At(i), c.At(b.At(a.At(i))); got != want {
			t.Errorf("At(%d) = %d, want %d", i, got, want)
		}
	}
}

// DrawProduct takes f generators, each of them about equally often.
func TestDraw(t *testing.T) {
	rng := stream(2)
	set := []Permutation{NewTable(3, rng), NewPowers(3, rng), NewSobol(3, 1, rng)}
	const f = 3000
	counts := map[Permutation]int{}
	for _, g := range DrawProduct(set, f, rng).factors {
		counts[g]++
	}
	total := 0
	for _, g := range set {
		if total += counts[g]; counts[g] < f/3-200 || counts[g] > f/3+200 { // 8 standard deviations
			t.Errorf("a generator is drawn %d times of %d", counts[g], f)
		}
	}
	if total != f {
		t.Errorf("%d factors, want %d", total, f)
	}
}

// DrawProduct refuses an empty product and generators of different k.
func TestDrawPanics(t *testing.T) {
	rng := stream(3)
	small, large := NewTable(3, rng), NewTable(4, rng)
	for name, draw := range map[string]func(){
		"no generators": func() { DrawProduct(nil, 1, rng) },
		"no factors":    func() { DrawProduct([]Permutation{small}, 0, rng) },
		"sizes differ":  func() { DrawProduct([]Permutation{small, large}, 64, rng) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: DrawProduct does not panic", name)
				}
			}()
			draw()
		}()
	}
}
