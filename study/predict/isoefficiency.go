package predict

import (
	"context"
	"math"

	"treesplit/internal/parallel"
	"treesplit/lb"
	"treesplit/study/figure"
)

// The isoefficiency needs trees of any size that are otherwise like the current tree. They are
// modelled by work that is halved at random (package search/model): the two halves of a piece are
// the parts x and 1−x of it (see subtasks.go for the schemes that cut off subtasks). x has a Beta distribution around 1/2. Its deviation σ is the one that
// best predicts the efficiencies of the tree itself.

// evenSigma is the deviation of a uniform distribution, for trees about which only the size is
// known.
const evenSigma = 0.289

// sigmas are the deviations that are tried.
var sigmas = []float64{0.05, 0.15, evenSigma, 0.4, 0.45, 0.48}

// Isoefficiency describes how the problem size must grow with the number of ranks to keep an
// efficiency.
type Isoefficiency struct {
	Scheme     string  `json:"scheme"`
	Efficiency float64 `json:"efficiency"`
	Sigma      float64 `json:"sigma"` // of the model
	// Points are the numbers of ranks at which the efficiency can be reached.
	Points []IsoPoint `json:"points"`
	// W = Factor · P^Exponent, fitted to the points if there are three.
	Exponent float64 `json:"exponent,omitempty"`
	Factor   float64 `json:"factor,omitempty"`
	R2       float64 `json:"r2,omitempty"`
}

// IsoPoint is a point of the curve, with the efficiencies that show how exact the model is there.
type IsoPoint struct {
	Ranks int     `json:"ranks"`
	Nodes float64 `json:"nodes"` // W, to about a tenth; 0: not reached
	// Tree and Model are the efficiencies of the current tree and of its model, or 0 if unknown.
	Tree  float64 `json:"treeEfficiency,omitempty"`
	Model float64 `json:"modelEfficiency,omitempty"`
	// Cutoff is the depth at which the model of Nodes nodes is cut into subtasks, under the schemes
	// that do so.
	Cutoff int `json:"cutoff,omitempty"`
}

// telling are the efficiencies that determine σ: nearer to 0 and 1 efficiencies hardly depend on σ.
const (
	tellingLeast = 0.05
	tellingMost  = 0.97
)

// fitTreeModel selects the model of a tree; the cells are the cells of one scheme on it. If the scheme
// cuts off subtasks, the model is cut into as many subtasks as the tree.
func (s *simulator) fitTreeModel(t Tree, cells []Cell) (sigma float64, models []Cell, err error) {
	sigma = evenSigma
	if t.Kind == Model {
		return sigma, cells, nil
	}
	s.wanted.Add(int64(len(sigmas) * len(cells)))
	cuts, depth := lb.CutsSubtasks(cells[0].Scheme), modelDepth(cells)
	all, err := parallel.SideBySide(context.Background(), s.Workers, len(sigmas)*len(cells), func(_ context.Context, i int) (Cell, error) {
		c, sigma := cells[i%len(cells)], sigmas[i/len(cells)]
		if cuts {
			return s.simulateCutoff(t.Nodes, sigma, c.Scheme, c.Ranks, depth)
		}
		return s.simulateCell(s.Plan, halvingWorkload(t.Nodes, sigma), c.Scheme, c.Ranks)
	})
	if err != nil {
		return 0, nil, err
	}
	least := math.Inf(1)
	for i := range sigmas {
		of := all[i*len(cells) : (i+1)*len(cells)]
		e := efficiencyDistance(cells, of)
		if e < least || math.IsInf(least, 1) && sigmas[i] == evenSigma {
			sigma, models, least = sigmas[i], of, e
		}
	}
	return sigma, models, nil
}

// efficiencyDistance returns the sum of the squares of the logarithms of the ratios of
// efficiencies. It is infinite if no cell can be compared, or if a model took too long for a cell that can.
func efficiencyDistance(trees, models []Cell) (sum float64) {
	compared := false
	for i, c := range trees {
		if c.GivenUp || c.Efficiency <= tellingLeast || c.Efficiency >= tellingMost {
			continue
		}
		if models[i].GivenUp {
			return math.Inf(1)
		}
		compared = true
		sum += math.Pow(math.Log(models[i].Efficiency/c.Efficiency), 2)
	}
	if !compared {
		return math.Inf(1)
	}
	return sum
}

// isoefficiency computes the curve of one scheme.
func (s *simulator) isoefficiency(t Tree, cells []Cell) (*Isoefficiency, error) {
	sigma, models, err := s.fitTreeModel(t, cells)
	if err != nil {
		return nil, err
	}
	iso := &Isoefficiency{Scheme: cells[0].Scheme, Efficiency: s.Efficiency, Sigma: sigma}
	points, err := parallel.SideBySide(context.Background(), s.Workers, len(cells), func(_ context.Context, i int) (IsoPoint, error) {
		c := cells[i]
		w, cutoff, err := s.leastSize(c.Scheme, c.Ranks, sigma)
		p := IsoPoint{Ranks: c.Ranks, Nodes: w, Cutoff: cutoff, Model: models[i].Efficiency}
		if t.Kind != Model {
			p.Tree = c.Efficiency
		}
		return p, err
	})
	if err != nil {
		return nil, err
	}
	var x, y []float64
	for _, p := range points {
		iso.Points = append(iso.Points, p)
		if p.Nodes > 0 && p.Ranks > 1 {
			x, y = append(x, float64(p.Ranks)), append(y, p.Nodes)
		}
	}
	if len(x) > 2 {
		iso.Exponent, iso.R2 = figure.FitExponent(x, y)
		logs := 0.0
		for i := range x {
			logs += math.Log(y[i]) - iso.Exponent*math.Log(x[i])
		}
		iso.Factor = math.Exp(logs / float64(len(x)))
	}
	return iso, nil
}

// isoFirst and isoMost are the smallest and the largest number of quanta per rank that are tried.
// An efficiency that is not reached with 2^14 quanta per rank (a second of work, if a quantum is 75
// µs) is treated as unreachable.
const (
	isoFirst = 4
	isoMost  = 1 << 14
)

// leastSize returns the problem size that reaches the efficiency, or 0 if none does, and the depth at
// which it is cut into subtasks, or 0 if it is not. A simulation that is given up counts as a
// simulation below the efficiency.
func (s *simulator) leastSize(scheme string, ranks int, sigma float64) (size float64, cutoff int, err error) {
	quanta := float64(ranks) * float64(s.Machine.Quantum)
	first := leastCutoff(ranks)
	size, err = figure.LeastSize(isoFirst*quanta, s.Efficiency, min(isoMost*quanta, largestModel), func(w int64) (float64, error) {
		s.wanted.Add(1)
		if !lb.CutsSubtasks(scheme) {
			c, err := s.simulateModel(max(w, 1), sigma, scheme, ranks)
			return c.Efficiency, err
		}
		c, err := s.tryCutoffs(first, s.Efficiency, func(depth int) (Cell, error) {
			return s.simulateCutoff(max(w, 1), sigma, scheme, ranks, depth)
		})
		// The best depth of the next size is near the best depth of this size.
		first = max(leastCutoff(ranks), c.Cutoff-3)
		if c.Efficiency >= s.Efficiency {
			cutoff = c.Cutoff
		}
		return c.Efficiency, err
	})
	return size, cutoff, err
}
