package bb

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"treesplit/mapping"
)

// star is a problem of n objects on p processors, the first of which sends to all others,
// in a proxy group if there is one.
func star(n, p int, proxy int32) *mapping.Problem {
	m := &mapping.Problem{Processors: p, Objects: make([]mapping.Object, n)}
	for i := range m.Objects {
		m.Objects[i] = mapping.Object{Comp: int64(1 + i%7), Home: mapping.Nowhere}
	}
	for i := 1; i < n; i++ {
		m.Arcs = append(m.Arcs, mapping.Arc{From: 0, To: int32(i), Send: 1, Receive: 1, Proxy: proxy})
	}
	return m
}

// Problems whose nodes take too long are not searched, but strategies still map them and stop
// after few checks. In other problems, strategies check more often if nodes take longer.
func TestEffort(t *testing.T) {
	for _, c := range []struct {
		name string
		p    *mapping.Problem
		want string // "" if it is searched
	}{
		{"few objects, very many processors", star(2, 1<<20, mapping.NoProxy), "a node of the search"},
		{"an object with many partners", star(2000, 4000, mapping.NoProxy), "a node of the search"},
		{"a large group", star(20_000, 2, 0), "to place all objects"},
		{"the benchmark", graph(rand.New(rand.NewPCG(1, 1)), 100, 20, 30, 10), ""},
		{"many processors", star(40, 500, mapping.NoProxy), ""},
	} {
		in, err := New(c.p, Options{})
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			} else if steps := float64(in.NodesPerLook()) * in.effort.node; in.NodesPerLook() > 1 && steps > lookSteps || in.NodesPerLook() < 1 || in.lookBestFirst() > in.NodesPerLook() {
				t.Errorf("%s: %d nodes between two looks, %.0f steps", c.name, in.NodesPerLook(), steps)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		for _, s := range Strategies() {
			questions := 0
			m := s.Run(c.p, mapping.Options{Stop: func() bool { questions++; return questions > 5 }})
			if c.p.CheckMap(m) != nil || questions > 10 {
				t.Errorf("%s: %s: %d questions", c.name, s.Name, questions)
			}
		}
	}
}

// The effort of a node is at least the work that it takes: the number of objects whose charges
// are computed again, times the processors, counted one by one.
func TestEffortBoundsWork(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 300 {
		p := tiny(rng, 9)
		in, err := New(p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		most, sum := 0.0, 0.0
		for i := range int32(len(p.Objects)) {
			charged := 0
			for _, l := range in.links[i] {
				charged += 1 + len(in.hears[l.other]) + len(in.speaks[l.other])
			}
			for _, all := range [][]int32{in.speaks[i], in.hears[i]} {
				for _, g := range all {
					for _, j := range in.groups[g].receivers {
						charged += 1 + len(in.hears[j]) + len(in.speaks[j])
					}
				}
			}
			steps := float64(p.Processors * (1 + charged))
			most, sum = math.Max(most, steps), sum+steps
		}
		if e := in.effort; e.node < 2*float64(p.Processors)*most || e.descent < sum {
			t.Fatalf("%+v: %+v, and there are %v and %v steps", p, e, 2*float64(p.Processors)*most, sum)
		}
	}
}

// A group with very many receivers on a pair of processors is counted once, not once per
// receiver.
func TestLargeGroupsOfAPair(t *testing.T) {
	const n = 30_000
	p := star(n, 3, 0)
	m := make(mapping.Map, n)
	for i := range m {
		m[i] = int32(min(i, 1)) + int32(i%2*min(i, 1)) // the sender on 0, the receivers on 1 and 2
	}
	v, err := NewImprover(p, m)
	if err != nil {
		t.Fatal(err)
	}
	r := v.reducePair(Pair{1, 2}, 10, rand.New(rand.NewPCG(3, 3)))
	if len(r.heard) != 1 || r.heard[0] != n-1 || len(r.objects) != n-1 {
		t.Errorf("%v receivers of %d objects", r.heard, len(r.objects))
	}
}
