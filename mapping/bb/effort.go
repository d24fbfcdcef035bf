package bb

import "fmt"

// Effort is the number of elementary steps of a search, of a few nanoseconds each. Strategies
// check after a number of steps whether to stop. Problems whose single nodes take seconds are not
// searched at all: problems with very many processors, or with objects that communicate with very
// many others.

const (
	mostNode    = 1 << 27 // steps of a node
	mostDescent = 1 << 28 // steps of placing all objects once
	lookSteps   = 1 << 20 // steps between two checks, unless a node takes more
	lookNodes   = 32      // largest number of nodes: about half a millisecond for 100 objects
)

// effort bounds the steps of an instance's searches. The steps are floating-point numbers,
// because extreme problems give products too large for integers.
type effort struct {
	node    float64 // to expand a node: one object is placed on and removed from every processor
	descent float64 // to place all objects, one after the other
}

// measureEffort computes the effort of an instance. O(n + a) time.
func (in *Instance) measureEffort() (e effort) {
	p := float64(in.p)
	// Refreshing the charges of an object takes P steps, and P for each of its groups.
	refresh := func(i int32) float64 { return p * float64(1+len(in.hears[i])+len(in.speaks[i])) }
	group := make([]float64, len(in.groups)) // to refresh all objects of a group
	for k, g := range in.groups {
		group[k] = refresh(g.sender)
		for _, i := range g.receivers {
			group[k] += refresh(i)
		}
	}
	for i := range int32(len(in.problem.Objects)) {
		place := p
		for _, l := range in.links[i] {
			place += refresh(l.other)
		}
		for _, k := range in.speaks[i] {
			place += group[k]
		}
		for _, k := range in.hears[i] {
			place += group[k]
		}
		e.descent += place
		e.node = max(e.node, 2*p*place)
	}
	return e
}

// checkLimits returns an error if the effort is too large.
func (e effort) checkLimits() error {
	switch {
	case e.node > mostNode:
		return fmt.Errorf("a node of the search takes about %.0f steps: expected at most %d", e.node, mostNode)
	case e.descent > mostDescent:
		return fmt.Errorf("to place all objects takes about %.0f steps: expected at most %d", e.descent, mostDescent)
	}
	return nil
}

// nodesPerLook returns the number of nodes of the given steps to expand between two checks.
func nodesPerLook(steps float64) int { return int(min(max(lookSteps/max(steps, 1), 1), lookNodes)) }

// NodesPerLook returns the number of nodes to expand between two checks whether to stop: 32,
// which take about half a millisecond for 100 objects, or fewer if nodes take long.
func (in *Instance) NodesPerLook() int { return nodesPerLook(in.effort.node) }

// lookBestFirst returns the same number for a best-first search, which may have to place all
// objects again for a node.
func (in *Instance) lookBestFirst() int { return nodesPerLook(in.effort.node + 2*in.effort.descent) }
