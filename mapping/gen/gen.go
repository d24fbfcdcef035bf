// Package gen makes object graphs by seed: random graphs like those in table 1 of Radhakrishnan,
// Brunner and Kalé, "Branch and Bound Based Load Balancing for Parallel Applications", and meshes
// like those for which partitioners are made.
//
// The paper does not print its graphs. Its text and the columns of table 1 give these facts:
// objects take about equally long; there are 400 to 3000 arcs between random objects; all
// communication together, if no two objects shared a processor, would take about 0.0022·c of the
// time of all computation, where c is the paper's "communication cost". All other properties are
// chosen here.
package gen

import (
	"fmt"
	"math"
	"math/rand/v2"

	"treesplit/mapping"
)

// comp is the mean computation of an object in ns.
const comp = 100_000

// RandomProblem returns a problem of n objects without a home. Their computation is drawn
// uniformly from 80 to 120 µs. The given number of arcs join different objects drawn uniformly;
// several arcs may join the same two. The cost of an arc is the same at both ends. It is drawn
// uniformly from 0.5 to 1.5 times the mean that follows from the paper's communication cost c. n
// ≥ 2 if arcs > 0, processors ≥ 1, c ≥ 0.
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

// MeshProblem returns a problem of width × height objects in a rectangle, numbered row by row.
// Each object sends to its four neighbours; if round is set, objects at a border also send to the
// opposite border. Computation is drawn uniformly from 80 to 120 µs. The cost of an arc at either
// end is drawn uniformly from 0.5 to 1.5 times share/4 of the mean computation. So an object
// alone on a processor would communicate for about 2·share times its computation.
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

// drawCostAround draws a cost with the given mean.
func drawCostAround(mean float64, rng *rand.Rand) int64 {
	return int64(math.Round(float64(mean * float64(0.5+rng.Float64()))))
}
