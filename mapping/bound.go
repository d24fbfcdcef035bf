package mapping

import "slices"

// LowerBound returns a lower bound of the makespan of every map of the problem. It takes O(n log
// n + P) time and ignores communication. It is the largest of:
//   - the average: all computation and background load, spread evenly;
//   - each object that may move, on the processor of the least load that stays where it is;
//   - what is on a processor to stay: background load and fixed objects;
//   - if the k·P + 1 longest objects are to be on P processors, k + 1 of them share one,
//     and together take at least as long as the shortest k + 1 of these.
//
// Branch and bound proves better bounds (package bb).
func LowerBound(p *Problem) int64 {
	stays := make([]int64, p.Processors)
	copy(stays, p.Background)
	var moves []int64
	total := int64(0)
	for _, o := range p.Objects {
		total += o.Comp
		if o.Fixed {
			stays[o.Home] += o.Comp
		} else {
			moves = append(moves, o.Comp)
		}
	}
	for _, ns := range p.Background {
		total += ns
	}
	bound := max((total+int64(p.Processors)-1)/int64(p.Processors), slices.Max(stays))
	slices.SortFunc(moves, func(a, b int64) int { return int(min(max(b-a, -1), 1)) })
	if len(moves) > 0 {
		bound = max(bound, moves[0]+slices.Min(stays))
	}
	first := make([]int64, len(moves)+1) // sums of the longest objects, by their number
	for i, ns := range moves {
		first[i+1] = first[i] + ns
	}
	least := slices.Min(stays)
	for k := 1; k*p.Processors < len(moves); k++ {
		bound = max(bound, least+first[k*p.Processors+1]-first[k*p.Processors-k])
	}
	return bound
}
