package bb

import (
	"math/rand/v2"

	"treesplit/mapping"
)

// tiny draws a problem that can be solved by trying all maps: up to 4 processors and most
// objects, with proxies, fixed objects and background load in some of them each.
func tiny(rng *rand.Rand, most int) *mapping.Problem {
	p := &mapping.Problem{Processors: 1 + rng.IntN(4)}
	if rng.IntN(2) == 0 {
		for range p.Processors {
			p.Background = append(p.Background, rng.Int64N(2)*rng.Int64N(30))
		}
	}
	n, fixed := 1+rng.IntN(most), rng.IntN(2)
	for range n {
		o := mapping.Object{Comp: rng.Int64N(30), Home: mapping.Nowhere}
		if rng.IntN(4) < fixed {
			o.Fixed, o.Home = true, int32(rng.IntN(p.Processors))
		}
		p.Objects = append(p.Objects, o)
	}
	proxies, size := rng.IntN(4), 1+rng.Int64N(20)
	for range rng.IntN(3 * n) {
		p.Arcs = append(p.Arcs, mapping.Arc{
			From: int32(rng.IntN(n)), To: int32(rng.IntN(n)),
			Send: rng.Int64N(size), Receive: rng.Int64N(size), Proxy: int32(rng.IntN(1+proxies)) - 1,
		})
	}
	return p
}

// completions calls f for every map that agrees with the one given where that is not
// Nowhere, or with a fixed object's home.
func completions(p *mapping.Problem, given []int32, f func(m mapping.Map)) {
	m := make(mapping.Map, len(p.Objects))
	var place func(i int)
	place = func(i int) {
		switch {
		case i == len(m):
			f(m)
		case p.Objects[i].Fixed:
			m[i] = p.Objects[i].Home
			place(i + 1)
		case given != nil && given[i] != nowhere:
			m[i] = given[i]
			place(i + 1)
		default:
			for q := range int32(p.Processors) {
				m[i] = q
				place(i + 1)
			}
		}
	}
	place(0)
}

// optimum tries all completions.
func optimum(p *mapping.Problem, given []int32) int64 {
	best := int64(None)
	completions(p, given, func(m mapping.Map) { best = min(best, p.EvaluateMap(m).Makespan) })
	return best
}

// graph draws a random problem: objects that compute for 1 to 100 ms, and arcs·n arcs
// between random pairs of objects, whose cost at each end is up to size ms.
func graph(rng *rand.Rand, n, processors, arcs int, size int64) *mapping.Problem {
	const ms = 1e6
	p := &mapping.Problem{Processors: processors}
	for range n {
		p.Objects = append(p.Objects, mapping.Object{Comp: ms + rng.Int64N(99*ms), Home: mapping.Nowhere})
	}
	for range arcs * n {
		cost := rng.Int64N(size*ms + 1)
		p.Arcs = append(p.Arcs, mapping.Arc{From: int32(rng.IntN(n)), To: int32(rng.IntN(n)), Send: cost, Receive: cost, Proxy: mapping.NoProxy})
	}
	return p
}
