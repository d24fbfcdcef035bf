package uts

import (
	"math"
	"testing"
)

// weights returns, for each node of a tree by its state, what it weighs by definition: what
// its parent weighs, divided by the number of the parent's children.
func weights(p Params) map[state]float64 {
	all := map[state]float64{}
	var walk func(s state, height int, weight float64)
	walk = func(s state, height int, weight float64) {
		all[s] = weight
		children := make([]state, p.childCount(height, s.randomValue()))
		spawnGeneric(children, &s, 0)
		for _, c := range children {
			walk(c, height+1, weight/float64(len(children)))
		}
	}
	walk(rootState(uint32(p.Seed)), 0, 1)
	return all
}

// The weights on a share's stack are those of the definition, also after splits, and what
// is left out of the sum does not matter.
func TestWeightsByDefinition(t *testing.T) {
	for _, c := range small {
		if c.want.Size > 30_000 {
			continue
		}
		want := weights(c.params)
		tree := share(t, c.params, splitting, true)
		for !tree.Empty() {
			tree.Expand(37)
			sum := 0.0
			for _, f := range tree.frames[tree.base:] {
				each := want[f.state] / float64(c.params.childCount(int(f.height), f.state.randomValue()))
				if math.Abs(f.weight-each) > 1e-12*each {
					t.Fatalf("%s: a node's children weigh %v each, want %v", c.name, f.weight, each)
				}
				sum += each * float64(f.hi-f.lo)
			}
			if got := tree.Weight(); math.Abs(got-sum) > 1e-12*sum {
				t.Fatalf("%s: the share weighs %v, want %v", c.name, got, sum)
			}
			tree.Split(nil)
		}
	}
}
