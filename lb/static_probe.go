package lb

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"treesplit/search"
)

const (
	// ProbeNodes is a budget for ProbeTree that is sufficient for most trees.
	ProbeNodes = 1 << 17
	// probeEpsilon is ε of theorem 5: a largest load within 10 % of the mean is sufficient.
	probeEpsilon = 0.05
	// probeBatch is the number of parts in a batch of samples, one from each of as many equal
	// ranges; a power of two.
	probeBatch = 64
	// probeParts is the largest number of samples.
	probeParts = 1 << 14
	// probeCut is the number of nodes of a part that are expanded at first. Many small parts
	// give more information than a few large ones. Parts smaller than this would cost less
	// than the ways to them.
	probeCut = 128
	// probeError ends the sampling: the standard error of the mean, as a fraction of the mean.
	probeError = 0.25

	// roughParts parts of each second level are sampled at first, as far as roughCut nodes.
	roughParts, roughCut = 2, 16
	// fewSamples parts are necessary for an estimate of σ without the prior knowledge of usualSigma.
	fewSamples             = 16
	priorParts, priorSigma = 4, 0.2
	// leastProbe is the number of nodes that a probe may expand in the shortest run.
	leastProbe = 128
)

// ProbeBudget bounds a probe, and what the splits that it chooses may cost.
type ProbeBudget struct {
	Nodes int64 // that the probe may expand
	// Share bounds the probe, for which all ranks wait: to this part of the estimated time of the
	// run, W/ranks nodes, or to 128 nodes if that is more. 0: no such bound.
	Share float64
	// Waste is the part of W that may be expanded more than once, on the ways to parts. 0: as much
	// as pays. Schemes that balance the load after a static start need fewer parts.
	Waste float64
}

// Probed is the result of ProbeTree.
type Probed struct {
	Splits int     // k with which to deal the tree
	Sigma  float64 // σ of its halvings, 0 to 1/2
	Nodes  float64 // W
	Level  int     // number of splits that lead to the sampled parts
	Parts  int     // number of sampled parts
	Cut    int     // number of these that were not searched to the end: Nodes and Sigma are then too low
	Spent  int64   // nodes expanded by the probe
}

// ProbeTree samples a tree to choose k for the static scheme. It expands parts sampled at one
// level, and estimates σ from their sizes (EstimateSigma) and W from their mean. It returns
// the k of CheapestSplits, or the k of theorem 5 for ε = 0.05 if that is less. With a Waste, it
// returns the k of theorem 5, or the largest k whose ways are within the Waste. k is at least ⌈log2
// ranks⌉. fresh returns an empty share, whose counts are not added up. budget bounds the nodes that
// may be expanded, including the ways; the last part may exceed it. The same rng gives the same result.
//
// With a Share, two parts of each second level are sampled first, until one of them has at most 16
// nodes. If the bound that follows from this estimate is small, the probe continues at this level, and
// mixes σ with a usual value, because a few parts often have equal sizes by chance. Otherwise the
// probe starts again without these samples.
//
// ProbeTree begins at level ⌈log2 ranks⌉+2 and goes down until parts are small: at most one in
// eight parts of a batch has more than 128 nodes. At this level it samples batches until the
// standard error of the mean is at most a quarter of the mean. It spends the rest of the
// budget on parts that are not searched to their end. If a level has no more than 64 parts,
// all are sampled, and W is exact if all are searched to their end. If a witness is found, the
// part counts as far as it was searched.
//
// The estimates of W and, even more, of σ are too low if the largest parts are heavy, because
// these parts are not sampled, or not searched to their end. If W is too low, k is smaller by
// about the logarithm of the error, and so are the nodes expanded again.
//
// The paper assumes that σ is known and that splits are free. Here the cost of the ways
// determines k, except for trees far too large to search: theorem 5 requires 29 splits for
// 1024 ranks even at σ = 0.
func ProbeTree(fresh func() search.Bisecter, ranks int, budget ProbeBudget, rng *rand.Rand) Probed {
	if ranks <= 1 {
		return Probed{}
	}
	least := bits.Len(uint(ranks - 1))
	p := &prober{fresh: fresh, rng: rng, ranks: ranks, budget: budget, level: least + 2}
	if !p.estimateRoughly() {
		p.level = least + 2
		p.findLevel()
	}
	for more := true; more; more = !p.isSamplingOver() && p.isMeanVague() {
		for !p.isSamplingOver() && p.isMeanVague() {
			p.sampleBatch(probeParts)
		}
		p.expandOpenParts()
	}
	return p.chooseSplits(ranks, least)
}

