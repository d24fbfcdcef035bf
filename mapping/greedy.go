package mapping

import (
	"cmp"
	"math"
	"slices"
)

// The greedy strategies: objects are placed one after the other, the longest first, and
// stay where they are.

// greedy is the paper's (section 3.1): the first half of the objects, each on the processor
// of the least cost so far; the others, each where it adds the least communication.
// Nothing keeps the second half from piling up. Where the text errs, it is corrected:
// its "L/2" objects are n/2, and an object also raises the costs of the processors of
// what it communicates with.
func greedy(in *Incumbent, g *graph) { half(in, g, false) }

// greedyPrinted is greedy with the costs that the text has: an object raises that of
// its own processor alone. The map is scored by its true costs.
func greedyPrinted(in *Incumbent, g *graph) { half(in, g, true) }

func half(in *Incumbent, g *graph, printed bool) {
	s := newPartial(in, g)
	order := longest(g, func(i int32) int64 { return g.problem.Objects[i].Comp })
	believed := s.cost // what the strategy goes by
	if printed {
		believed = slices.Clone(s.cost)
	}
	for k, i := range order {
		if s.stop() {
			break
		}
		s.work += len(believed)
		q := int32(slices.Index(believed, slices.Min(believed)))
		if 2*k >= len(order) {
			q = s.closest(i)
		}
		if printed {
			believed[q] += s.placing(i, q)[0].by
		}
		s.place(i, q)
	}
	s.offer()
}

// closest returns where an object adds the least communication, among several the
// processor of the least cost.
func (s *partial) closest(i int32) (best int32) {
	least := int64(math.MaxInt64)
	for _, q := range s.candidates(i) {
		if s.stop() {
			break
		}
		added := int64(0)
		for _, c := range s.placing(i, q) {
			added += c.by
		}
		if added < least || added == least && s.cost[q] < s.cost[best] {
			best, least = q, added
		}
	}
	return best
}

// lpt puts each object on the processor that computes least so far, whatever it
// communicates (R. Graham, Bounds on Multiprocessing Timing Anomalies, SIAM J. Appl.
// Math. 17 (1969)): without communication at most 4/3 − 1/(3P) of the optimum.
func lpt(in *Incumbent, g *graph) {
	s := newPartial(in, g)
	work := make([]int64, in.Problem.Processors)
	copy(work, in.Problem.Background)
	for i, q := range s.at {
		if q != Nowhere {
			work[q] += in.Problem.Objects[i].Comp
		}
	}
	for _, i := range longest(g, func(i int32) int64 { return g.problem.Objects[i].Comp }) {
		if s.stop() {
			break
		}
		s.work += len(work)
		q := int32(slices.Index(work, slices.Min(work)))
		work[q] += in.Problem.Objects[i].Comp
		s.place(i, q)
	}
	s.offer()
}

// commGreedy puts each object where the largest of the costs that it changes is least,
// among several where they grow least together. Objects go in decreasing order of what
// they would cost if they shared a processor with none of the others.
func commGreedy(in *Incumbent, g *graph) { finish(in, g, false) }

// finish places objects like commGreedy; home says that those that have a home stay
// there.
func finish(in *Incumbent, g *graph, home bool) {
	s := newPartial(in, g)
	for i, o := range in.Problem.Objects {
		if home && s.at[i] == Nowhere && o.Home != Nowhere && !s.stop() {
			s.place(int32(i), o.Home)
		}
	}
	for _, i := range longest(g, g.alone) {
		if s.at[i] != Nowhere || s.stop() {
			continue
		}
		best, least := int32(0), [2]int64{math.MaxInt64, math.MaxInt64}
		for _, q := range s.candidates(i) {
			if s.stop() {
				break
			}
			cost := [2]int64{}
			for _, c := range s.placing(i, q) {
				cost[0] = max(cost[0], s.cost[c.processor]+c.by)
				cost[1] += c.by
			}
			if slices.Compare(cost[:], least[:]) < 0 {
				best, least = q, cost
			}
		}
		s.place(i, best)
	}
	s.offer()
}

// alone is what an object costs its processor if it shares it with none that it
// communicates with.
func (g *graph) alone(i int32) int64 {
	ns := g.weight[i]
	for _, k := range g.hears[i] {
		ns += g.groups[k].receive
	}
	for _, k := range g.speaks[i] {
		ns += g.groups[k].send
	}
	return ns
}

// longest returns the objects that may move in decreasing order of a length, equal ones
// by number.
func longest(g *graph, length func(i int32) int64) []int32 {
	order := slices.Clone(g.movable)
	slices.SortStableFunc(order, func(i, j int32) int { return cmp.Compare(length(j), length(i)) })
	return order
}
