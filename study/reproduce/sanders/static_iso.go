package sanders

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"treesplit/comm"
	"treesplit/internal/parallel"
	"treesplit/search/model"
	"treesplit/sim"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

const (
	// halvingTarget is the constant efficiency. The efficiency of table 1 would require more parts
	// than can be simulated in minutes.
	halvingTarget = 0.5
	// halvingLimit is the largest problem size that is tried.
	halvingLimit = 1 << 24
	// halvingGrain is the size of an atom: as on divisible work, less than 64 nodes are not split.
	halvingGrain = 32
	// halvingRuns is the number of trees over which a point is averaged.
	halvingRuns = 3
)

var (
	staticRanks  = []int{8, 16, 32, 64, 128, 256}
	staticSigmas = []float64{0, 0.05, 0.1, 0.2, 0.29}
)

// staticNetworks are the networks on which static and RP are compared, by growing distances. All
// have the nCUBE/2's costs. On the last one a hop takes as long as the startup of a message.
var staticNetworks = []struct {
	name, topology string
	hop            comm.Time // t_h's factor
}{
	{"hypercube", "hypercube", 1}, {"mesh", "mesh", 1}, {"ring", "ring", 1}, {"ring, t_h = t_s", "ring", 50},
}

// halvingCells returns runs on halving work of w nodes, one for each tree.
func halvingCells(k lab.Knobs, m sim.Machine, scheme string, p int, w int64, sigma float64) []lab.Cell {
	cells := unpolledCells(k, m, scheme, p, 1)
	for i := range cells {
		cells[i].Halving = model.Halving{Nodes: w, Sigma: sigma, Law: model.Beta, Grain: halvingGrain, Seed: uint64(i)}
	}
	return cells
}

// unpolledCells returns runs without a workload, on a machine where polls cost nothing. There a
// quantum of more than one node would only make other ranks wait. For schemes without requests the
// quantum can be practically endless.
func unpolledCells(k lab.Knobs, m sim.Machine, scheme string, p, quantum int) []lab.Cell {
	m.Quantum, m.Poll = quantum, 0
	if scheme == "static" {
		m.Quantum = 1 << 20
	}
	cells := make([]lab.Cell, halvingRuns)
	for i := range cells {
		cells[i] = lab.Cell{Machine: m, P: p, Scheme: scheme, Termination: "tree", Seed: uint64(i) + 1, Delay: k.Delay}
	}
	return cells
}

// efficiencyOf returns the efficiency of a set of runs on p ranks.
func efficiencyOf(ctx context.Context, l *lab.Lab, cells []lab.Cell) (float64, error) {
	o, err := l.RunCells(ctx, cells)
	if err != nil {
		return 0, err
	}
	a := lab.AverageOutcomes(o)
	return a.Speedup() / float64(cells[0].P), nil
}

// timeOfWays returns the time of the ways to all 2^k parts of halving work, in nodes.
func timeOfWays(k int) float64 { return float64(k) * math.Ldexp(1, k) }

// bestStatic returns the efficiency of the static scheme with the best k for these runs, and that
// k. It starts with one part per rank. It stops when three further splits bring no improvement, or
// when the ways would take longer than the given number of nodes.
func bestStatic(ctx context.Context, l *lab.Lab, cells []lab.Cell, ways float64) (best float64, at int, err error) {
	least := bits.Len(uint(cells[0].P - 1))
	for k := least; k == least || k <= at+3 && timeOfWays(k) <= ways; k++ {
		e, err := efficiencyOf(ctx, l, withSplits(cells, k))
		if err != nil {
			return 0, 0, err
		}
		if e > best {
			best, at = e, k
		}
	}
	return best, at, nil
}

// withSplits returns runs with another k.
func withSplits(cells []lab.Cell, k int) []lab.Cell {
	cells = slices.Clone(cells)
	for i := range cells {
		cells[i].Tuning.Splits = k
	}
	return cells
}

// halvingSize returns the least problem size at which a scheme reaches halvingTarget.
func halvingSize(ctx context.Context, l *lab.Lab, k lab.Knobs, m sim.Machine, scheme string, p int, sigma float64) (float64, error) {
	return figure.LeastSize(float64(p)*200, halvingTarget, halvingLimit, func(w int64) (float64, error) {
		cells := halvingCells(k, m, scheme, p, w, sigma)
		if scheme == "static" {
			e, _, err := bestStatic(ctx, l, cells, float64(w)) // longer ways would take half of the time
			return e, err
		}
		return efficiencyOf(ctx, l, cells)
	})
}

// staticGrowth describes how the problem sizes of static and RP grow on one network under one σ.
type staticGrowth struct {
	network string
	sigma   float64
	static  lab.Growth
	rp      lab.Growth
}

// staticGrowths measures all networks and σ.
func staticGrowths(ctx context.Context, l *lab.Lab, k lab.Knobs, ranks []int, sigmas []float64) ([]staticGrowth, error) {
	n := len(staticNetworks) * len(sigmas)
	got, err := parallel.SideBySide(ctx, l.Workers, 2*n, func(ctx context.Context, i int) (lab.Growth, error) {
		net, sigma := staticNetworks[i%n/len(sigmas)], sigmas[i%len(sigmas)]
		m, err := k.MachineNamed("ncube2")
		if err != nil {
			return lab.Growth{}, err
		}
		m.Name, m.Topology, m.PerHop = net.name, net.topology, net.hop*m.PerHop
		scheme := []string{"static", "rp"}[i/n]
		return lab.FitGrowth(ranks, func(p int) (float64, error) { return halvingSize(ctx, l, k, m, scheme, p, sigma) })
	})
	if err != nil {
		return nil, err
	}
	var all []staticGrowth
	for i := range n {
		all = append(all, staticGrowth{staticNetworks[i/len(sigmas)].name, sigmas[i%len(sigmas)], got[i], got[n+i]})
	}
	return all, nil
}

