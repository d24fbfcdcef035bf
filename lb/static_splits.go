package lb

import (
	"math"

	"treesplit/search"
)

// How many splits the static scheme needs, by the theory of Sanders, "Randomized Static
// Load Balancing for Tree-Shaped Computations". There a split bisects a subproblem of
// size T into xT and (1−x)T, with x drawn independently, of mean 1/2 and standard
// deviation σ, 0 ≤ σ ≤ 1/2. All sizes here are fractions of the whole. The names of the
// theorems are the paper's; the reasons given in the comments are our own.

// PartVariance is the variance of a part after k splits, one drawn as by a path of
// random bits: (σ²+1/4)^k − 4^−k (theorem 1). Its mean is 2^−k. O(1).
func PartVariance(sigma float64, k int) float64 {
	// 4^−k((4σ²+1)^k − 1), which loses no digits where σ is small.
	return math.Expm1(float64(k)*math.Log1p(4*sigma*sigma)) * math.Pow(0.25, float64(k))
}

// LargestPart is the mean size that theorem 2 gives the largest part after k splits:
// (σ+1/2)^k. Where x is always 1/2−σ or 1/2+σ every tree has such a part. Under other laws
// the mean differs: it is less at first (0.95 of it for x uniform, σ = 0.05 and k = 10), and
// may be more after many splits (1.15 at k = 60). LargestPartBound holds for all.
func LargestPart(sigma float64, k int) float64 { return math.Pow(sigma+0.5, float64(k)) }

// LargestPartBound bounds the mean of the largest part after k splits under every law:
// (2σ²+1/2)^(k/2). For the square of the largest is at most the sum of the squares of
// all 2^k, whose mean is 2^k(σ²+1/4)^k. It is never below LargestPart, and theorem 5
// asks for the k that makes it ε/P.
func LargestPartBound(sigma float64, k int) float64 {
	return math.Pow(2*sigma*sigma+0.5, float64(k)/2)
}

// LoadVariance bounds the variance of the load of a rank that holds m of the 2^k
// parts, drawn at random: m times that of one part (theorem 3). Parts of one tree add
// up to 1, so that those drawn without repetition have a little less: by the factor
// 1 − (m−1)/(2^k−1).
func LoadVariance(sigma float64, k int, m float64) float64 { return m * PartVariance(sigma, k) }

// SplitsFor is the number of splits k after which 2^k/ranks random parts for each rank
// make the mean of the largest load at most (1+2ε)/ranks (theorem 5):
//
//	k = 2(n − log ε)/log(1/(2σ²+1/2)), n = log ranks, logarithms to the base 2,
//
// rounded up. It is at least ⌈n⌉, a part for every rank, and at most search.MaxSplits. It
// wants 0 ≤ σ ≤ 1/2, ranks ≥ 1 and ε > 0. Splits are free in the theorem: what they cost is
// the caller's to weigh.
//
// Why it is enough: by theorem 3 the loads then deviate by at most ε/ranks^(3/2), and the
// mean of the largest of some numbers is at most √ranks deviations above theirs. It asks
// for more than is needed, since loads are seldom spread so unfavourably.
func SplitsFor(sigma float64, ranks int, epsilon float64) int {
	n := math.Log2(float64(ranks))
	k := 2 * (n - math.Log2(epsilon)) / math.Log2(1/(2*sigma*sigma+0.5))
	if k = math.Ceil(max(k, n)); k < search.MaxSplits {
		return int(k)
	}
	return search.MaxSplits // σ = 1/2: no number of splits will do
}

// EstimateSigma finds σ from the sizes of parts sampled after k splits, by theorem 1
// solved for it: c² = variance/mean² gives (4σ²+1)^k = 1+c². Parts without a node count.
// It fails, and returns 1/2, where there is nothing to go by: fewer than two sizes,
// none above 0, or k = 0.
//
// Of m samples c² cannot exceed m, so that a σ of which (4σ²+1)^k is more than about m
// comes out too small: the few large parts that make the variance are not among them.
func EstimateSigma(sizes []int64, k int) (sigma float64, ok bool) {
	sum := 0.0
	for _, s := range sizes {
		sum += float64(s)
	}
	m := float64(len(sizes))
	if m < 2 || sum == 0 || k < 1 {
		return 0.5, false
	}
	squares := 0.0 // of the distances from the mean, in means
	for _, s := range sizes {
		d := float64(s)*m/sum - 1
		squares += d * d
	}
	growth := math.Expm1(math.Log1p(squares/(m-1)) / float64(k))
	return min(math.Sqrt(growth)/2, 0.5), true
}
