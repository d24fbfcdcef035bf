package gf2perm

import "testing"

// All dimensions are permutations. For k ≤ 20 the test examines all elements. For larger k it
// relies on the fact that m_j is odd and below 2^j, which makes the matrix triangular with
// ones on the diagonal.
func TestSobolDirections(t *testing.T) {
	largest := 20
	if testing.Short() {
		largest = 14
	}
	for d := 1; d <= Dimensions; d++ {
		for k := 1; k <= largest; k++ {
			checkPermutation(t, NewSobol(k, d, nil))
		}
		for j, m := range directionNumbers(MaxBits, d) {
			if m&1 == 0 || m>>(j+1) != 0 {
				t.Errorf("dimension %d: m_%d = %d, want odd and below 2^%d", d, j+1, m, j+1)
			}
		}
	}
}

// The polynomials are primitive, and no two dimensions are equal.
func TestSobolPolynomials(t *testing.T) {
	seen := map[[2]uint64]bool{}
	for _, p := range polynomials {
		tail := p.inner<<1 | 1
		if order := uint64(1)<<p.degree - 1; !isPrimitive(tail, p.degree, primes(order)) {
			t.Errorf("x^%d + %#x is not primitive", p.degree, tail)
		}
		if at := [2]uint64{uint64(p.degree), p.inner}; seen[at] {
			t.Errorf("the polynomial %v occurs twice", at)
		} else {
			seen[at] = true
		}
		if len(p.m) != p.degree {
			t.Errorf("x^%d + %#x has %d first numbers", p.degree, tail, len(p.m))
		}
	}
	if len(polynomials)+1 != Dimensions {
		t.Errorf("%d polynomials for %d dimensions", len(polynomials), Dimensions)
	}
}

// Any aligned run of 2^m positions has one element in each of the 2^m equal parts
// of 0..2^k-1, shifted or not.
func TestSobolStrata(t *testing.T) {
	const k = 12
	for d := 1; d <= Dimensions; d++ {
		c := NewSobol(k, d, stream(uint64(d)))
		for m := 1; m <= k; m++ {
			for from := uint64(0); from < 1<<k; from += 1 << m {
				seen := make([]bool, 1<<m)
				for i := range uint64(1) << m {
					part := c.At(from+i) >> (k - m)
					if seen[part] {
						t.Fatalf("dimension %d, positions %d to %d: two elements in part %d of %d", d, from, from+1<<m-1, part, 1<<m)
					}
					seen[part] = true
				}
			}
		}
	}
}

// The first elements in the order of the Gray code, as eighths. Dimension 1 is van der
// Corput's; dimensions 2 and 3 are computed by hand from the recurrence.
func TestSobolFirst(t *testing.T) {
	for d, want := range [][]uint64{
		1: {0, 4, 6, 2, 3, 7, 5, 1},
		2: {0, 4, 2, 6, 3, 7, 1, 5},
		3: {0, 4, 2, 6, 5, 1, 7, 3},
	} {
		for i, a := range want {
			if got := NewSobol(3, d, nil).At(uint64(i)); got != a {
				t.Errorf("dimension %d, position %d: %d, want %d", d, i, got, a)
			}
		}
	}
}
