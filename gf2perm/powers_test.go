package gf2perm

import "testing"

// Over all l, first exponents and positions of 0, every position holds every element equally
// often: no position of a random Powers reveals anything about its element.
func TestPowersAreUniformAtEveryPosition(t *testing.T) {
	for k := 1; k <= 5; k++ {
		order := uint64(1)<<k - 1
		counts := make([][]int, order+1)
		for i := range counts {
			counts[i] = make([]int, order+1)
		}
		made := 0
		for l := uint64(1); l <= order; l++ {
			if gcd(l, order) != 1 {
				continue
			}
			for first := range order {
				for zero := range order + 1 {
					made++
					p := newPowers(k, l, first, zero)
					checkPermutation(t, p)
					for i := range order + 1 {
						counts[i][p.At(i)]++
					}
				}
			}
		}
		for i := range counts {
			for a, n := range counts[i] {
				if n*len(counts) != made {
					t.Errorf("k = %d: element %d stands %d times at position %d, want %d/%d", k, a, n, i, made, len(counts))
				}
			}
		}
	}
}

// NewPowers draws uniformly from all of these: χ² with 7 degrees of freedom exceeds 50 with a
// probability below 1e-7.
func TestNewPowersIsUniformAtEveryPosition(t *testing.T) {
	const k, made = 3, 8000
	var counts [1 << k][1 << k]float64
	rng := stream(1)
	for range made {
		p := NewPowers(k, rng)
		for i := range counts {
			counts[i][p.At(uint64(i))]++
		}
	}
	for i := range counts {
		sum, expected := 0.0, float64(made)/(1<<k)
		for _, n := range counts[i] {
			sum += (n - expected) * (n - expected) / expected
		}
		if sum > 50 {
			t.Errorf("position %d holds the elements %v times, χ² = %.1f", i, counts[i], sum)
		}
	}
}
