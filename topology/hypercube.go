package topology

import "math/bits"

// Hypercube connects ranks whose numbers differ in one bit. If P is not a power of two, it is
// the subgraph of the ranks 0 … P−1 (an incomplete hypercube, Katseff 1988). This subgraph is
// connected and keeps the Hamming distance: a path that first clears bits and then sets bits
// stays below P.
type Hypercube struct{ P int }

// Name returns "hypercube".
func (Hypercube) Name() string { return "hypercube" }

// Size returns P.
func (h Hypercube) Size() int { return h.P }

// Neighbours appends rank XOR 2^d for rising d, if that rank exists.
func (h Hypercube) Neighbours(rank int, dst []int) []int {
	for bit := 1; bit < h.P; bit <<= 1 {
		if n := rank ^ bit; n < h.P {
			dst = append(dst, n)
		}
	}
	return dst
}

// Distance returns the number of bits in which a and b differ.
func (Hypercube) Distance(a, b int) int { return bits.OnesCount(uint(a ^ b)) }
