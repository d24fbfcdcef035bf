package gf2perm

import "testing"

// Over all l, first exponents and places of 0, every position holds every element
// equally often: no position of a random Powers tells anything of its element.
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