// prober is a ProbeTree in progress.
type prober struct {
	fresh  func() search.Bisecter
	rng    *rand.Rand
	ranks  int
	budget ProbeBudget
	spent  int64
	least  float64 // nodes that the tree has at least, by a rough estimate

	level     int
	sizes     []int64         // sizes of the parts sampled at this level
	total     int64           // the sum of sizes
	open      []openPart      // the sampled parts with nodes left
	redundant int64           // nodes of other parts, on the ways
	spare     search.Bisecter // an empty share, or nil
}

// openPart is a part with nodes left.
type openPart struct {
	share search.Bisecter
	index int // in sizes
}

// limit returns the number of nodes that may be expanded, by the present estimate of W.
func (p *prober) limit() int64 {
	if p.budget.Share == 0 {
		return p.budget.Nodes
	}
	mean := float64(p.total) / float64(max(len(p.sizes), 1))
	share := p.budget.Share * max(math.Ldexp(mean, p.level), p.least) / float64(p.ranks)
	return int64(min(max(share, leastProbe), float64(p.budget.Nodes)))
}

// estimateRoughly goes down to the first level at which not all of a few parts have many nodes. It
// returns false if there is time for a better estimate.
func (p *prober) estimateRoughly() bool {
	if p.budget.Share == 0 {
		return false
	}
	for {
		p.sizes, p.total, p.open, p.redundant = nil, 0, nil, 0
		parts := uint64(1) << p.level
		for i := range uint64(roughParts) {
			p.samplePart(i*(parts/roughParts)+p.rng.Uint64N(parts/roughParts), roughCut)
		}
		if len(p.open) < roughParts || p.level+2 > search.MaxSplits {
			break
		}
		p.least = math.Ldexp(roughCut, p.level)
		p.level += 2
	}
	return p.limit() < probeBatch*probeCut
}

// findLevel finds the level and samples the first batch there.
func (p *prober) findLevel() {
	for {
		p.sizes, p.total, p.open, p.redundant = nil, 0, nil, 0
		few := int(min(probeBatch, uint64(1)<<p.level) / 8)
		p.sampleBatch(few)
		if len(p.open) <= few || p.spent >= p.limit() || p.level+2 > search.MaxSplits {
			return
		}
		p.level += 2
	}
}

// isSamplingOver reports whether no more parts will be sampled: all parts or the largest
// number of parts have been sampled, or half of the budget is spent.
func (p *prober) isSamplingOver() bool {
	n := len(p.sizes)
	return n >= probeParts || uint64(n)>>p.level > 0 || p.spent >= p.limitOfSampling()
}

// limitOfSampling returns the number of nodes after which no more parts are begun: half of the limit if
// there are parts with nodes left.
func (p *prober) limitOfSampling() int64 {
	if len(p.open) == 0 {
		return p.limit()
	}
	return p.limit() / 2
}

// sampleBatch samples a part from each of a number of equal ranges, or all parts if there are
// few, in an order with large steps. It stops when more than mostOpen parts have nodes left.
func (p *prober) sampleBatch(mostOpen int) {
	parts := uint64(1) << p.level
	ranges := min(parts, probeBatch)
	for i := range ranges {
		if p.spent >= p.limit() || len(p.open) > mostOpen {
			return
		}
		p.samplePart(i*37%ranges*(parts/ranges)+p.rng.Uint64N(parts/ranges), probeCut)
	}
}

