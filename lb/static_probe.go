package lb

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"treesplit/search"
)

const (
	// ProbeNodes is a budget for ProbeTree that does for most trees.
	ProbeNodes = 1 << 17
	// probeEpsilon is ε of theorem 5: a largest load within 10 % of the mean will do.
	probeEpsilon = 0.05
	// probeWaste bounds the nodes expanded more than once, as a share of W.
	probeWaste = 1. / 32
	// probeBatch parts are sampled at a time, one from each of as many equal ranges; a
	// power of two.
	probeBatch = 64
	// probeParts is how many are sampled at most.
	probeParts = 1 << 14
	// probeCut is how many nodes of a part are expanded at first. Many small parts tell
	// more than a few large ones; smaller ones would cost less than the ways to them.
	probeCut = 128
	// probeError ends the sampling: the standard error of the mean, in means.
	probeError = 0.25
)

// Probed is what ProbeTree has found out about a tree.
type Probed struct {
	Splits int     // k to deal the tree out with
	Sigma  float64 // σ of its halvings, 0 to 1/2
	Nodes  float64 // W
	Level  int     // how many splits lead to the parts sampled
	Parts  int     // how many were sampled
	Cut    int     // of these, not searched to the end: Nodes and Sigma are then too low
	Spent  int64   // nodes expanded for all this
}

// ProbeTree looks at a tree to choose k for the static scheme: it expands parts sampled at
// one level, takes σ from their sizes (EstimateSigma) and W from their mean, and returns
// the k of theorem 5 for ε = 0.05; but not so many splits that the nodes on the ways to
// the parts, expanded for every part again, would be more than 1/32 of W; a way counts as
// a node at least. k is at least ⌈log2 ranks⌉. fresh makes an empty share, whose counts
// nobody adds up. budget is how many nodes may be expanded, the ways included; the last
// part may pass it. With the same rng it finds the same.
//
// It goes down from level ⌈log2 ranks⌉+2 until parts are small: at most one of eight in a
// batch has more than 128 nodes. There it takes batches until the mean is known to a
// quarter, and spends the rest of the budget on parts that are not at their end. Where a
// level has no more than 64 parts all are taken, and W is exact if they come to their
// end. Where a witness is met the part counts as far as it was searched.
//
// What it finds comes out low, W and more so σ, the heavier the largest parts weigh: they
// are not among those sampled, or cut. A W that is too low makes k smaller, by about its
// logarithm, and the waste with it.
//
// The paper takes σ as known and splits as free. Here the cost of the ways decides, but
// for trees beyond all reach: theorem 5 asks 29 splits for 1024 ranks even at σ = 0.
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
	sizes     []int64         // of the parts sampled at this level
	open      []openPart      // those of them with nodes left
	redundant int64           // nodes of other parts, on the ways
	spare     search.Bisecter // an empty share, or nil
}

// openPart is a part with nodes left.
type openPart struct {
	share search.Bisecter
	index int // in sizes
}

// findLevel finds the level and takes the first batch there.
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

// isSamplingOver reports whether no more parts are to be sampled: all have been, or as many as may be, or
// half of the budget is spent.
func (p *prober) isSamplingOver() bool {
	n := len(p.sizes)
	return n >= probeParts || uint64(n)>>p.level > 0 || p.spent >= p.budget/2
}

// sampleBatch samples a part from each of equal ranges, all parts where they are few, in an
// order that leaps. It breaks off when more than mostOpen parts have nodes left.
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

// samplePart begins with a part.
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

// expandPart goes on with a part, by at most so many nodes, and says whether it is at its end.
// A share that is empty then is the spare one.
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

// expandOpenParts spends the rest of the budget on the parts with nodes left, each in turn, twice
// as many nodes every time.
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

// sizeMoments returns the mean of the sizes and the standard error of it, 0 of fewer than two.
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

// isMeanVague reports whether the mean is not known well enough.
func (p *prober) isMeanVague() bool {
	mean, deviation := p.sizeMoments()
	return deviation > probeError*mean || mean == 0
}

// chooseSplits chooses k.
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
