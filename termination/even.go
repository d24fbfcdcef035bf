package termination

import "math/bits"

// EvenExponent returns e such that 2^−e is the credit of leaf i of a binary tree with n leaves
// that is as even as possible. The credits of all leaves add up to 1. If n = 2^k + r with r <
// 2^k, the first 2r leaves have the credit 2^−(k+1) and the others 2^−k.
func EvenExponent(i, n int) int64 {
	k := bits.Len(uint(n)) - 1
	if i < 2*(n-1<<k) {
		k++
	}
	return int64(k)
}
