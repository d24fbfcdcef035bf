package mapping

import "math/rand/v2"

// Simulated annealing with incremental costs.
//
// The makespan alone is a poor objective: almost no move changes the busiest processor. So
// annealing minimises the energy Σ (cost/makespan of the incumbent)^e over processors. The energy
// falls when any busy processor is relieved, and processors some percent below the makespan
// hardly count. With 5 to 16 objects per processor, e = 64 was better than 8, 16, 32 and 256, and
// as good as 128 and as exponential functions; excess over a threshold was worse. With few
// objects, each object is so large a part of a processor's cost that it could not move under so
// steep an energy. So e is about 12 per object on a processor.
//
// The remaining time is unknown, so annealing runs in cycles from hot to cold. Each cycle is
// twice as long as the previous one and starts from the incumbent. So a complete cycle always had
// a quarter or more of the time.
//
// Source: S. Kirkpatrick, C. Gelatt, M. Vecchi, Optimization by Simulated Annealing,
// Science 220 (1983); the paper has no such strategy.

// Constants of a cycle. Temperatures are in units of the energy of a processor whose cost is the
// makespan.
const (
	hot        = 1.0
	cooling    = 0.9644
	coolings   = 128  // temperatures in a cycle: the last is 0.01
	perObject  = 1000 // steps per object in the first cycle
	lastCycles = 8    // cycles, if nothing stops the strategy
	stepWork   = 16   // elementary steps per step, in addition to those that loads counts; they take about the time of a step

	minDoublings, maxDoublings = 3, 6 // e = 2^doublings
)

// annealer is a map being annealed.
type annealer struct {
	*loads
	in        *Incumbent
	rng       *rand.Rand
	doublings int       // of the exponent
	scale     float64   // the incumbent's makespan
	energy    []float64 // of each processor
	over      int       // processors whose cost is at least the incumbent's makespan
	members   [][]int32 // by processor: its objects that may move
	place     []int32   // index of each object in its list
}

// ensureStartMap gives anneal a start map, if there is none.
func ensureStartMap(in *Incumbent, g *graph) {
	if in.Map == nil {
		commGreedy(in, g)
	}
}

// annealIncumbent improves the incumbent, which must have a map, until it is stopped.
func annealIncumbent(in *Incumbent, g *graph) {
	a := newAnnealer(in, g, newRandomStream(in.Options.Seed, 1))
	if a == nil {
		return
	}
	steps := perObject * len(g.movable)
	for cycle := 0; !in.ShouldStop() && (in.Options.Stop != nil || cycle < lastCycles); cycle++ {
		a.restartFromIncumbent()
		a.runCoolingCycle(steps)
		steps *= 2
	}
}

// newAnnealer returns an annealer of the incumbent; nil: nothing can be improved.
func newAnnealer(in *Incumbent, g *graph, rng *rand.Rand) *annealer {
	n, p := len(g.movable), in.Problem.Processors
	if n == 0 || p == 1 || in.Makespan == 0 {
		return nil
	}
	a := &annealer{
		loads: newLoads(g, in.Map), in: in, rng: rng,
		energy: make([]float64, p), members: make([][]int32, p), place: make([]int32, len(in.Map)),
	}
	for a.doublings = minDoublings; a.doublings < maxDoublings && p<<a.doublings < 12*n; {
		a.doublings++
	}
	return a
}

// restartFromIncumbent goes back to the incumbent.
func (a *annealer) restartFromIncumbent() {
	a.resetToMap(a.in.Map)
	for q := range a.members {
		a.members[q] = a.members[q][:0]
	}
	for _, i := range a.movable {
		a.listAtProcessor(i)
	}
	a.recomputeEnergies()
}

// recomputeEnergies computes all values that depend on the incumbent's makespan.
func (a *annealer) recomputeEnergies() {
	a.scale, a.over = float64(a.in.Makespan), 0
	for q, c := range a.cost {
		a.energy[q] = a.energyOfCost(c)
		a.over += a.busyIndicator(c)
	}
}

// runCoolingCycle runs from hot to cold in the given number of steps, or until it is stopped.
func (a *annealer) runCoolingCycle(steps int) {
	temperature := hot
	for range coolings {
		for range steps / coolings {
			if a.work >= askSteps {
				a.work = 0
				if a.in.ShouldStop() {
					return
				}
			}
			a.tryRandomStep(float64(temperature * a.rng.ExpFloat64()))
		}
		temperature = float64(temperature * cooling)
	}
}

// energyOfCost returns the energy of a processor. Its power is rounded equally on all machines.
func (a *annealer) energyOfCost(cost int64) float64 {
	x := float64(cost) / a.scale
	for range a.doublings {
		x = float64(x * x)
	}
	return x
}

