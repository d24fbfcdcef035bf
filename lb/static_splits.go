package lb

import (
	"math"
	"math/bits"

	"treesplit/search"
)

// The number of splits that the static scheme needs, by the theory of Sanders, "Randomized
// Static Load Balancing for Tree-Shaped Computations". In that theory a split bisects a
// subproblem of size T into xT and (1−x)T. x is drawn independently, with mean 1/2 and
// standard deviation σ, 0 ≤ σ ≤ 1/2. All sizes here are fractions of the whole. The names of
// the theorems are the paper's. The reasons given in the comments are our own.

// PartVariance returns the variance of the size of a part after k splits, if the part is drawn
// by a path of random bits: (σ²+1/4)^k − 4^−k (theorem 1). The mean is 2^−k. O(1).
func PartVariance(sigma float64, k int) float64 {
	// 4^−k((4σ²+1)^k − 1), in a form that loses no digits if σ is small.
	return math.Expm1(float64(k)*math.Log1p(4*sigma*sigma)) * math.Pow(0.25, float64(k))
}

// LargestPart returns the mean size of the largest part after k splits according to theorem 2:
// (σ+1/2)^k. If x is always 1/2−σ or 1/2+σ, every tree has a part of this size. Under other
// laws the mean differs: it is smaller at first (0.95 times the value for x uniform, σ = 0.05
// and k = 10), and may be larger after many splits (1.15 times at k = 60). LargestPartBound
// holds for all laws.
func LargestPart(sigma float64, k int) float64 { return math.Pow(sigma+0.5, float64(k)) }

// LargestPartBound returns an upper bound of the mean size of the largest part after k splits,
// under every law: (2σ²+1/2)^(k/2). The reason: the square of the largest size is at most the
// sum of the squares of all 2^k sizes, whose mean is 2^k(σ²+1/4)^k. The bound is never below
// LargestPart. Theorem 5 chooses k such that it is ε/P.
func LargestPartBound(sigma float64, k int) float64 {
	return math.Pow(2*sigma*sigma+0.5, float64(k)/2)
}

// LoadVariance returns an upper bound of the variance of the load of a rank that holds m of
// the 2^k parts, drawn at random: m times the variance of one part (theorem 3). The parts of
// one tree add up to 1. So parts drawn without repetition have a slightly smaller variance, by
// the factor 1 − (m−1)/(2^k−1).
func LoadVariance(sigma float64, k int, m float64) float64 { return m * PartVariance(sigma, k) }

// SplitsFor returns the number of splits k after which 2^k/ranks random parts for each rank
// make the mean of the largest load at most (1+2ε)/ranks (theorem 5):
//
//	k = 2(n − log ε)/log(1/(2σ²+1/2)), n = log ranks, logarithms to the base 2,
//
// rounded up. The result is at least ⌈n⌉, one part per rank, and at most search.MaxSplits. It
// requires 0 ≤ σ ≤ 1/2, ranks ≥ 1 and ε > 0. Splits are free in the theorem; the caller must
// take their cost into account.
//
// The reason: by theorem 3 the loads have a deviation of at most ε/ranks^(3/2), and the mean
// of the largest of ranks numbers exceeds their mean by at most √ranks deviations. The k is
// larger than necessary, because loads are rarely distributed so unfavourably.
func SplitsFor(sigma float64, ranks int, epsilon float64) int {
	n := math.Log2(float64(ranks))
	k := 2 * (n - math.Log2(epsilon)) / math.Log2(1/(2*sigma*sigma+0.5))
	if k = math.Ceil(max(k, n)); k < search.MaxSplits {
		return int(k)
	}
	return search.MaxSplits // σ = 1/2: no number of splits is enough
}

// CheapestSplits returns the number of splits k with the least expected time of a static start on work of a
// number of nodes. The nodes on the way to a part are expanded again for this part: perSplit nodes for each split,
// at least one in all. The time of a run, as a multiple of the mean load of a rank, is
//
//	1 + 2^k·max(1, k·perSplit)/nodes + max(√(2 ln P)·δ, (σ+1/2)^k·P − 1),
//
// where δ is the relative standard deviation of the loads (theorem 3). √(2 ln P) deviations are the mean
// excess of the largest of P normal variables. The second bound is the mean excess of the largest part alone,
// from which theorem 4 follows. The result is at least ⌈log2 P⌉ and at most search.MaxSplits. It requires 0 ≤ σ ≤
// 1/2 and ranks ≥ 1. O(search.MaxSplits).
func CheapestSplits(sigma float64, ranks int, nodes, perSplit float64) int {
	p := float64(ranks)
	least := bits.Len(uint(ranks - 1))
	best, at := math.Inf(1), least
	for k := least; k <= search.MaxSplits; k++ {
		parts := math.Ldexp(1, k)
		ways := parts * max(1, perSplit*float64(k)) / max(nodes, 1)
		uneven := math.Sqrt(2*math.Log(p)*LoadVariance(sigma, k, parts/p)) * p
		if t := ways + max(uneven, LargestPart(sigma, k)*p-1); t < best {
			best, at = t, k
		}
	}
	return at
}

// EstimateSigma returns σ, estimated from the sizes of parts sampled after k splits by solving
// theorem 1 for σ: c² = variance/mean² gives (4σ²+1)^k = 1+c². Parts without a node must be
// included. It returns 1/2 and !ok if an estimate is impossible: fewer than two sizes, none
// above 0, or k = 0.
//
// With m samples c² cannot exceed m. If (4σ²+1)^k is more than about m, the estimate of σ is
// therefore too small: the few large parts that cause the variance are not among the samples.
func EstimateSigma(sizes []int64, k int) (sigma float64, ok bool) {
	sum := 0.0
	for _, s := range sizes {
		sum += float64(s)
	}
	m := float64(len(sizes))
	if m < 2 || sum == 0 || k < 1 {
		return 0.5, false
	}
	squares := 0.0 // of the distances from the mean, in units of the mean
	for _, s := range sizes {
		d := float64(s)*m/sum - 1
		squares += d * d
	}
	growth := math.Expm1(math.Log1p(squares/(m-1)) / float64(k))
	return min(math.Sqrt(growth)/2, 0.5), true
}
