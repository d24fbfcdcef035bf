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
	// probeWaste bounds the nodes that are expanded more than once, as a fraction of W.
	probeWaste = 1. / 32
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
)

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
// the k of theorem 5 for ε = 0.05, unless that k is too expensive. The nodes on the ways to
// the parts are expanded again for every part; a way counts as at least one node. k is reduced
// until these nodes are at most 1/32 of W. k is at least ⌈log2 ranks⌉. fresh returns an empty
// share, whose counts are not added up. budget is the number of nodes that may be expanded,
// including the ways; the last part may exceed it. The same rng gives the same result.
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
func ProbeTree(fresh func() search.Bisecter, ranks int, budget int64, rng *rand.Rand) Probed {
	if ranks <= 1 {
		return Probed{}
	}
	least := bits.Len(uint(ranks - 1))
	p := &prober{fresh: fresh, rng: rng, budget: budget, level: least + 2}
	p.findLevel()
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
	budget int64
	spent  int64

	level     int
	sizes     []int64         // sizes of the parts sampled at this level
	open      []openPart      // the sampled parts with nodes left
	redundant int64           // nodes of other parts, on the ways
	spare     search.Bisecter // an empty share, or nil
}

// openPart is a part with nodes left.
type openPart struct {
	share search.Bisecter
	index int // in sizes
}

// findLevel finds the level and samples the first batch there.
func (p *prober) findLevel() {
	for {
		p.sizes, p.open, p.redundant = nil, nil, 0
		few := int(min(probeBatch, uint64(1)<<p.level) / 8)
		p.sampleBatch(few)
		if len(p.open) <= few || p.spent >= p.budget || p.level+2 > search.MaxSplits {
			return
		}
		p.level += 2
	}
}

// isSamplingOver reports whether no more parts will be sampled: all parts or the largest
// number of parts have been sampled, or half of the budget is spent.
func (p *prober) isSamplingOver() bool {
	n := len(p.sizes)
	return n >= probeParts || uint64(n)>>p.level > 0 || p.spent >= p.budget/2
}

// sampleBatch samples a part from each of a number of equal ranges, or all parts if there are
// few, in an order with large steps. It stops when more than mostOpen parts have nodes left.
func (p *prober) sampleBatch(mostOpen int) {
	parts := uint64(1) << p.level
	ranges := min(parts, probeBatch)
	for i := range ranges {
		if p.spent >= p.budget || len(p.open) > mostOpen {
			return
		}
		p.samplePart(i*37%ranges*(parts/ranges) + p.rng.Uint64N(parts/ranges))
	}
}

// samplePart begins a part.
func (p *prober) samplePart(part uint64) {
	share := p.spare
	if share == nil {
		share = p.fresh()
	}
	own, others := share.Bisect(p.level, part)
	p.spent += int64(own + others)
	p.redundant += int64(others)
	p.sizes = append(p.sizes, int64(own))
	if o := (openPart{share, len(p.sizes) - 1}); !p.expandPart(o, probeCut) {
		p.open, p.spare = append(p.open, o), nil
	}
}

// expandPart expands at most the given number of nodes of a part and reports whether the part
// is at its end. An empty share becomes the spare one.
func (p *prober) expandPart(o openPart, nodes int64) (ended bool) {
	if !o.share.Empty() && !search.Decided(o.share) {
		n := int64(o.share.Expand(int(nodes)))
		p.sizes[o.index] += n
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
	for nodes := int64(probeCut); len(p.open) > 0 && p.spent < p.budget; nodes *= 2 {
		left := p.open[:0]
		for _, o := range p.open {
			if p.spent >= p.budget || !p.expandPart(o, min(nodes, p.budget-p.spent)) {
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
	return deviation > probeError*mean || mean == 0
}

// chooseSplits returns the result with the chosen k.
func (p *prober) chooseSplits(ranks, least int) Probed {
	mean, _ := p.sizeMoments()
	r := Probed{Splits: least, Level: p.level, Parts: len(p.sizes), Cut: len(p.open), Spent: p.spent}
	r.Sigma, _ = EstimateSigma(p.sizes, p.level)
	if r.Parts == 0 {
		return r
	}
	r.Nodes = mean * math.Ldexp(1, p.level)
	perSplit := float64(p.redundant) / float64(r.Parts) / float64(p.level)
	for most := SplitsFor(r.Sigma, ranks, probeEpsilon); r.Splits < most; r.Splits++ {
		k := r.Splits + 1
		if math.Ldexp(max(1, perSplit*float64(k)), k) > probeWaste*r.Nodes {
			break
		}
	}
	return r
}
