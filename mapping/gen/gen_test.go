package gen

import (
	"math"
	"reflect"
	"testing"

	"treesplit/mapping"
)

// Graphs are problems, the same for the same seed and others for another.
func TestSeed(t *testing.T) {
	for name, build := range map[string]func(seed uint64) *mapping.Problem{
		"random": func(seed uint64) *mapping.Problem { return RandomProblem(9, 100, 400, 300, seed) },
		"mesh":   func(seed uint64) *mapping.Problem { return MeshProblem(9, 10, 12, true, 1, seed) },
	} {
		p := build(1)
		if err := p.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !reflect.DeepEqual(p, build(1)) || reflect.DeepEqual(p, build(2)) {
			t.Errorf("%s: not a function of the seed", name)
		}
	}
}

// If all communication is paid it takes 0.0022·c of the time of all computation.
func TestRandomCommunication(t *testing.T) {
	p := RandomProblem(100, 100, 3000, 300, 1)
	m := make(mapping.Map, 100)
	for i := range m {
		m[i] = int32(i)
	}
	e := p.EvaluateMap(m)
	if share := float64(e.Comm) / float64(e.Comp); math.Abs(share-0.66) > 0.02 {
		t.Errorf("communication is %v of computation, want 0.66", share)
	}
}

// A mesh has an arc either way between neighbours; one that is round, also between the
// borders.
func TestMeshArcs(t *testing.T) {
	for _, c := range []struct {
		width, height int
		round         bool
		arcs          int
	}{{4, 3, false, 2 * (3*3 + 4*2)}, {4, 3, true, 4 * 12}, {1, 1, true, 0}, {1, 5, false, 8}, {0, 3, false, 0}} {
		p := MeshProblem(2, c.width, c.height, c.round, 1, 1)
		if len(p.Arcs) != c.arcs {
			t.Errorf("%+v: %d arcs", c, len(p.Arcs))
		}
		pairs := map[[2]int32]int{}
		for _, a := range p.Arcs {
			pairs[[2]int32{a.From, a.To}]++
			pairs[[2]int32{a.To, a.From}]--
		}
		for pair, n := range pairs {
			if n != 0 {
				t.Errorf("%+v: %v has %d arcs more one way", c, pair, n)
			}
		}
	}
}
