package mapping

import (
	"cmp"
	"math"
	"slices"
)

// The greedy strategies place objects one after the other, the longest first, and never move them
// again.

// placeGreedily is the paper's strategy (section 3.1). It places the first half of the objects
// each on the processor of least cost so far, and the others each where it adds the least
// communication. Nothing prevents the second half from crowding one processor. Errors of the text
// are corrected: its "L/2" objects are n/2, and an object also raises the costs of the processors
// with which it communicates.
func placeGreedily(in *Incumbent, g *graph) { placeHalfGreedily(in, g, false) }

// greedyPrinted is placeGreedily with the costs of the text: an object raises only the cost of
// its own processor. The map is evaluated by its true costs.
func greedyPrinted(in *Incumbent, g *graph) { placeHalfGreedily(in, g, true) }

func placeHalfGreedily(in *Incumbent, g *graph, printed bool) {
	s := newPartial(in, g)
	order := longestFirst(g, func(i int32) int64 { return g.problem.Objects[i].Comp })
	believed := s.cost // the costs that the strategy uses
	if printed {
		believed = slices.Clone(s.cost)
	}
	for k, i := range order {
		if s.shouldStop() {
			break
		}
		s.work += len(believed)
		q := int32(slices.Index(believed, slices.Min(believed)))
		if 2*k >= len(order) {
			q = s.leastCommProcessor(i)
		}
		if printed {
			believed[q] += s.costChangesOfPlacing(i, q)[0].by
		}
		s.placeObject(i, q)
	}
	s.offerMap()
}

// leastCommProcessor returns the processor on which an object adds the least communication; of
// several, the one of least cost.
func (s *partial) leastCommProcessor(i int32) (best int32) {
	least := int64(math.MaxInt64)
	for _, q := range s.candidates(i) {
		if s.shouldStop() {
			break
		}
		added := int64(0)
		for _, c := range s.costChangesOfPlacing(i, q) {
			added += c.by
		}
		if added < least || added == least && s.cost[q] < s.cost[best] {
			best, least = q, added
		}
	}
	return best
}

// placeLongestFirst puts each object on the processor with the least computation so far, and
// ignores communication (R. Graham, Bounds on Multiprocessing Timing Anomalies, SIAM J. Appl.
// Math. 17 (1969)). Without communication the makespan is at most 4/3 − 1/(3P) times the optimum.
func placeLongestFirst(in *Incumbent, g *graph) {
	s := newPartial(in, g)
	work := make([]int64, in.Problem.Processors)
	copy(work, in.Problem.Background)
	for i, q := range s.at {
		if q != Nowhere {
			work[q] += in.Problem.Objects[i].Comp
		}
	}
	for _, i := range longestFirst(g, func(i int32) int64 { return g.problem.Objects[i].Comp }) {
		if s.shouldStop() {
			break
		}
		s.work += len(work)
		q := int32(slices.Index(work, slices.Min(work)))
		work[q] += in.Problem.Objects[i].Comp
		s.placeObject(i, q)
	}
	s.offerMap()
}

// commGreedy puts each object where the largest of the changed costs is least; of several places,
// where the sum of the changes is least. Objects come in decreasing order of their cost when they
// share a processor with no other object.
func commGreedy(in *Incumbent, g *graph) { placeByCommGreedy(in, g, false) }

// placeByCommGreedy places objects as commGreedy does. If home is set, objects with a home stay
// there.
func placeByCommGreedy(in *Incumbent, g *graph, home bool) {
	s := newPartial(in, g)
	for i, o := range in.Problem.Objects {
		if home && s.at[i] == Nowhere && o.Home != Nowhere && !s.shouldStop() {
			s.placeObject(int32(i), o.Home)
		}
	}
	for _, i := range longestFirst(g, g.costWhenAlone) {
		if s.at[i] != Nowhere || s.shouldStop() {
			continue
		}
		best, least := int32(0), [2]int64{math.MaxInt64, math.MaxInt64}
		for _, q := range s.candidates(i) {
			if s.shouldStop() {
				break
			}
			cost := [2]int64{}
			for _, c := range s.costChangesOfPlacing(i, q) {
				cost[0] = max(cost[0], s.cost[c.processor]+c.by)
				cost[1] += c.by
			}
			if slices.Compare(cost[:], least[:]) < 0 {
				best, least = q, cost
			}
		}
		s.placeObject(i, best)
	}
	s.offerMap()
}

// costWhenAlone returns the cost of an object for its processor if no object with which it
// communicates is there.
func (g *graph) costWhenAlone(i int32) int64 {
	ns := g.weight[i]
	for _, k := range g.hears[i] {
		ns += g.groups[k].receive
	}
	for _, k := range g.speaks[i] {
		ns += g.groups[k].send
	}
	return ns
}

// longestFirst returns the objects that may move in decreasing order of a length, equal ones
// by number.
func longestFirst(g *graph, length func(i int32) int64) []int32 {
	order := slices.Clone(g.movable)
	slices.SortStableFunc(order, func(i, j int32) int { return cmp.Compare(length(j), length(i)) })
	return order
}