// StaticIso compares the isoefficiency of static with that of random polling, over σ and over
// networks of growing diameter.
func StaticIso(ctx context.Context, l *lab.Lab, k lab.Knobs) (figure.Section, error) {
	all, err := staticGrowths(ctx, l, k, staticRanks, staticSigmas)
	if err != nil {
		return figure.Section{}, err
	}
	exponents := figure.Table{Name: "static-iso", Title: fmt.Sprintf("Exponents of P in W at efficiency %v, and W for P = %d", halvingTarget, staticRanks[len(staticRanks)-1]), Head: []string{
		"network", "σ", "necessary", "sufficient", "static", "R²", "RP", "R²", "W static", "W RP", "static/RP"}}
	exponents.Long = &figure.Long{Head: []string{"network", "σ", "necessary exponent", "sufficient exponent", "scheme", "exponent", "R²", "W"}}
	sizes := figure.Table{Name: "static-iso-sizes", Title: fmt.Sprintf("W at efficiency %v", halvingTarget), Spread: &figure.Spread{Keys: 3, Variable: "P", Value: "W"}, Head: []string{"network", "σ", "scheme"}}
	for _, p := range staticRanks {
		sizes.Head = append(sizes.Head, fmt.Sprintf("P = %d", p))
	}
	f := figure.Figure{Name: "static-iso", Title: fmt.Sprintf("W at efficiency %v on a hypercube", halvingTarget), X: "P", Y: "W", LogX: true, LogY: true}
	for _, g := range all {
		row := []string{g.network, fmt.Sprint(g.sigma), fmt.Sprintf("%.2f", necessaryExponent(g.sigma)), fmt.Sprintf("%.2f", sufficientExponent(g.sigma))}
		row = append(row, exponentCells(g.static)...)
		row = append(row, exponentCells(g.rp)...)
		row = append(row, lastSizeText(g.static), lastSizeText(g.rp), "")
		if a, b := g.static.Sizes[len(g.static.Sizes)-1], g.rp.Sizes[len(g.rp.Sizes)-1]; a > 0 && b > 0 {
			row[len(row)-1] = figure.FormatNumber(a / b)
		}
		exponents.AppendRow(row...)
		for _, s := range []struct {
			name string
			i    lab.Growth
		}{{"static", g.static}, {"RP", g.rp}} {
			exponents.Long.AppendRow(g.network, g.sigma, necessaryExponent(g.sigma), sufficientExponent(g.sigma), s.name,
				unlessZero(s.i.Exponent), unlessZero(s.i.R2), unlessZero(s.i.Sizes[len(s.i.Sizes)-1]))
			row := []string{g.network, fmt.Sprint(g.sigma), s.name}
			c := figure.Curve{Name: fmt.Sprintf("%s, σ = %v", s.name, g.sigma)}
			for i := range staticRanks {
				if i >= len(s.i.Sizes) || s.i.Sizes[i] == 0 {
					row = append(row, "–")
					continue
				}
				row = append(row, fmt.Sprintf("%.0f", s.i.Sizes[i]))
				c.X, c.Y = append(c.X, float64(staticRanks[i])), append(c.Y, s.i.Sizes[i])
			}
			sizes.AppendRow(row...)
			if g.network == staticNetworks[0].name && (s.name == "static" || g.sigma == 0) { // RP's curves are similar
				f.Curves = append(f.Curves, c)
			}
		}
	}
	return figure.Section{
		Title: "Static isoefficiency: static against random polling", Tables: []figure.Table{exponents, sizes}, Figures: []figure.Figure{f},
		Text: []string{
			fmt.Sprintf("Work that halves by the beta law in atoms of %d nodes, the nCUBE/2's costs, the mean over "+
				"%d trees; "+
				"W is the least problem size with efficiency %v, found by bisection, and the exponents are "+
				"fitted over P = %s.", halvingGrain, halvingRuns, halvingTarget, strings.Trim(fmt.Sprint(staticRanks), "[]")),
			"static has the k that is best for each size, found by trying; a halving on the way to a " +
				"part takes the time of a node. necessary and sufficient are the bounds of figure 2, which " +
				"are of the number of parts; the problem size grows by the ways too, a factor of k.",
		},
	}, nil
}

// exponentCells returns the cells of an exponent and its R².
func exponentCells(i lab.Growth) []string {
	if i.Exponent == 0 {
		return []string{"out of reach", ""}
	}
	return []string{fmt.Sprintf("%.2f", i.Exponent), fmt.Sprintf("%.3f", i.R2)}
}

// unlessZero returns a number, or nil if it is 0, which stands for an unknown one.
func unlessZero(x float64) any {
	if x == 0 {
		return nil
	}
	return x
}

// lastSizeText returns the problem size for the largest number of ranks.
func lastSizeText(i lab.Growth) string {
	if w := i.Sizes[len(i.Sizes)-1]; w > 0 {
		return fmt.Sprintf("%.0f", w)
	}
	return "–"
}