// samplePart begins a part, and expands it as far as a number of nodes.
func (p *prober) samplePart(part uint64, cut int64) {
	share := p.spare
	if share == nil {
		share = p.fresh()
	}
	own, others := share.Bisect(p.level, part)
	p.spent += int64(own + others)
	p.redundant += int64(others)
	p.sizes = append(p.sizes, int64(own))
	p.total += int64(own)
	if o := (openPart{share, len(p.sizes) - 1}); !p.expandPart(o, cut) {
		p.open, p.spare = append(p.open, o), nil
	}
}

// expandPart expands at most the given number of nodes of a part and reports whether the part
// is at its end. An empty share becomes the spare one.
func (p *prober) expandPart(o openPart, nodes int64) (ended bool) {
	if !o.share.Empty() && !search.Decided(o.share) {
		n := int64(o.share.Expand(int(nodes)))
		p.sizes[o.index] += n
		p.total += n
		p.spent += n
	}
	switch {
	case search.Decided(o.share):
		p.spare = nil
		return true
	case o.share.Empty():
		p.spare = o.share
		return true
	}
	return false
}

// expandOpenParts spends the rest of the budget on the parts with nodes left. It expands each
// in turn, with twice as many nodes in each round.
func (p *prober) expandOpenParts() {
	for nodes := int64(probeCut); len(p.open) > 0 && p.spent < p.limit(); nodes *= 2 {
		left := p.open[:0]
		for _, o := range p.open {
			if limit := p.limit(); p.spent >= limit || !p.expandPart(o, min(nodes, limit-p.spent)) {
				left = append(left, o)
			}
		}
		p.open = left
	}
}

// sizeMoments returns the mean of the sizes and its standard error, which is 0 for fewer than
// two sizes.
func (p *prober) sizeMoments() (mean, deviation float64) {
	n := float64(len(p.sizes))
	for _, s := range p.sizes {
		mean += float64(s) / n
	}
	for _, s := range p.sizes {
		deviation += (float64(s) - mean) * (float64(s) - mean)
	}
	return mean, math.Sqrt(deviation / n / max(n-1, 1))
}

// isMeanVague reports whether the mean is not known precisely enough.
func (p *prober) isMeanVague() bool {
	mean, deviation := p.sizeMoments()
	return deviation > probeError*mean || mean == 0 || len(p.sizes) < min(2*roughParts, 1<<p.level)
}

// usualSigma returns σ, estimated from few parts, as if there were priorParts more of them, of a tree
// with priorSigma.
func usualSigma(sigma float64, parts, level int) float64 {
	growth := func(s float64) float64 { return math.Expm1(float64(level) * math.Log1p(4*s*s)) } // theorem 1
	mean := (float64(parts)*growth(sigma) + priorParts*growth(priorSigma)) / (float64(parts) + priorParts)
	return min(math.Sqrt(math.Expm1(math.Log1p(mean)/float64(level)))/2, 0.5)
}

// chooseSplits returns the result with the chosen k.
func (p *prober) chooseSplits(ranks, least int) Probed {
	mean, _ := p.sizeMoments()
	r := Probed{Splits: least, Level: p.level, Parts: len(p.sizes), Cut: len(p.open), Spent: p.spent}
	var ok bool
	if r.Sigma, ok = EstimateSigma(p.sizes, p.level); !ok {
		r.Sigma = priorSigma
	} else if r.Parts < fewSamples && p.budget.Share > 0 {
		r.Sigma = usualSigma(r.Sigma, r.Parts, p.level)
	}
	if r.Parts == 0 {
		return r
	}
	r.Nodes = max(mean*math.Ldexp(1, p.level), p.least)
	perSplit := float64(p.redundant) / float64(r.Parts) / float64(p.level)
	most := SplitsFor(r.Sigma, ranks, probeEpsilon)
	if p.budget.Waste == 0 {
		r.Splits = min(CheapestSplits(r.Sigma, ranks, r.Nodes, perSplit), most)
		return r
	}
	for ; r.Splits < most; r.Splits++ {
		k := r.Splits + 1
		if math.Ldexp(max(1, perSplit*float64(k)), k) > p.budget.Waste*r.Nodes {
			break
		}
	}
	return r
}
