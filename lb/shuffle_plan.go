package lb

import (
	"math"

	"treesplit/topology"
)

// plan is the list of phases that a cycle of poll and shuffle consists of, the same on
// every rank and never changed: with d = ⌊log2 P⌋, a fold unless P = 2^d, the
// dimensions of the hypercube of ranks below 2^d, nearest first, and the fold again.
//
// How many dimensions are polled is the network's (section 4 of the paper): all of
// them on a hypercube; on a mesh of r dimensions all but the last r·log2 log2 P, the
// farthest (4.1); on a fat tree the first ⌈√(log2 P)⌉ (4.2); at least one. A ring
// counts as a mesh of one dimension, and other networks as hypercubes. Where the
// decision to shuffle is one of all ranks the others are not left out: in them reports
// are exchanged at once and without work. They cost a message each, over the farthest
// ways, but busy ranks work on until it has come.
type plan struct {
	size  int
	dims  int // d
	polls int // phases of a cycle in which there is polling
	cycle []phase
	// exchange follows the cycle where a permutation is drawn exactly (exchange).
	exchange []phase
	// global says that the cycle's phases take in every dimension, so that at its end
	// each rank has heard, by way of others, from all.
	global bool
	// generators are the set of pseudorandom permutations whose products shuffle.
	generators *generators
}

// phase is one phase of a plan.
type phase struct {
	dim  int8 // that of the partner, or plan.dims for the fold
	kind phaseKind
}

// phaseKind is what ranks do in a phase.
type phaseKind uint8

const (
	polling    phaseKind = iota // work, report, and share
	telling                     // report
	scattering                  // pass on items (exchange)
	counting                    // add up items (exchange)
)

// planKey is what a plan is made from.
type planKey struct {
	network topology.Topology
	always  bool
	exact   bool
	seed    uint64
}

// planForOptions returns the plan for a rank's options, one for all that share Permutations.
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

// newPlan makes the plan for a network.
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

// polledDims is how many of d dimensions are polled on a network.
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

// partnerAlong is the rank that a rank meets along a dimension or in the fold, or −1.
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

// meetingDimension is the dimension along which two ranks meet, or −1.
func (p *plan) meetingDimension(a, b int) int {
	for d := range p.dims + 1 {
		if p.partnerAlong(a, int8(d)) == b {
			return d
		}
	}
	return -1
}
