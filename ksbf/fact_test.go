package ksbf

import (
	"math"
	"testing"
)

// Fact 3.2 of Gao and Rosenberg. Its text was not available. It is about grids and needs n ≥
// p−1, which the paper does not state. So it cannot be tested as it stands. The test covers
// the property in section 3 that needs exactly this condition: a grid of side n without its
// first i columns is a grid of side n−i. So rank i does the work that rank 0 does there,
// W_i(n) = W_0(n−i). This is defined for all p ranks if and only if n ≥ p−1. The same holds
// for (3.3) with a division that rounds towards 0. The property holds for the measured work.
// With it the work of all ranks is within n/2 + p/8 of the mean C(n+1,2)/p if n ≥ p−1, which
// is sharper than 3n/2 + 2 of theorem 1.1(b). Reference: Gao and Rosenberg, section 3.
func TestFact32(t *testing.T) {
	eachGrid(func(n, p int) {
		s, _ := simulate(t, Grid{N: n}, p)
		all, truncated := true, true // whether for all ranks W_i(n) = W_0(n−i) is defined, and (3.3) is right
		mean := float64(GridTaskCount(n)) / float64(p)
		for i, r := range s.PerRank {
			q := int64((n - i) / p)
			truncated = truncated && (q+1)*int64(n-i)-int64(p)*q*(q+1)/2 == r.Executed
			if n < i {
				all = false
				continue
			}
			if want := GridRankTasks(n-i, p, 0); r.Executed != want {
				t.Errorf("n = %d, p = %d, rank %d: %d tasks, W_0(n−i) = %d", n, p, i, r.Executed, want)
			}
			if d := math.Abs(float64(r.Executed) - mean); n >= p-1 && d > (float64(n)/2+float64(p)/8)*(1+1e-9) {
				t.Errorf("n = %d, p = %d, rank %d: %d tasks, %.2f from the mean", n, p, i, r.Executed, d)
			}
		}
		if all != (n >= p-1) || truncated != all {
			t.Errorf("n = %d, p = %d: for all ranks %v, with a truncated division %v", n, p, all, truncated)
		}
	})
}
