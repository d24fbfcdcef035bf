package gf2perm

// tails holds, for every k, one primitive polynomial of degree k over GF(2): the powers of x
// modulo it are all 2^k-1 elements of GF(2^k) except 0. Bit j is the coefficient of x^j; the
// coefficient of x^k is always 1 and is left out. Each entry is the least number that gives a
// primitive polynomial, found by trial. A test proves this from the prime factors of 2^k-1.
var tails = [MaxBits + 1]uint64{
	1: 0x1, 2: 0x3, 3: 0x3, 4: 0x3, 5: 0x5, 6: 0x3, 7: 0x3, 8: 0x1d,
	9: 0x11, 10: 0x9, 11: 0x5, 12: 0x53, 13: 0x1b, 14: 0x2b, 15: 0x3, 16: 0x2d,
	17: 0x9, 18: 0x27, 19: 0x27, 20: 0x9, 21: 0x5, 22: 0x3, 23: 0x21, 24: 0x1b,
	25: 0x9, 26: 0x47, 27: 0x27, 28: 0x9, 29: 0x5, 30: 0x53, 31: 0x9, 32: 0xaf,
	33: 0x53, 34: 0xe7, 35: 0x5, 36: 0x77, 37: 0x3f, 38: 0x63, 39: 0x11, 40: 0x39,
	41: 0x9, 42: 0x3f, 43: 0x59, 44: 0x65, 45: 0x1b, 46: 0x12f, 47: 0x21, 48: 0xb7,
	49: 0x71, 50: 0x1d, 51: 0x4b, 52: 0x9, 53: 0x47, 54: 0x7d, 55: 0x47, 56: 0x95,
	57: 0x2d, 58: 0x63, 59: 0x7b, 60: 0x3, 61: 0x27, 62: 0x69, 63: 0x3,
}

// multiplyByX returns x·a in GF(2^k).
func multiplyByX(a uint64, k int) uint64 {
	carry := a >> (k - 1) // 0 or 1: the coefficient that becomes the one of x^k
	return (a<<1)&(1<<k-1) ^ -carry&tails[k]
}

// linear is a map of words of k bits that is linear over GF(2), stored as one table per byte:
// the image of a word is the sum of the images of its bytes. Multiplication by a fixed element
// of GF(2^k) and squaring are linear. Each costs ⌈k/8⌉ look-ups. A table takes 2 KiB.
type linear [][256]uint64

// newLinear returns the linear map with the image images(j) of 2^j for j < k. It calls images
// for j = 0, 1, … in this order.
func newLinear(k int, images func(j int) uint64) linear {
	m := make(linear, (k+7)/8)
	for j := range k {
		table, bit := &m[j/8], 1<<(j%8)
		image := images(j)
		for low := range bit {
			table[bit|low] = image ^ table[low]
		}
	}
	return m
}

// newMultiplication returns the multiplication by a in GF(2^k).
func newMultiplication(a uint64, k int) linear {
	return newLinear(k, func(int) uint64 {
		image := a
		a = multiplyByX(a, k)
		return image
	})
}

// newSquare returns squaring in GF(2^k). It is linear, because (a+b)² = a² + b² if 2 = 0.
func newSquare(k int) linear {
	image := uint64(1)
	return newLinear(k, func(j int) uint64 {
		if j > 0 {
			image = multiplyByX(multiplyByX(image, k), k)
		}
		return image
	})
}

// applyToWord returns the image of a. a must be below 2^k.
func (m linear) applyToWord(a uint64) (image uint64) {
	for i := range m {
		image ^= m[i][byte(a)]
		a >>= 8
	}
	return image
}
