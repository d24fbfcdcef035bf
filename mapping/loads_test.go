package mapping

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Costs that are updated as objects move and swap equal the sums of Evaluate. So do the predicted
// changes. This is tested with proxy groups and background load, with and without the table of
// affinities.
func TestLoadsAgainstEvaluate(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	swaps := 0
	for range 3000 {
		p := small(rng)
		if p.Processors == 1 {
			continue
		}
		s := newLoads(newGraph(p), anywhere(p, rng))
		if rng.IntN(2) == 0 {
			s.with = nil
		}
		for range 20 {
			i := int32(rng.IntN(len(p.Objects)))
			q := int32(rng.IntN(p.Processors - 1))
			if q >= s.at[i] {
				q++
			}
			before := slices.Clone(s.cost)
			for j, to := range s.at {
				if int32(j) == i || to != q || s.isInProxyGroup(i) || s.isInProxyGroup(int32(j)) {
					continue
				}
				m := slices.Clone(s.at)
				m[i], m[j] = m[j], m[i]
				first, second := s.costChangesOfSwap(i, int32(j))
				if e := p.EvaluateMap(m); e.Cost[s.at[i]] != before[s.at[i]]+first || e.Cost[q] != before[q]+second {
					t.Fatalf("swap of %d and %d in %v of %+v: %d and %d, want %v from %v", i, j, s.at, p, first, second, e.Cost, before)
				}
				swaps++
			}
			for _, c := range s.costChangesOfMove(i, q) {
				before[c.processor] += c.by
			}
			s.moveObject(i, q)
			e := p.EvaluateMap(s.at)
			if !slices.Equal(e.Cost, s.cost) || !slices.Equal(e.Cost, before) || e.Makespan != s.makespan() {
				t.Fatalf("after %d to %d, %v of %+v: %v, foretold %v, want %v", i, q, s.at, p, s.cost, before, e.Cost)
			}
		}
		if m := anywhere(p, rng); true {
			s.resetToMap(m)
			if e := p.EvaluateMap(m); !slices.Equal(e.Cost, s.cost) {
				t.Fatalf("%v of %+v computed again: %v, want %v", m, p, s.cost, e.Cost)
			}
		}
	}
	if swaps < 1000 {
		t.Errorf("only %d swaps compared", swaps)
	}
}

// anywhere draws a map.
func anywhere(p *Problem, rng *rand.Rand) Map {
	m := make(Map, len(p.Objects))
	for i := range m {
		m[i] = int32(rng.IntN(p.Processors))
	}
	return m
}
