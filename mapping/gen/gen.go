// Package gen makes object graphs by seed: random ones like those of table 1 of
// Radhakrishnan, Brunner and Kalé, "Branch and Bound Based Load Balancing for Parallel
// Applications", and meshes like those that partitioners are made for.
//
// The paper does not print its graphs. What it says of table 1, and what its columns
// fit, is that objects take about equally long, that there are 400 to 3000 arcs between
// random objects, and that all communication together, if no two objects shared a
// processor, would take about 0.0022·c of the time of all computation, where c is the
// paper's "communication cost". The rest is chosen here.
package gen

import (
	"fmt"
	"math"
	"math/rand/v2"

	"treesplit/mapping"
)

// comp is the mean computation of an object in ns.
const comp = 100_000

// RandomProblem returns a problem of n objects that no processor is home to, whose computation
// is drawn uniformly from 80 to 120 µs, and of so many arcs between different objects
// drawn uniformly, several of which may join the same two. What arcs cost is drawn
// uniformly from half to one and a half of the mean that the paper's communication cost
// c gives, and is the same at both ends. n ≥ 2 if arcs > 0, processors ≥ 1, c ≥ 0.
func RandomProblem(processors, n, arcs int, c float64, seed uint64) *mapping.Problem {
	rng := rand.New(rand.NewPCG(seed, 1))
	p := &mapping.Problem{Processors: processors}
	total := addObjects(p, n, rng)
	mean := 0.0
	if arcs > 0 {
		mean = 0.0022 * c * float64(total) / float64(2*arcs)
	}
	for range arcs {
		from := rng.IntN(n)
		to := rng.IntN(n - 1)
		if to >= from {
			to++
		}
		cost := drawCostAround(mean, rng)
		p.Arcs = append(p.Arcs, mapping.Arc{From: int32(from), To: int32(to), Send: cost, Receive: cost, Proxy: mapping.NoProxy})
	}
	return p
}

// MeshProblem returns a problem of width × height objects in a rectangle, numbered row by row,
// each of which sends to its four neighbours, or, if round, to those on the other side
// where it stands at a border. Computation is drawn uniformly from 80 to 120 µs, what
// an arc costs at either end uniformly from half to one and a half of share/4 of the
// mean computation; so an object alone on a processor would communicate for about twice
// share of the time that it computes.
func MeshProblem(processors, width, height int, round bool, share float64, seed uint64) *mapping.Problem {
	rng := rand.New(rand.NewPCG(seed, 2))
	p := &mapping.Problem{Processors: processors}
	addObjects(p, width*height, rng)
	for y := range height {
		for x := range width {
			for _, d := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
				nx, ny := x+d[0], y+d[1]
				if round {
					nx, ny = (nx+width)%width, (ny+height)%height
				}
				if nx < 0 || nx >= width || ny < 0 || ny >= height || nx == x && ny == y {
					continue
				}
				cost := drawCostAround(share*comp/4, rng)
				p.Arcs = append(p.Arcs, mapping.Arc{From: int32(y*width + x), To: int32(ny*width + nx), Send: cost, Receive: cost, Proxy: mapping.NoProxy})
			}
		}
	}
	return p
}

// addObjects adds n objects and returns their computation.
func addObjects(p *mapping.Problem, n int, rng *rand.Rand) (total int64) {
	for i := range n {
		o := mapping.Object{Name: fmt.Sprint(i), Comp: comp*4/5 + rng.Int64N(comp*2/5+1), Home: mapping.Nowhere}
		p.Objects = append(p.Objects, o)
		total += o.Comp
	}
	return total
}

// drawCostAround draws a cost whose mean is given.
func drawCostAround(mean float64, rng *rand.Rand) int64 {
	return int64(math.Round(float64(mean * float64(0.5+rng.Float64()))))
}
