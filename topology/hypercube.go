package topology

import "math/bits"

// Hypercube joins ranks whose numbers differ in one bit. Where P is not a power
// of two it is the subgraph on ranks 0 … P−1 (an incomplete hypercube, Katseff
// 1988), which is connected and keeps the Hamming distance: a path that first
// clears bits and then sets them stays below P.
type Hypercube struct{ P int }

// Name returns "hypercube".
func (Hypercube) Name() string { return "hypercube" }

// Size returns P.
func (h Hypercube) Size() int { return h.P }

// Neighbours lists rank XOR 2^d for rising d, as far as they exist.
func (h Hypercube) Neighbours(rank int, dst []int) []int {
	for bit := 1; bit < h.P; bit <<= 1 {
		if n := rank ^ bit; n < h.P {
			dst = append(dst, n)
		}
	}
	return dst
}

// Distance is the number of bits in which a and b differ.
func (Hypercube) Distance(a, b int) int { return bits.OnesCount(uint(a ^ b)) }
