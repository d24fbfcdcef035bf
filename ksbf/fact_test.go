package ksbf

import (
	"math"
	"testing"
)

// Fact 3.2 of Gao and Rosenberg: W_(i−1)(n) + i − 1 ≥ W_i(n) + i for i = 1 … p−1, so that
// W_0(n) > W_1(n) > … > W_(p−1)(n). The paper states it for all n. It holds if and only if
// n ≥ p−1, since ranks from n on have no work.
//
// The reason is tested too: without its first i columns a grid of side n is one of side n−i,
// so that rank i does the work that rank 0 does there, W_i(n) = W_0(n−i). Where n ≥ p−1 the
// work of all ranks lies within n/2 + p/8 of the mean C(n+1,2)/p, which is sharper than
// (3.2)'s 3n/2 + 2; and there alone (3.3) is right with a division that rounds towards 0.
// Reference: Gao and Rosenberg, section 3.
func TestFact32(t *testing.T) {
	eachGrid(func(n, p int) {
		s, _ := simulate(t, Grid{N: n}, p)
		all, truncated := true, true // whether for all ranks W_i(n) = W_0(n−i) is defined, and (3.3) is right
		mean := float64(GridTaskCount(n)) / float64(p)
		falls := true
		for i := 1; i < p; i++ {
			falls = falls && s.PerRank[i-1].Executed+int64(i)-1 >= s.PerRank[i].Executed+int64(i)
		}
		if falls != (n >= p-1) {
			t.Errorf("n = %d, p = %d: fact 3.2 holds: %v", n, p, falls)
		}
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
