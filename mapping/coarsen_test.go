package mapping

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A map of clusters costs every processor the same as the map of their members, with proxy
// groups, fixed objects and background load. Clusters made from a map have objects on one
// processor only and the cost of that map. There are fewer clusters than objects, and none is
// longer than allowed.
func TestCoarsen(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	joined := 0
	for range 3000 {
		p := placed(rng)
		g, m := newGraph(p), Map(nil)
		if rng.IntN(2) == 0 {
			m = anywhere(p, rng)
			for i, o := range p.Objects {
				if o.Fixed {
					m[i] = o.Home
				}
			}
		}
		limit := rng.Int64N(60)
		l := coarsenGraph(g, m, limit, rng)
		c := l.graph.problem
		if err := c.Check(); err != nil {
			t.Fatal(err)
		}
		coarse := anywhere(c, rng)
		if m != nil {
			coarse = l.projectMapCoarser(m)
			if fine := l.projectMapFiner(coarse); !slices.Equal(fine, m) {
				t.Fatalf("%v of %+v becomes %v", m, p, fine)
			}
		}
		if got, want := c.EvaluateMap(coarse).Cost, p.EvaluateMap(l.projectMapFiner(coarse)).Cost; !slices.Equal(got, want) {
			t.Fatalf("%v of the clusters %v of %+v: %v, want %v", coarse, l.cluster, p, got, want)
		}
		for k, o := range c.Objects {
			members := int64(0)
			for i, x := range p.Objects {
				if int(l.cluster[i]) == k {
					members++
					if x.Fixed != o.Fixed || x.Fixed && x.Home != o.Home {
						t.Fatalf("object %d of %+v is in cluster %d, %+v", i, p, k, o)
					}
				}
			}
			if !o.Fixed && (members > 2 || members == 2 && o.Comp > limit) {
				t.Fatalf("%d objects in a cluster of %d ns, limit %d", members, o.Comp, limit)
			}
			joined += int(members - 1)
		}
	}
	if joined < 1000 {
		t.Errorf("only %d objects joined", joined)
	}
}
