package mapping

import (
	"cmp"
	"math"
	"slices"
)

// The greedy strategies: objects are placed one after the other, the longest first, and
// stay where they are.

// placeGreedily is the paper's (section 3.1): the first half of the objects, each on the processor
// of the least cost so far; the others, each where it adds the least communication.
// Nothing keeps the second half from piling up. Where the text errs, it is corrected:
// its "L/2" objects are n/2, and an object also raises the costs of the processors of
// what it communicates with.
func placeGreedily(in *Incumbent, g *graph) { placeHalfGreedily(in, g, false) }

// greedyPrinted is placeGreedily with the costs that the text has: an object raises that of
// its own processor alone. The map is scored by its true costs.
func greedyPrinted(in *Incumbent, g *graph) { placeHalfGreedily(in, g, true) }

func placeHalfGreedily(in *Incumbent, g *graph, printed bool) {
	s := newPartial(in, g)
	order := longestFirst(g, func(i int32) int64 { return g.problem.Objects[i].Comp })
	believed := s.cost // what the strategy goes by
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

// leastCommProcessor returns where an object adds the least communication, among several the
// processor of the least cost.
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

// placeLongestFirst puts each object on the processor that computes least so far, whatever it
// communicates (R. Graham, Bounds on Multiprocessing Timing Anomalies, SIAM J. Appl.
// Math. 17 (1969)): without communication at most 4/3 − 1/(3P) of the optimum.
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

// commGreedy puts each object where the largest of the costs that it changes is least,
// among several where they grow least together. Objects go in decreasing order of what
// they would cost if they shared a processor with none of the others.
func commGreedy(in *Incumbent, g *graph) { placeByCommGreedy(in, g, false) }

// placeByCommGreedy places objects like commGreedy; home says that those that have a home stay
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

// costWhenAlone is what an object costs its processor if it shares it with none that it
// communicates with.
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
