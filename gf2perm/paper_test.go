package gf2perm

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// (x^l)^1 … (x^l)^(2^k-1) modulo a primitive polynomial of degree k, with l prime to 2^k-1,
// are all of 1..2^k-1. The test computes all powers for every l of k ≤ 8 and for some l up to
// k = 16. If l shares a factor with 2^k-1, the powers must not be all elements. Reference:
// Sanders, "Randomized Static Load Balancing", the pseudorandom permutation (R5).
func TestR5PowersRunThroughAll(t *testing.T) {
	for k := 1; k <= 8; k++ {
		for l := uint64(1); l < 1<<k; l++ {
			checkPowers(t, k, l)
		}
	}
	largest, rng := 16, stream(5)
	if testing.Short() {
		largest = 12
	}
	for k := 9; k <= largest; k++ {
		for range 5 {
			checkPowers(t, k, 1+rng.Uint64N(1<<k-1))
		}
	}
}

// checkPowers multiplies 1 by x^l, bit by bit, until the product is 1 again.
func checkPowers(t *testing.T, k int, l uint64) {
	t.Helper()
	order, g := uint64(1)<<k-1, pow(x(tails[k], k), l, tails[k], k)
	length, a := uint64(0), uint64(1)
	var c Cursor = &PowersCursor{}
	if gcd(l, order) == 1 {
		c = newPowers(k, l, 1%order, order).From(0)
	}
	for {
		a = mul(a, g, tails[k], k)
		length++
		if gcd(l, order) == 1 {
			if got := c.Next(); got != a {
				t.Fatalf("k = %d, l = %d: power %d is %#x, want %#x", k, l, length, got, a)
			}
		}
		if a == 1 {
			break
		}
	}
	// The powers before the first 1 are all different, so their number is the number of
	// elements that they reach.
	if want := order / gcd(l, order); length != want {
		t.Errorf("k = %d, l = %d: %d powers until 1, want %d of %d", k, l, length, want, order)
	}
}

// The same for every k up to 63, for which computing all powers is infeasible. x^l has full
// order because no power of it by (2^k-1)/p is 1, for every prime p. Reference: Sanders,
// "Randomized Static Load Balancing", the pseudorandom permutation (R5).
func TestR5FullOrder(t *testing.T) {
	for k := 2; k <= MaxBits; k++ {
		order := uint64(1)<<k - 1
		for seed := range uint64(5) {
			p := NewPowers(k, stream(seed))
			g := p.times.applyToWord(1)
			if pow(g, order, tails[k], k) != 1 {
				t.Errorf("k = %d, seed %d: g^(2^k-1) is not 1", k, seed)
			}
			for _, prime := range primes(order) {
				if pow(g, order/prime, tails[k], k) == 1 {
					t.Errorf("k = %d, seed %d: the order of g divides (2^k-1)/%d", k, seed, prime)
				}
			}
		}
	}
}

// The next element costs O(k) word operations, here at most ⌈k/8⌉ look-ups with an effect (the
// tables of higher bytes are empty). The first element is computed by square-and-multiply and
// equals the power that plain exponentiation gives. Reference: Sanders, "Randomized Static
// Load Balancing", the pseudorandom permutation (R5).
func TestR5NextAndStart(t *testing.T) {
	rng := stream(7)
	for k := 1; k <= MaxBits; k++ {
		p := NewPowers(k, rng)
		for _, table := range p.times[(k+7)/8:] {
			if table != [256]uint64{} {
				t.Errorf("k = %d: more than %d look-ups have an effect", k, (k+7)/8)
			}
		}
		start, g := pow(p.times.applyToWord(1), p.first, tails[k], k), p.times.applyToWord(1)
		for range 20 {
			i := rng.Uint64N(1 << k)
			want := uint64(0)
			switch {
			case i < p.zero:
				want = mul(start, pow(g, i, tails[k], k), tails[k], k)
			case i > p.zero:
				want = mul(start, pow(g, i-1, tails[k], k), tails[k], k)
			}
			if got := p.From(i).Next(); got != want {
				t.Errorf("k = %d: the run from %d starts with %#x, want %#x", k, i, got, want)
			}
		}
	}
}

// generators are methods that make a generating set of permutations of 2^k.
var generators = map[string]func(k int, rng *rand.Rand) Permutation{
	"tables": func(k int, rng *rand.Rand) Permutation { return NewTable(k, rng) },
	"powers": func(k int, rng *rand.Rand) Permutation { return NewPowers(k, rng) },
	"shifts": func(k int, rng *rand.Rand) Permutation { return shifted{NewSobol(k, 1, nil), rng.Uint64N(1 << k)} },
}

// generate returns a set of m generators.
func generate(name string, m, k int, rng *rand.Rand) []Permutation {
	set := make([]Permutation, m)
	for j := range set {
		set[j] = generators[name](k, rng)
	}
	return set
}

// image returns the set of ranks to which p moves the first quarter of all ranks.
func image(p Permutation) func(rank uint64) bool {
	in := make([]bool, 1<<p.Bits())
	for i := range len(in) / 4 {
		in[p.At(uint64(i))] = true
	}
	return func(rank uint64) bool { return in[rank] }
}

