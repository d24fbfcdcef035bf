package lb_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"treesplit/gf2perm"
	"treesplit/lb"
	"treesplit/search"
	"treesplit/search/model"
)

// These tests compare the theorems of Sanders, "Randomized Static Load Balancing for
// Tree-Shaped Computations", with work that splits as the theorems assume. Sizes are fractions
// of a whole of 2^60 nodes, so that rounding to whole nodes makes no difference.

const wholeNodes = 1 << 60

func parts(law model.Law, sigma float64, seed uint64) *model.Binary {
	b, err := model.NewBinary(model.Halving{Nodes: wholeNodes, Law: law, Sigma: sigma, Seed: seed}, false)
	if err != nil {
		panic(err)
	}
	return b
}

// sizesOf returns the sizes of the 2^k parts of a tree as fractions.
func sizesOf(b *model.Binary, k int, dst []float64) []float64 {
	dst = dst[:0]
	for s := range b.PartSizes(k) {
		dst = append(dst, float64(s)/wholeNodes)
	}
	return dst
}

// sample collects numbers and computes their mean and its standard error.
type sample struct{ n, sum, squares float64 }

func (s *sample) add(x float64) { s.n++; s.sum += x; s.squares += x * x }
func (s *sample) mean() float64 { return s.sum / s.n }
func (s *sample) err() float64 { // the standard error of the mean
	return math.Sqrt(max(s.squares/s.n-s.mean()*s.mean(), 0) / max(s.n-1, 1))
}

// within reports whether the mean equals x within five standard errors and rounding.
func (s *sample) within(x float64) bool { return math.Abs(s.mean()-x) <= 5*s.err()+1e-9*x }

var lawsAndSigmas = []struct {
	law   model.Law
	sigma float64
}{
	{model.TwoPoint, 0}, {model.TwoPoint, 0.1}, {model.TwoPoint, 0.28}, {model.TwoPoint, 0.45},
	{model.Uniform, 0.1}, {model.Uniform, 0.2}, {model.Uniform, 1 / math.Sqrt(12)},
	{model.Beta, 0.05}, {model.Beta, 0.2}, {model.Beta, 0.35}, {model.Beta, 0.45},
}

// R1: the mean and the variance of a part after k splits are 2^−k and (σ²+1/4)^k − 4^−k. The
// test uses the mean of one part drawn from each tree, and the variance of all parts.
// Reference: Sanders, static load balancing, theorem 1.
func TestR1SizeOfAPart(t *testing.T) {
	trees := 600
	if testing.Short() {
		trees = 150
	}
	rng := rand.New(rand.NewPCG(1, 1))
	var all []float64
	for _, c := range lawsAndSigmas {
		for _, k := range []int{1, 2, 4, 8, 11} {
			var one, squares sample
			for seed := range trees {
				all = sizesOf(parts(c.law, c.sigma, uint64(seed)), k, all)
				sum := 0.0
				for _, x := range all {
					sum += x * x
				}
				one.add(all[rng.IntN(len(all))] * math.Ldexp(1, k))
				squares.add(sum * math.Ldexp(1, -k)) // the expectation of the square of a random part
			}
			want := lb.PartVariance(c.sigma, k) + math.Pow(0.25, float64(k))
			// The standard error by theorem 1. If it is large, the few parts that determine it
			// are not sampled.
			slack := math.Sqrt(lb.PartVariance(c.sigma, k)/float64(trees)) * math.Ldexp(1, k)
			if slack < 0.2 && math.Abs(one.mean()-1) > 5*slack+1e-9 {
				t.Errorf("%v, σ = %.2f, k = %d: the mean part is %.3f of 2^−k, want 1 ± %.3f", c.law, c.sigma, k, one.mean(), slack)
			}
			if !squares.within(want) || squares.err() > 0.1*want {
				t.Errorf("%v, σ = %.2f, k = %d: mean square %.4g ± %.2g, want %.4g", c.law, c.sigma, k, squares.mean(), squares.err(), want)
			}
		}
	}
}

