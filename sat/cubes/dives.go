package cubes

import (
	"math/rand/v2"
	"slices"

	"treesplit/sat"
)

// Dives estimate the tree of look-ahead. A dive goes from the root to a leaf and chooses each child
// with equal probability. A node at depth d stands for 2^d nodes. So dives tell, for each cut, how
// many nodes are cubes, and what look-ahead above the cubes costs.
//
// Source: D. E. Knuth, Estimating the efficiency of backtrack programs, 1975.

// Limits of the dives.
const (
	leastDives  = 4
	mostDives   = 96
	longestDive = 400        // nodes
	divingSteps = 60_000_000 // steps of look-ahead after which dives are few and short
)

// point is a node of a dive.
type point struct {
	entered float64 // measure before look-ahead
	measure float64 // and after it; of a leaf: entered
	above   float64 // steps of look-ahead above the node, times the nodes for which they stand
	look    float64 // the same at the node
	weight  float64 // number of nodes for which the node stands
	literal int32   // of the decision that leads to the node
}

// dives are random paths through the tree of look-ahead. All paths begin below the root.
type dives [][]point

// makeDives makes the dives. It returns nil if the root is a leaf.
func (s *sampler) makeDives() (all dives) {
	if s.isRootLeaf() {
		return nil
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for len(all) == 0 || !s.isHalted() && (s.walk.Steps() < divingSteps && len(all) < mostDives || len(all) < leastDives) {
		all = append(all, s.diveOnce(rng, s.branch))
	}
	return all
}

// diveOnce goes from the root to a leaf, and back to the root.
func (s *sampler) diveOnce(rng *rand.Rand, branch int32) (points []point) {
	split, depth := s.walk.splitter, 0
	most := max(split.Steps(), divingSteps) + divingSteps/leastDives
	for outcome, above, weight := sat.Inner, 0.0, 1.0; outcome == sat.Inner && depth < longestDive && split.Steps() < most; {
		if depth > 0 && s.isHalted() {
			break
		}
		depth++
		weight *= 2
		p := point{above: above, weight: weight, literal: branch ^ int32(rng.IntN(2))}
		if !split.Enter(p.literal, nil) {
			break
		}
		before := split.Steps()
		p.entered = s.measureNode(depth)
		p.measure = p.entered
		if branch, outcome = split.Look(nil); outcome == sat.Inner {
			p.measure = s.measureNode(depth)
		}
		p.look = weight * float64(split.Steps()-before)
		points, above = append(points, p), above+p.look
	}
	for range depth {
		split.Back()
	}
	return points
}

// measureNode returns the measure of the node at which look-ahead is.
func (s *sampler) measureNode(depth int) float64 {
	return s.measure.measure(place{len(s.walk.splitter.Trail()), depth}, s.walk.atRoot, s.rule.MaxDepth())
}

// find returns the index of the first point of a dive with at least a measure, or -1.
func find(dive []point, x float64) int {
	return slices.IndexFunc(dive, func(p point) bool { return p.measure >= x })
}

// countNodes estimates the number of nodes with at least a measure that have no such node above them.
func (d dives) countNodes(x float64) (nodes float64) {
	for _, dive := range d {
		if i := find(dive, x); i >= 0 {
			nodes += dive[i].weight / float64(len(d))
		}
	}
	return nodes
}

// countSteps estimates the number of steps of look-ahead above the nodes that countNodes counts, and
// at the leaves without such a node.
func (d dives) countSteps(x float64) (steps float64) {
	for _, dive := range d {
		i := find(dive, x)
		if i < 0 {
			i = len(dive) - 1
		}
		if i < 0 {
			continue
		}
		steps += dive[i].above
		if dive[i].entered < x {
			steps += dive[i].look
		}
	}
	return steps / float64(len(d))
}

// values returns the measures of all points, in ascending order.
func (d dives) values() (all []float64) {
	for _, dive := range d {
		for _, p := range dive {
			all = append(all, p.entered, p.measure)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