// A shuffle must break up clusters. The busy quarter of the ranks may be a block, a stride, or
// the result of an earlier shuffle by the same set. After the shuffle, the busy ranks are
// spread over blocks of 32 ranks as by a truly random permutation. Products of three out of
// four generators achieve this, both for truly random tables and for powers in GF(2^k). Shifts
// are too regular as generators and do not, so the choice of the set matters. The test takes
// averages over 10 sets and 40 products of each. Reference: Sanders, "Better Algorithms for
// Parallel Backtracking", section 3.2 (S6).
func TestS6ProductsShuffleLikeRandom(t *testing.T) {
	const k, sets = 10, 10
	for name := range generators {
		t.Run(name, func(t *testing.T) {
			var block, stride, left float64
			for seed := range uint64(sets) {
				rng := stream(seed)
				set := generate(name, 4, k, rng)
				block += meanSpread(set, 3, func(rank uint64) bool { return rank < 1<<k/4 }, rng) / sets
				stride += meanSpread(set, 3, func(rank uint64) bool { return rank%4 == 0 }, rng) / sets
				left += meanSpread(set, 3, image(DrawProduct(set, 3, rng)), rng) / sets
			}
			t.Logf("spread of random: block %.3f, stride %.3f, left by a shuffle %.3f", block, stride, left)
			if name == "shifts" {
				if block < 2 || left < 2 {
					t.Error("shifts break up clusters: the test detects nothing")
				}
				return
			}
			for _, ratio := range []float64{block, stride, left} {
				if ratio < 0.9 || ratio > 1.1 {
					t.Errorf("the spread over blocks is %.3f of a random permutation's", ratio)
				}
			}
		})
	}
}

// The limit of the claim: m generators have only m^f products of f. The cluster that one
// product would make adjacent becomes adjacent with probability m^-f. With m = 4 and f = 2 the
// worst cluster has about 1 + 31/16 times the spread of a random permutation. Two more factors
// hide the effect. Reference: Sanders, "Better Algorithms for Parallel Backtracking", section
// 3.2 (S6).
func TestS6WorstCluster(t *testing.T) {
	const k, sets = 10, 10
	var two, four float64
	for seed := range uint64(sets) {
		rng := stream(seed)
		set := generate("tables", 4, k, rng)
		worst := DrawProduct(set, 2, rng)
		busy := func(rank uint64) bool { return worst.At(rank) < 1<<k/4 }
		two += meanSpread(set, 2, busy, rng) / sets
		four += meanSpread(set, 4, busy, rng) / sets
	}
	if two < 1.5 || four < 0.9 || four > 1.1 {
		t.Errorf("spread of random: %.2f with two factors, want about 3; %.2f with four, want about 1", two, four)
	}
}

// All 64 products of three out of four generators are different permutations.
// Reference: Sanders, "Better Algorithms for Parallel Backtracking", section 3.2 (S6).
func TestS6ProductsAreDistinct(t *testing.T) {
	for _, name := range []string{"tables", "powers"} {
		checkDistinct(t, generate(name, 4, 8, stream(3)))
	}
}

// meanSpread returns the average of spread over 40 products of f generators.
func meanSpread(set []Permutation, f int, busy func(rank uint64) bool, rng *rand.Rand) (mean float64) {
	const products = 40
	for range products {
		mean += spread(DrawProduct(set, f, rng), busy) / products
	}
	return mean
}

// spread returns the variance of the number of busy ranks in a block of 32 positions, divided
// by its expectation under a truly random permutation (hypergeometric).
func spread(p Permutation, busy func(rank uint64) bool) float64 {
	const block = 32.0
	n := float64(uint64(1) << p.Bits())
	counts, total := make([]float64, int(n/block)), 0.0
	for i := range uint64(n) {
		if busy(i) {
			counts[p.At(i)/block]++
			total++
		}
	}
	share, sum := total/n, 0.0
	for _, c := range counts {
		sum += (c - block*share) * (c - block*share)
	}
	return sum / float64(len(counts)) / (block * share * (1 - share) * (n - block) / (n - 1))
}

// checkDistinct fails unless all products of three generators differ.
func checkDistinct(t *testing.T, generators []Permutation) {
	t.Helper()
	var seen [][]uint64
	for _, a := range generators {
		for _, b := range generators {
			for _, c := range generators {
				p := &Product{factors: []Permutation{a, b, c}}
				elements := make([]uint64, 1<<p.Bits())
				for i := range elements {
					elements[i] = p.At(uint64(i))
				}
				if slices.ContainsFunc(seen, func(other []uint64) bool { return slices.Equal(other, elements) }) {
					t.Error("two products are the same permutation")
				}
				seen = append(seen, elements)
			}
		}
	}
}

// shifted is a rotation by a fixed number: a bad generator.
type shifted struct {
	Permutation
	by uint64
}

func (s shifted) At(i uint64) uint64 { return (i + s.by) & (1<<s.Bits() - 1) }