// R2: the mean of the largest part after k splits is (σ+1/2)^k if x is always 1/2−σ or 1/2+σ.
// Under other laws it differs. It is smaller for few splits; for k = 1 it is 1/2 + E|x−1/2|.
// It is never larger than LargestPartBound. Reference: Sanders, static load balancing, theorem
// 2.
func TestR2LargestPart(t *testing.T) {
	for _, c := range lawsAndSigmas {
		for _, k := range []int{1, 5, 10, 14} {
			trees := min(2000, 1<<20>>k)
			if testing.Short() {
				trees = min(2000, 1<<17>>k)
			}
			var largest sample
			for seed := range trees {
				most := int64(0)
				for s := range parts(c.law, c.sigma, uint64(seed)).PartSizes(k) {
					most = max(most, s)
				}
				largest.add(float64(most) / wholeNodes)
			}
			theorem, bound := lb.LargestPart(c.sigma, k), lb.LargestPartBound(c.sigma, k)
			t.Logf("%v, σ = %.2f, k = %d: the largest part is %.3f of the value of theorem 2, %.3f of the bound", c.law, c.sigma, k, largest.mean()/theorem, largest.mean()/bound)
			if c.law == model.TwoPoint {
				if math.Abs(largest.mean()/theorem-1) > 1e-6 {
					t.Errorf("σ = %.2f, k = %d: the largest part is %v, want %v", c.sigma, k, largest.mean(), theorem)
				}
				continue
			}
			if largest.mean() > 0.99*theorem || largest.mean() > bound {
				t.Errorf("%v, σ = %.2f, k = %d: the largest part is %v, by theorem 2 it is %v, the bound is %v", c.law, c.sigma, k, largest.mean(), theorem, bound)
			}
		}
	}
}

// R2, continued: after many splits the mean of the largest part exceeds the value of theorem
// 2. Finally it is not the largest half of each split that matters, but the best of 2^k paths.
// There are too many parts to list them. But the distribution of the largest part follows from
// the distribution after one split less: the largest part of a tree is x times the largest of
// its first half, or 1−x times the largest of its second half. Sizes are rounded down, so that
// the computed mean is at most the true one. Reference: Sanders, static load balancing,
// theorem 2.
func TestR2LargestPartAfterManySplits(t *testing.T) {
	for _, c := range []struct {
		sigma       float64
		k           int
		least, most float64 // relative to the value of theorem 2
	}{{0.05, 10, 0.92, 0.98}, {0.05, 60, 1.1, 1.2}, {0.2, 60, 0.7, 0.9}} {
		ratio := meanLargest(c.sigma, c.k) / lb.LargestPart(c.sigma, c.k)
		t.Logf("uniform, σ = %.2f, k = %d: the largest part is at least %.3f of the value of theorem 2", c.sigma, c.k, ratio)
		if ratio < c.least || ratio > c.most {
			t.Errorf("uniform, σ = %.2f, k = %d: the largest part is %.3f of the value of theorem 2, want %v to %v", c.sigma, c.k, ratio, c.least, c.most)
		}
	}
}

// meanLargest returns the mean of the largest part after k splits for x uniform, rounded down.
// above[z] is the probability that the largest part is at most e^(−z·step).
func meanLargest(sigma float64, k int) (mean float64) {
	const step, draws = 0.0005, 250
	var first, second [draws]int
	for i := range draws {
		x := 0.5 + math.Sqrt(3)*sigma*((2*float64(i)+1)/draws-1)
		first[i], second[i] = int(math.Ceil(-math.Log(x)/step)), int(math.Ceil(-math.Log(1-x)/step))
	}
	low, tail := 0, []float64{1} // tail[z-low]; 1 below low, 0 beyond the end
	at := func(z int) float64 {
		if z < low {
			return 1
		}
		if z-low >= len(tail) {
			return 0
		}
		return tail[z-low]
	}
	for range k {
		var next []float64
		begin := -1
		for z := low; ; z++ {
			p := 0.0
			for i := range draws {
				if a := at(z - first[i]); a > 0 {
					p += a * at(z-second[i]) / draws
				}
			}
			if p > 1-1e-12 {
				continue
			}
			if begin < 0 {
				begin = z
			}
			if p < 1e-12 {
				break
			}
			next = append(next, p)
		}
		low, tail = begin, next
	}
	mean = math.Exp(-float64(low-1) * step)
	for i, p := range tail { // the integral of e^−z over the probability of less
		mean -= p * (math.Exp(-float64(low+i-1)*step) - math.Exp(-float64(low+i)*step))
	}
	return mean
}

