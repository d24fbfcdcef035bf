package lb

import (
	"math"

	"treesplit/topology"
)

// plan is the list of phases of a cycle of poll and shuffle. It is the same on every rank and
// does not change. With d = ⌊log2 P⌋ the phases are: a fold unless P = 2^d, the dimensions of
// the hypercube of ranks below 2^d, nearest first, and the fold again.
//
// The network determines the number of polled dimensions (section 4 of the paper). On a
// hypercube all dimensions are polled. On a mesh of r dimensions all except the last r·log2
// log2 P, the farthest, are polled (4.1). On a fat tree the first ⌈√(log2 P)⌉ are polled
// (4.2). At least one is polled. A ring counts as a mesh of one dimension, other networks as
// hypercubes. If the decision to shuffle involves all ranks, the other dimensions are not left
// out: in them ranks exchange reports at once, without work. Each report costs a message over
// a long distance, but busy ranks work until it arrives.
type plan struct {
	size  int
	dims  int // d
	polls int // number of phases of a cycle with polling
	cycle []phase
	// exchange follows the cycle if a permutation is drawn exactly (exchange).
	exchange []phase
	// global reports whether the phases of the cycle include every dimension, so that at its
	// end each rank has information, directly or indirectly, from all ranks.
	global bool
	// generators is the set of pseudorandom permutations whose products shuffle.
	generators *generators
}

// phase is one phase of a plan.
type phase struct {
	dim  int8 // the dimension of the partner, or plan.dims for the fold
	kind phaseKind
}

// phaseKind is the activity of ranks in a phase.
type phaseKind uint8

const (
	polling    phaseKind = iota // work, report, and give work to an idle partner
	telling                     // report
	scattering                  // pass on items (exchange)
	counting                    // add up items (exchange)
)

// planKey holds the parameters that determine a plan.
type planKey struct {
	network topology.Topology
	always  bool
	exact   bool
	seed    uint64
}

// planForOptions returns the plan for a rank's options. Ranks with the same Permutations share
// one plan.
func (p *Permutations) planForOptions(o *Options, size int) *plan {
	network := o.Network
	if network == nil {
		network = topology.Hypercube{P: size}
	}
	key := planKey{network, o.Trigger == TriggerAlways, o.Permutation == exactPermutation, o.Seed}
	if made, ok := p.plans[key]; ok {
		return made
	}
	if p.plans == nil {
		p.plans = map[planKey]*plan{}
	}
	made := newPlan(network, key.always, size)
	if !key.exact && size > 1 {
		made.generators = newGenerators(p, o.Seed, size)
	}
	p.plans[key] = made
	return made
}

// newPlan returns the plan for a network.
func newPlan(network topology.Topology, always bool, size int) *plan {
	order := topology.DimsByDistance(network)
	p := &plan{size: size, dims: len(order)}
	polled := polledDims(network, p.dims)
	p.global = polled == p.dims || !always
	folds := size > 1<<p.dims
	if folds {
		p.cycle = append(p.cycle, phase{int8(p.dims), polling})
		p.exchange = append(p.exchange, phase{int8(p.dims), scattering})
	}
	for i, d := range order {
		switch {
		case i < polled:
			p.cycle = append(p.cycle, phase{int8(d), polling})
		case p.global:
			p.cycle = append(p.cycle, phase{int8(d), telling})
		}
		p.exchange = append(p.exchange, phase{int8(d), scattering})
	}
	if folds {
		p.cycle = append(p.cycle, phase{int8(p.dims), polling})
	}
	for _, d := range order {
		p.exchange = append(p.exchange, phase{int8(d), counting})
	}
	for _, f := range p.cycle {
		if f.kind == polling {
			p.polls++
		}
	}
	return p
}

// polledDims returns the number of the d dimensions that are polled on a network.
func polledDims(network topology.Topology, d int) int {
	if d == 0 {
		return 0
	}
	polled := float64(d)
	log := math.Log2(float64(network.Size()))
	switch m := network.(type) {
	case topology.Ring:
		polled -= math.Round(math.Log2(log))
	case topology.Mesh:
		polled -= math.Round(2 * math.Log2(log))
	case topology.MeshR:
		polled -= math.Round(float64(m.R) * math.Log2(log))
	case topology.FatTree:
		polled = math.Ceil(math.Sqrt(log))
	}
	return min(max(int(polled), 1), d)
}

// partnerAlong returns the partner of a rank along a dimension or in the fold, or −1.
func (p *plan) partnerAlong(rank int, dim int8) int {
	low := 1 << p.dims
	switch {
	case int(dim) < p.dims && rank < low:
		return rank ^ 1<<dim
	case int(dim) == p.dims && rank >= low:
		return rank - low
	case int(dim) == p.dims && rank+low < p.size:
		return rank + low
	}
	return -1
}

// meetingDimension returns the dimension along which two ranks meet, or −1.
func (p *plan) meetingDimension(a, b int) int {
	for d := range p.dims + 1 {
		if p.partnerAlong(a, int8(d)) == b {
			return d
		}
	}
	return -1
}
