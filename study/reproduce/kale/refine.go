package kale

import (
	"slices"

	"treesplit/mapping"
)

// The Refine of Radhakrishnan et al. (section 4) as the text describes it: objects move from busy
// processors to idle ones. The refine of package mapping also moves objects to the busiest
// processor if that saves communication, and exchanges two objects. It is so much better that table
// 1 would have a different result with it.
//
// The text does not specify which object moves where. In this implementation the busiest processor
// gives away one of the objects whose move makes it less busy: the one with the longest
// computation. The object moves to the first processor that stays below the average with it;
// communication is counted. Problems have no proxies.

// tolerated is the largest load of a processor that receives an object, relative to the average.
const tolerated = 1.02

// printedRefiner is a map that is being refined.
type printedRefiner struct {
	*mapping.Problem
	arcs [][]mapping.Arc // by object
	at   mapping.Map
	cost []int64
}

// newPrintedRefiner begins with a copy of a map.
func newPrintedRefiner(p *mapping.Problem, m mapping.Map) *printedRefiner {
	r := &printedRefiner{Problem: p, arcs: make([][]mapping.Arc, len(p.Objects)), at: slices.Clone(m), cost: p.EvaluateMap(m).Cost}
	for _, a := range p.Arcs {
		r.arcs[a.From], r.arcs[a.To] = append(r.arcs[a.From], a), append(r.arcs[a.To], a)
	}
	return r
}

// printedRefine refines a map. A processor that receives an object may become a little busier than
// the average, so that objects could circulate. Therefore the number of moves is limited.
func printedRefine(p *mapping.Problem, m mapping.Map) mapping.Map {
	r := newPrintedRefiner(p, m)
	for limit := 100 * len(m); limit > 0 && r.relieveBusiest(); limit-- {
	}
	return r.at
}

// relieveBusiest moves an object away from the busiest processor. ok is false if no object can
// move.
func (r *printedRefiner) relieveBusiest() (ok bool) {
	busy := int32(slices.Index(r.cost, slices.Max(r.cost)))
	sum := int64(0)
	for _, c := range r.cost {
		sum += c
	}
	average := float64(sum) / float64(len(r.cost))
	object, to, longest := -1, int32(0), int64(-1)
	for i, q := range r.at {
		if q != busy || r.Objects[i].Comp <= longest || r.costWithout(i, busy) >= r.cost[busy] {
			continue
		}
		for idle := range int32(len(r.cost)) {
			if float64(r.cost[idle]) < average && float64(r.costWithObject(i, idle)) < tolerated*average {
				object, to, longest = i, idle, r.Objects[i].Comp
				break
			}
		}
	}
	if object < 0 {
		return false
	}
	r.at[object] = to
	r.cost = r.EvaluateMap(r.at).Cost
	return true
}

// costWithout returns the cost of a processor after an object has left it.
func (r *printedRefiner) costWithout(i int, q int32) int64 { return r.cost[q] - r.addedCost(i, q) }

// costWithObject returns the cost of a processor with an object that is elsewhere.
func (r *printedRefiner) costWithObject(i int, q int32) int64 { return r.cost[q] + r.addedCost(i, q) }

// addedCost returns the cost that an object adds to a processor: its computation and its ends of
// arcs to other processors, minus the other ends of arcs to objects on the processor, which would
// be paid without it.
func (r *printedRefiner) addedCost(i int, q int32) int64 {
	ns := r.Objects[i].Comp
	for _, a := range r.arcs[i] {
		other, mine, theirs := a.To, a.Send, a.Receive
		if int(a.To) == i {
			other, mine, theirs = a.From, a.Receive, a.Send
		}
		if r.at[other] == q {
			ns -= theirs
		} else {
			ns += mine
		}
	}
	return ns
}