// dealers holds the methods of dealing parts: a true shuffle, and the permutations of gf2perm.
var dealers = []struct {
	name string
	make func(k int, rng *rand.Rand) gf2perm.Permutation
}{
	{"shuffle", func(k int, rng *rand.Rand) gf2perm.Permutation { return gf2perm.NewTable(k, rng) }},
	{"powers", func(k int, rng *rand.Rand) gf2perm.Permutation { return gf2perm.NewPowers(k, rng) }},
	{"sobol", func(k int, rng *rand.Rand) gf2perm.Permutation { return gf2perm.NewSobol(k, 2, rng) }},
}

// deal returns the loads of 2^n ranks, each of which has a run of positions.
func deal(sizes []float64, n int, order gf2perm.Permutation, loads []float64) []float64 {
	run := len(sizes) >> n
	loads = loads[:0]
	cursor := order.From(0)
	for range 1 << n {
		load := 0.0
		for range run {
			load += sizes[cursor.Next()]
		}
		loads = append(loads, load)
	}
	return loads
}

// R3: the variance of the load of m random parts is at most m((σ²+1/4)^k − 4^−k). Under a true
// shuffle it is this value times 1 − (m−1)/(2^k−1), because the parts of a tree add up to 1.
// Reference: Sanders, static load balancing, theorem 3.
func TestR3VarianceOfLoads(t *testing.T) {
	trees := 150
	if testing.Short() {
		trees = 40
	}
	const k = 12
	var sizes, loads []float64
	for _, c := range lawsAndSigmas[1:] {
		for _, n := range []int{3, 6, 9} {
			var variance [3]sample
			for seed := range trees {
				sizes = sizesOf(parts(c.law, c.sigma, uint64(seed)), k, sizes)
				rng := rand.New(rand.NewPCG(uint64(seed), 5))
				for i, d := range dealers {
					loads = deal(sizes, n, d.make(k, rng), loads)
					squares := 0.0
					for _, load := range loads {
						squares += (load - math.Ldexp(1, -n)) * (load - math.Ldexp(1, -n))
					}
					variance[i].add(squares * math.Ldexp(1, -n))
				}
			}
			m := math.Ldexp(1, k-n)
			bound := lb.LoadVariance(c.sigma, k, m)
			exact := bound * (1 - (m-1)/(1<<k-1))
			line := fmt.Sprintf("%v, σ = %.2f, n = %d: variance over the bound:", c.law, c.sigma, n)
			for i, d := range dealers {
				line += fmt.Sprintf(" %s %.3f ± %.3f", d.name, variance[i].mean()/bound, variance[i].err()/bound)
				if variance[i].mean() > bound+5*variance[i].err() {
					t.Errorf("%s: %v, σ = %.2f, n = %d: the variance is %.3f of the bound", d.name, c.law, c.sigma, n, variance[i].mean()/bound)
				}
			}
			t.Log(line)
			if !variance[0].within(exact) {
				t.Errorf("%v, σ = %.2f, n = %d: %.4g ± %.2g, want %.4g", c.law, c.sigma, n, variance[0].mean(), variance[0].err(), exact)
			}
		}
	}
}

