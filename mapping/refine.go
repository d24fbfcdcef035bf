package mapping

import (
	"math"
	"slices"
)

// Refine (section 4) improves a map step by step until no step improves it. In a step an object
// leaves the busiest processor; or an object joins it, which helps if much communication becomes
// internal; or, only if neither helps, two objects change places. Refine takes the step after
// which the busiest of the changed processors is least busy. All changed processors must be less
// busy than the makespan was, so that no map occurs twice. The paper moves objects only from busy
// processors to idle ones.

// refineIncumbent improves the incumbent, which there must be. A step takes O(n/P · P · degree)
// time where a move helps, O(n²/P · degree) where only a swap does.
func refineIncumbent(in *Incumbent, g *graph) {
	r := refiner{loads: newLoads(g, in.Map), in: in}
	for in.Problem.Processors > 1 && !r.stopped && r.relieveBusiest() {
	}
	in.OfferMap(r.at, r.makespan())
}

// refiner looks for the best step.
type refiner struct {
	*loads
	in      *Incumbent
	best    int64 // cost of the busiest processor that the step changes
	i, q, j int32 // move i to q; if j is not Nowhere, then j to where i was
	stopped bool
	first   []change // scratch
}

// shouldStop reports whether the strategy is to end, and goes on saying so.
func (r *refiner) shouldStop() bool {
	r.stopped = r.stopped || r.in.CountSteps(r.work+1)
	r.work = 0
	return r.stopped
}

// relieveBusiest makes a step; !ok: there is none.
func (r *refiner) relieveBusiest() (ok bool) {
	r.best = r.makespan()
	before, p := r.best, int32(slices.Index(r.cost, r.best))
	for _, i := range r.movable {
		if r.shouldStop() {
			break
		}
		if r.at[i] != p && !r.hearsFrom(i, p) {
			r.considerMove(p, i, p)
			continue
		}
		for q := range int32(r.processors) {
			if r.shouldStop() {
				break
			}
			r.considerMove(p, i, q)
		}
	}
	if r.best == before && !r.stopped {
		r.considerSwaps(p)
	}
	if r.best == before {
		return false
	}
	p = r.at[r.i]
	r.moveObject(r.i, r.q)
	if r.j != Nowhere {
		r.moveObject(r.j, p)
	}
	return true
}

// hearsFrom reports whether an object receives in a proxy group that a processor sends, which
// may then pay less wherever the object goes.
func (r *refiner) hearsFrom(i, p int32) bool {
	return slices.ContainsFunc(r.hears[i], func(k int32) bool { return r.at[r.groups[k].sender] == p })
}

// considerMove makes a move the best step to relieve p if it is.
func (r *refiner) considerMove(p, i, q int32) {
	if r.at[i] == q {
		return
	}
	r.costChangesOfMove(i, q)
	r.changes.addChange(p, 0) // lest a move that leaves p as busy as it is be taken for a step
	if worst := r.worstCost(r.changes.all); worst < r.best {
		r.best, r.i, r.q, r.j = worst, i, q, Nowhere
	}
}

// considerSwaps looks through the swaps of a processor's objects.
func (r *refiner) considerSwaps(p int32) {
	for _, i := range r.movable {
		if r.at[i] != p {
			continue
		}
		for _, j := range r.movable {
			if r.shouldStop() {
				return
			}
			q, worst := r.at[j], int64(math.MaxInt64)
			switch {
			case q == p:
				continue
			case r.isInProxyGroup(i) || r.isInProxyGroup(j):
				r.first = append(r.first[:0], r.costChangesOfMove(i, q)...)
				r.moveObject(i, q)
				r.costChangesOfMove(j, p)
				for _, c := range r.first {
					r.changes.addChange(c.processor, 0)
				}
				worst = r.worstCost(r.changes.all)
				r.moveObject(i, p)
			default:
				first, second := r.costChangesOfSwap(i, j)
				worst = max(r.cost[p]+first, r.cost[q]+second)
			}
			if worst < r.best {
				r.best, r.i, r.q, r.j = worst, i, q, j
			}
		}
	}
}

// worstCost is the largest cost that changes lead to.
func (r *refiner) worstCost(all []change) (cost int64) {
	for _, c := range all {
		cost = max(cost, r.cost[c.processor]+c.by)
	}
	return cost
}