// busyIndicator returns 1 if a cost is at least the incumbent's makespan, and otherwise 0.
func (a *annealer) busyIndicator(cost int64) int {
	if cost >= a.in.Makespan {
		return 1
	}
	return 0
}

// tryRandomStep tries a move or a swap, and makes it if the energy rises by less than the limit.
func (a *annealer) tryRandomStep(limit float64) {
	a.work += stepWork
	r := a.rng.Uint32()
	i := a.movable[a.rng.IntN(len(a.movable))]
	p, q := a.at[i], a.drawTargetProcessor(i, r&6 != 0)
	if p == q {
		return
	}
	if r&1 != 0 && len(a.members[q]) > 0 {
		a.trySwapObjects(i, a.members[q][a.rng.IntN(len(a.members[q]))], limit)
	} else if a.isInProxyGroup(i) {
		if a.energyRise(i, q) < limit {
			a.moveWithEnergy(i, q)
		}
	} else if a.tryPairChange(p, q, a.processorAffinity(i, p)-a.weight[i], a.weight[i]-a.processorAffinity(i, q), limit) {
		a.settleMovedObject(i, q)
	}
	if a.over == 0 {
		a.work += len(a.at) + len(a.cost) + a.in.above
		a.in.OfferMap(a.at, a.makespan())
		a.recomputeEnergies()
	}
}

// drawTargetProcessor draws a processor. near asks for a processor with an object that
// communicates with this one, if there is one.
func (a *annealer) drawTargetProcessor(i int32, near bool) int32 {
	if near {
		links, hears, speaks := a.links[i], a.hears[i], a.speaks[i]
		if n := len(links) + len(hears) + len(speaks); n > 0 {
			switch k := a.rng.IntN(n); {
			case k < len(links):
				return a.at[links[k].other]
			case k < len(links)+len(hears):
				return a.at[a.groups[hears[k-len(links)]].sender]
			default:
				r := a.groups[speaks[k-len(links)-len(hears)]].receivers
				return a.at[r[a.rng.IntN(len(r))]]
			}
		}
	}
	return int32(a.rng.IntN(a.processors))
}

// tryPairChange changes the costs of two processors if the energy rises by less than the limit.
func (a *annealer) tryPairChange(p, q int32, first, second int64, limit float64) bool {
	first, second = a.cost[p]+first, a.cost[q]+second
	e, f := a.energyOfCost(first), a.energyOfCost(second)
	if e-a.energy[p]+(f-a.energy[q]) >= limit {
		return false
	}
	a.over += a.busyIndicator(first) - a.busyIndicator(a.cost[p]) + a.busyIndicator(second) - a.busyIndicator(a.cost[q])
	a.cost[p], a.cost[q], a.energy[p], a.energy[q] = first, second, e, f
	return true
}

// trySwapObjects swaps two objects if the energy rises by less than the limit.
func (a *annealer) trySwapObjects(i, j int32, limit float64) {
	p, q := a.at[i], a.at[j]
	if !a.isInProxyGroup(i) && !a.isInProxyGroup(j) {
		first, second := a.costChangesOfSwap(i, j)
		if a.tryPairChange(p, q, first, second, limit) {
			a.settleMovedObject(i, q)
			a.settleMovedObject(j, p)
		}
		return
	}
	rise := a.energyRise(i, q)
	a.moveWithEnergy(i, q)
	if rise+a.energyRise(j, p) < limit {
		a.moveWithEnergy(j, p)
	} else {
		a.moveWithEnergy(i, p)
	}
}

// energyRise returns the change of the energy by a move.
func (a *annealer) energyRise(i, q int32) (rise float64) {
	for _, c := range a.costChangesOfMove(i, q) {
		rise += a.energyOfCost(a.cost[c.processor]+c.by) - a.energy[c.processor]
	}
	return rise
}

// moveWithEnergy makes a move.
func (a *annealer) moveWithEnergy(i, q int32) {
	for _, c := range a.costChangesOfMove(i, q) {
		cost := a.cost[c.processor] + c.by
		a.over += a.busyIndicator(cost) - a.busyIndicator(a.cost[c.processor])
		a.cost[c.processor], a.energy[c.processor] = cost, a.energyOfCost(cost)
	}
	a.settleMovedObject(i, q)
}

// settleMovedObject moves an object after its cost changes have been made.
func (a *annealer) settleMovedObject(i, q int32) {
	all, k := a.members[a.at[i]], a.place[i]
	last := all[len(all)-1]
	all[k], a.place[last] = last, k
	a.members[a.at[i]] = all[:len(all)-1]
	a.updatePlacement(i, q)
	a.listAtProcessor(i)
}

// listAtProcessor lists an object at its processor.
func (a *annealer) listAtProcessor(i int32) {
	q := a.at[i]
	a.place[i] = int32(len(a.members[q]))
	a.members[q] = append(a.members[q], i)
}
