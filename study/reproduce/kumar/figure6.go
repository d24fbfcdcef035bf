package kumar

import (
	"context"
	"fmt"
	"math"
	"time"

	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// ladder lists formulas of many sizes, from 10^4 to 10^7 nodes, for efficiencies as a function of
// W.
var ladder = []lab.Instance{
	{Variables: 36, Ratio: 4.6, Seed: 3}, {Variables: 40, Ratio: 4.6, Seed: 4}, {Variables: 44, Ratio: 4.6, Seed: 1}, {Variables: 48, Ratio: 4.6, Seed: 1}, {Variables: 50, Ratio: 5, Seed: 1}, {Variables: 52, Ratio: 5, Seed: 1},
	{Variables: 54, Ratio: 5, Seed: 1}, {Variables: 58, Ratio: 5, Seed: 2}, {Variables: 60, Ratio: 5, Seed: 1}, {Variables: 60, Ratio: 5, Seed: 5}, {Variables: 58, Ratio: 5, Seed: 8}, {Variables: 65, Ratio: 5, Seed: 2}, {Variables: 62, Ratio: 5, Seed: 5},
}

// isoRanks and isoEfficiencies are the numbers of ranks and the efficiencies of figure 6.
var (
	isoRanks        = []int{16, 32, 64, 128, 256, 512, 1024}
	isoEfficiencies = []float64{0.90, 0.85, 0.74, 0.64}
)

// measureEfficiencies runs a scheme on the instances of k for each number of ranks.
func measureEfficiencies(ctx context.Context, l *lab.Lab, k lab.Knobs, ranks []int, scheme string) (map[int][]figure.Point, error) {
	m, err := k.NCube2Machine()
	if err != nil {
		return nil, err
	}
	var cells []lab.Cell
	for _, p := range ranks {
		cells = append(cells, k.SchemeCells(m, scheme, p)...)
	}
	outcomes, err := l.RunCells(ctx, cells)
	points := map[int][]figure.Point{}
	for i, o := range outcomes {
		p := cells[i].P
		points[p] = append(points[p], figure.Point{W: float64(o.Nodes), Efficiency: o.Speedup() / float64(p)})
	}
	return points, err
}

// isoLine is the line of one efficiency: W as a function of P log² P.
type isoLine struct {
	efficiency float64
	p          []int
	x, w       []float64
	slope, r2  float64
}

// findIsoLines finds the points (W, P log² P) of equal efficiency under RP, for the instances of k
// on each number of ranks, and fits lines to them.
func findIsoLines(ctx context.Context, l *lab.Lab, k lab.Knobs, ranks []int) ([]isoLine, error) {
	points, err := measureEfficiencies(ctx, l, k, ranks, "rp")
	if err != nil {
		return nil, err
	}
	ceiling := float64(k.UCalc) / float64(k.UCalc+k.Poll/time.Duration(k.Quantum))
	var lines []isoLine
	for _, e := range isoEfficiencies {
		i := isoLine{efficiency: e}
		for _, p := range ranks {
			if w, ok := figure.SizeForEfficiency(points[p], e, ceiling); ok {
				lg := math.Log2(float64(p))
				i.p, i.x, i.w = append(i.p, p), append(i.x, float64(p)*lg*lg), append(i.w, w)
			}
		}
		if len(i.x) > 1 {
			_, i.slope, i.r2 = figure.FitLinear(i.x, i.w)
		}
		lines = append(lines, i)
	}
	return lines, nil
}

// Figure6 is Kumar et al., figure 6: isoefficiency lines of RP.
func Figure6(ctx context.Context, l *lab.Lab, k lab.Knobs) (figure.Section, error) {
	k.Instances = ladder
	lines, err := findIsoLines(ctx, l, k, isoRanks)
	if err != nil {
		return figure.Section{}, err
	}
	t := figure.Table{Name: "fig6", Title: "Problem size W that reaches an efficiency under RP", Head: []string{"E", "P", "P log² P", "W"}}
	f := figure.Figure{Name: "fig6", Title: "Points of equal efficiency under RP", X: "P log² P", Y: "W"}
	s := figure.Section{Title: "Figure 6: isoefficiency lines of RP", Text: []string{
		fmt.Sprintf("%d formulas of 10^4 to 10^7 nodes on every number of ranks; W is read off a line through log(E/(E₀−E)) over log W, E₀ being what polls leave.", len(ladder)),
	}}
	for _, i := range lines {
		for j, p := range i.p {
			t.AppendRow(fmt.Sprint(i.efficiency), fmt.Sprint(p), figure.FormatNumber(i.x[j]), fmt.Sprintf("%.0f", i.w[j]))
		}
		f.Curves = append(f.Curves, figure.Curve{Name: fmt.Sprintf("E = %v", i.efficiency), X: i.x, Y: i.w})
		s.Text = append(s.Text, fmt.Sprintf("E = %v: %d points, slope %.3g, R² = %.4f.", i.efficiency, len(i.p), i.slope, i.r2))
	}
	s.Tables, s.Figures = []figure.Table{t}, []figure.Figure{f}
	return s, nil
}