// R4: with the k of theorem 5 the mean of the largest load is at most (1+2ε)2^−n. With one
// part per rank it is larger. Reference: Sanders, static load balancing, theorem 5.
func TestR4LargestLoad(t *testing.T) {
	mostSplits := 20
	if testing.Short() {
		mostSplits = 16
	}
	var sizes, loads []float64
	largest := func(law model.Law, sigma float64, n, k int) (s sample) {
		for seed := range uint64(max(2, min(40, 1<<20>>k))) {
			sizes = sizesOf(parts(law, sigma, seed), k, sizes)
			loads = deal(sizes, n, gf2perm.NewPowers(k, rand.New(rand.NewPCG(seed, 9))), loads)
			most := 0.0
			for _, load := range loads {
				most = max(most, load)
			}
			s.add(math.Ldexp(most, n))
		}
		return s
	}
	for _, sigma := range []float64{0.1, 0.2, 0.28, 0.35, 0.45} {
		for _, n := range []int{3, 6, 10} {
			for _, epsilon := range []float64{0.5, 0.2, 0.1} {
				k := lb.SplitsFor(sigma, 1<<n, epsilon)
				if k > mostSplits {
					t.Logf("σ = %.2f, n = %d, ε = %.1f: k = %d is out of reach", sigma, n, epsilon, k)
					continue
				}
				for _, law := range []model.Law{model.TwoPoint, model.Beta} {
					got, single := largest(law, sigma, n, k), largest(law, sigma, n, n)
					t.Logf("%v, σ = %.2f, n = %d, ε = %.1f: k = %d, the largest load is %.3f ± %.3f of the mean, %.2f with one part per rank", law, sigma, n, epsilon, k, got.mean(), got.err(), single.mean())
					if got.mean() > 1+2*epsilon || single.mean() < 1+2*epsilon && epsilon < 0.5 {
						t.Errorf("%v, σ = %.2f, n = %d, ε = %.1f: the largest load is %.3f, %.3f with one part per rank", law, sigma, n, epsilon, got.mean(), single.mean())
					}
				}
			}
		}
	}
}

// The number of splits is never below one part per rank and never above the largest possible
// one. It grows with σ, P and 1/ε, and otherwise equals the formula.
func TestSplitsFor(t *testing.T) {
	for _, c := range []struct {
		sigma   float64
		ranks   int
		epsilon float64
		want    int
	}{
		{0, 1024, 0.0625, 28}, {0, 1024, 0.05, 29}, {0.5, 2, 0.5, search.MaxSplits}, {0.49, 1 << 20, 0.1, search.MaxSplits},
		{0, 8, 4, 3}, {0.5, 2, 8, 1}, {0, 9, 100, 4}, {0.2, 64, 0.1, 24}, {0, 1, 0.5, 2}, {math.Sqrt(1. / 12), 8, 1, 11},
	} {
		if got := lb.SplitsFor(c.sigma, c.ranks, c.epsilon); got != c.want {
			t.Errorf("SplitsFor(%v, %d, %v) = %d, want %d", c.sigma, c.ranks, c.epsilon, got, c.want)
		}
	}
}

// If all sizes are known, theorem 1 gives the original σ.
func TestEstimateSigma(t *testing.T) {
	for _, c := range lawsAndSigmas {
		const k = 8
		var sizes []int64 // of many trees, because one tree has few large parts
		for seed := range uint64(400) {
			sizes = slices.AppendSeq(sizes, parts(c.law, c.sigma, seed).PartSizes(k))
		}
		if got, ok := lb.EstimateSigma(sizes, k); !ok || math.Abs(got-c.sigma) > 0.005 {
			t.Errorf("%v: σ = %v is estimated as %v, %v", c.law, c.sigma, got, ok)
		}
	}
	for _, c := range []struct {
		sizes []int64
		k     int
		want  float64
		ok    bool
	}{
		{nil, 3, 0.5, false}, {[]int64{5}, 3, 0.5, false}, {[]int64{0, 0, 0}, 3, 0.5, false}, {[]int64{1, 2}, 0, 0.5, false},
		{[]int64{7, 7, 7, 7}, 3, 0, true}, {[]int64{100, 0}, 1, 0.5, true}, {[]int64{1000, 0, 0, 0, 0, 0, 0, 0}, 3, 0.5, true},
	} {
		if got, ok := lb.EstimateSigma(c.sizes, c.k); math.Abs(got-c.want) > 1e-9 || ok != c.ok {
			t.Errorf("EstimateSigma(%v, %d) = %v, %v, want %v, %v", c.sizes, c.k, got, ok, c.want, c.ok)
		}
	}
}
