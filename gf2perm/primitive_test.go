package gf2perm

import (
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// mul multiplies in GF(2)[x] modulo x^k + tail, bit by bit: the simple routine against which
// the tables are checked.
func mul(a, b, tail uint64, k int) (product uint64) {
	for ; b != 0; b >>= 1 {
		if b&1 == 1 {
			product ^= a
		}
		carry := a >> (k - 1) & 1
		a = a << 1 & (1<<k - 1)
		if carry == 1 {
			a ^= tail
		}
	}
	return product
}

// pow returns a^e modulo x^k + tail.
func pow(a, e, tail uint64, k int) uint64 {
	power := uint64(1)
	for ; e != 0; e >>= 1 {
		if e&1 == 1 {
			power = mul(power, a, tail, k)
		}
		a = mul(a, a, tail, k)
	}
	return power
}

// x returns the polynomial x modulo x^k + tail, which for k = 1 is the constant tail.
func x(tail uint64, k int) uint64 {
	if k == 1 {
		return tail & 1
	}
	return 2
}

// primes returns the prime factors of n, each once, by trial division and then Pollard's rho.
// A factor counts as prime if math/big accepts it, which is exact below 2^64.
func primes(n uint64) (factors []uint64) {
	for p := uint64(2); p < 1000 && p*p <= n; p++ {
		if n%p == 0 {
			factors = append(factors, p)
		}
		for n%p == 0 {
			n /= p
		}
	}
	if n == 1 {
		return factors
	}
	if new(big.Int).SetUint64(n).ProbablyPrime(0) {
		return append(factors, n)
	}
	d := divisor(n)
	factors = append(factors, primes(d)...)
	factors = append(factors, primes(n/d)...)
	slices.Sort(factors)
	return slices.Compact(factors)
}

// divisor returns a proper divisor of the composite number n by Pollard's rho.
func divisor(n uint64) uint64 {
	for c := uint64(1); ; c++ {
		step := func(a uint64) uint64 {
			high, low := bits.Mul64(a, a)
			low, carry := bits.Add64(low, c, 0)
			return bits.Rem64(high+carry, low, n)
		}
		slow, fast, d := uint64(2), uint64(2), uint64(1)
		for d == 1 {
			slow, fast = step(slow), step(step(fast))
			d = gcd(max(slow, fast)-min(slow, fast), n)
		}
		if d != n {
			return d
		}
	}
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// isPrimitive reports whether x has order 2^k-1 modulo x^k + tail. If so, the powers of x are
// all residues except 0. Then each residue has an inverse, and the polynomial is irreducible
// too.
func isPrimitive(tail uint64, k int, factors []uint64) bool {
	order := uint64(1)<<k - 1
	if pow(x(tail, k), order, tail, k) != 1 {
		return false
	}
	return !slices.ContainsFunc(factors, func(p uint64) bool { return pow(x(tail, k), order/p, tail, k) == 1 })
}

// isIrreducible is Rabin's test of f = x^k + tail: f divides x^(2^k) - x and is prime to
// x^(2^(k/p)) - x for every prime p that divides k.
func isIrreducible(tail uint64, k int) bool {
	frobenius := func(n int) uint64 {
		a := x(tail, k)
		for range n {
			a = mul(a, a, tail, k)
		}
		return a
	}
	if frobenius(k) != x(tail, k) {
		return false
	}
	return !slices.ContainsFunc(primes(uint64(k)), func(p uint64) bool {
		return polynomialGCD(uint64(1)<<k|tail, frobenius(k/int(p))^2) != 1
	})
}

// polynomialGCD is Euclid's algorithm in GF(2)[x].
func polynomialGCD(a, b uint64) uint64 {
	for b != 0 {
		for bits.Len64(a) >= bits.Len64(b) {
			a ^= b << (bits.Len64(a) - bits.Len64(b))
		}
		a, b = b, a
	}
	return a
}

// For every k, the product of the primes found, with their powers, is 2^k-1, the polynomial is
// irreducible, and x has full order.
func TestTailsArePrimitive(t *testing.T) {
	for k := 1; k <= MaxBits; k++ {
		order := uint64(1)<<k - 1
		factors, rest := primes(order), order
		for _, p := range factors {
			if !new(big.Int).SetUint64(p).ProbablyPrime(20) {
				t.Errorf("k = %d: %d is not prime", k, p)
			}
			for rest%p == 0 {
				rest /= p
			}
		}
		if rest != 1 {
			t.Errorf("k = %d: the primes %v leave %d of %d", k, factors, rest, order)
		}
		if tails[k]>>k != 0 || !isIrreducible(tails[k], k) {
			t.Errorf("k = %d: x^k + %#x is reducible", k, tails[k])
		}
		if !isPrimitive(tails[k], k, factors) {
			t.Errorf("k = %d: x^k + %#x is not primitive", k, tails[k])
		}
	}
}

// The tests above can fail: x^4+x^3+x^2+x+1 is irreducible but x has order 5; x^4+x^2+1 is a
// square.
func TestPrimitivityIsTold(t *testing.T) {
	if !isIrreducible(0xf, 4) || isPrimitive(0xf, 4, primes(15)) {
		t.Error("x^4+x^3+x^2+x+1 is irreducible and not primitive")
	}
	if isIrreducible(0x5, 4) {
		t.Error("x^4+x^2+1 = (x^2+x+1)^2 is reported as irreducible")
	}
}

// Tables and bitwise multiplication agree.
func TestLinear(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for k := 1; k <= MaxBits; k++ {
		square := newSquare(k)
		for range 50 {
			a, b := rng.Uint64()>>(64-k), rng.Uint64()>>(64-k)
			if got, want := newMultiplication(a, k).applyToWord(b), mul(a, b, tails[k], k); got != want {
				t.Fatalf("k = %d: %#x · %#x = %#x, want %#x", k, a, b, got, want)
			}
			if got, want := square.applyToWord(a), mul(a, a, tails[k], k); got != want {
				t.Fatalf("k = %d: %#x² = %#x, want %#x", k, a, got, want)
			}
		}
	}
}
