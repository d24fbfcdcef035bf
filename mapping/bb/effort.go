package bb

import "fmt"

// Effort is how many elementary steps, of a nanosecond or a few, searching takes. Strategies
// look at the world after so many, and problems whose single nodes take seconds, as those of
// many processors or of objects that communicate with very many others do, are not
// searched at all.

const (
	mostNode    = 1 << 27 // steps of a node
	mostDescent = 1 << 28 // steps of placing all objects once
	lookSteps   = 1 << 20 // steps between two looks at the world, unless a node takes more
	lookNodes   = 32      // nodes at most: about half a millisecond for 100 objects
)

// effort bounds the steps that an instance's searches take. They are sums of products too
// large for integers where the problem is absurd.
type effort struct {
	node    float64 // to expand a node: an object is placed and taken back on every processor
	descent float64 // to place all objects, one after the other
}

// measureEffort works out the effort of an instance. O(n + a) time.
func (in *Instance) measureEffort() (e effort) {
	p := float64(in.p)
	// To refresh what an object is charged takes P steps, and P for each group of it.
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

// checkLimits refuses too much of it.
func (e effort) checkLimits() error {
	switch {
	case e.node > mostNode:
		return fmt.Errorf("a node of the search takes about %.0f steps: expected at most %d", e.node, mostNode)
	case e.descent > mostDescent:
		return fmt.Errorf("to place all objects takes about %.0f steps: expected at most %d", e.descent, mostDescent)
	}
	return nil
}

// nodesPerLook is how many nodes of so many steps are expanded between two looks.
func nodesPerLook(steps float64) int { return int(min(max(lookSteps/max(steps, 1), 1), lookNodes)) }

// NodesPerLook is how many nodes to expand between two looks at the world: 32, which take about
// half a millisecond for 100 objects, or fewer where nodes take long.
func (in *Instance) NodesPerLook() int { return nodesPerLook(in.effort.node) }

// lookBestFirst is the same for a best-first search, which may have to place all objects
// again for a node.
func (in *Instance) lookBestFirst() int { return nodesPerLook(in.effort.node + 2*in.effort.descent) }
