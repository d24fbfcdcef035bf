package ksbf

import "math"

// TreeRankTasks returns W_i(n), the number of tasks of the complete tree of n levels that run
// on rank i of p: the sum of C(n,k) over k ≡ i+1 (mod p), k ≥ 1 (theorem 2.1, (2.1)). As
// printed, without k ≥ 1, (2.1) is too large by one for i = p−1. n ≤ MaxTree. O(n²).
func TreeRankTasks(n, p, i int) int64 {
	row := make([]int64, n+1) // of Pascal's triangle
	row[0] = 1
	for range n {
		for k := n; k >= 1; k-- {
			row[k] += row[k-1]
		}
	}
	var sum int64
	for k := 1; k <= n; k++ {
		if (k-i-1)%p == 0 {
			sum += row[k]
		}
	}
	return sum
}

// TreeTaskCount returns 2^n−1, the number of tasks of the complete tree of n levels.
func TreeTaskCount(n int) int64 { return 1<<n - 1 }

// TreeSteps returns T_tree(n;p), the number of steps that KS-BF takes for the complete tree of
// n levels on p ranks: the maximum of W_i(n) + i over ranks with work, because rank i starts
// at step i and works without a gap (theorem 2.2). The printed bound, p + max W_i, is larger.
func TreeSteps(n, p int) int64 {
	var time int64
	for i := range p {
		if w := TreeRankTasks(n, p, i); w > 0 {
			time = max(time, w+int64(i))
		}
	}
	return time
}

// Alpha returns 2·|cos(π/p)|, the α_p of the proof of theorem 2.1. With this α_p, (2.2) is
// false for p = 2 and, for n = 3 and 9, for p = 3.
func Alpha(p int) float64 { return 2 * math.Abs(math.Cos(math.Pi/float64(p))) }

// TreeBound returns the bound of TreeSteps of theorem 1.1a, (2^n−1)/p + α_p^n + p, with Alpha.
func TreeBound(n, p int) float64 {
	return float64(TreeTaskCount(n))/float64(p) + math.Pow(Alpha(p), float64(n)) + float64(p)
}

// GridRankTasks returns the number of tasks of the grid of side n that run on rank i of p, in
// closed form (theorem 3.1, (3.3)). The division rounds down. A division that rounds towards 0
// would give −(i−n) instead of 0 if n < i.
func GridRankTasks(n, p, i int) int64 {
	q := int64(floorDivide(n-i, p))
	return (q+1)*int64(n-i) - int64(p)*q*(q+1)/2
}

// floorDivide returns ⌊a/b⌋, b > 0.
func floorDivide(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// GridTaskCount returns n(n+1)/2, the number of tasks of the grid of side n.
func GridTaskCount(n int) int64 { return int64(n) * int64(n+1) / 2 }

// GridSteps returns T_grid(n;p) = W_0(n), the number of steps that KS-BF takes for the grid of
// side n on p ranks (theorem 3.2).
func GridSteps(n, p int) int64 { return GridRankTasks(n, p, 0) }

// GridBound returns the bound of GridSteps of theorem 1.1b, C(n+1,2)/p + 3n/2 + 2.
func GridBound(n, p int) float64 {
	return float64(GridTaskCount(n))/float64(p) + 1.5*float64(n) + 2
}
