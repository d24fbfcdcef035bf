package sanders

import (
	"context"
	"fmt"
	"math"
	"slices"

	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// growthPlan defines the runs to which the two bounds are fitted, on each network: every σ on up to
// most ranks, and every σ of largest on up to 65,536 ranks.
type growthPlan struct {
	machines []string
	ranks    []int
	sigmas   []float64
	most     int
	largest  []float64
	grains   []int64 // at shuffleSigma, in addition to shuffleGrain
}

var shuffleGrowthPlan = growthPlan{
	machines: []string{"ncube2", "mesh", "fattree"}, ranks: []int{64, 256, 1024, 4096, 16384, 65536},
	sigmas: []float64{0, 0.2, 0.3, 0.4}, most: 4096, largest: []float64{shuffleSigma},
	grains: []int64{2, 32, 128},
}

// growthPoint holds the overhead of poll and shuffle and of random polling, their time beyond
// T_seq/P, for one piece of work.
type growthPoint struct {
	contender
	h           float64
	shuffle, rp float64 // ms
}

// overheadOf returns the overhead of a scheme.
func (g growthPoint) overheadOf(scheme string) float64 {
	if scheme == "rp" {
		return g.rp
	}
	return g.shuffle
}

// law is a term with which an overhead may grow.
type law struct {
	name string
	of   func(g growthPoint) float64
}

// boundLaws are the terms of the two bounds (theorem 1).
var boundLaws = []law{
	{"h", func(g growthPoint) float64 { return g.h }},
	{"h log P", func(g growthPoint) float64 { return g.h * math.Log2(float64(g.p)) }},
}

// fitOverheadLaw fits the overheads of a scheme: a + b times the law.
func fitOverheadLaw(points []growthPoint, scheme string, l law) (a, b, r2 float64) {
	var x, y []float64
	for _, g := range points {
		x, y = append(x, l.of(g)), append(y, g.overheadOf(scheme))
	}
	return figure.FitLinear(x, y)
}

// measureOverheads measures the overheads of a plan on one machine, by σ and then P, followed by
// the overheads of the plan's grains.
func measureOverheads(ctx context.Context, l *lab.Lab, name string, plan growthPlan) ([]growthPoint, error) {
	m, err := builtinMachine(name)
	if err != nil {
		return nil, err
	}
	var points []growthPoint
	add := func(p int, sigma float64, grain int64) {
		c := shufflingContender(m, p)
		c.sigma, c.grain = sigma, grain
		points = append(points, growthPoint{contender: c})
	}
	for _, sigma := range plan.sigmas {
		for _, p := range plan.ranks {
			if p <= plan.most || slices.Contains(plan.largest, sigma) {
				add(p, sigma, shuffleGrain)
			}
		}
	}
	for _, grain := range plan.grains {
		for _, p := range plan.ranks {
			if p <= plan.most {
				add(p, shuffleSigma, grain)
			}
		}
	}
	return points, measureGrowth(ctx, l, points)
}

// measureGrowth fills in the overheads of points.
func measureGrowth(ctx context.Context, l *lab.Lab, points []growthPoint) error {
	var runs []contender
	for i := range points {
		g := &points[i]
		h, err := g.splitHeight()
		if err != nil {
			return err
		}
		g.h = float64(h)
		random := g.contender
		random.scheme = "rp"
		runs = append(runs, g.contender, random)
	}
	got, err := runAverages(ctx, l, runs)
	if err != nil {
		return err
	}
	for i := range points {
		g := &points[i]
		g.shuffle, g.rp = got[2*i].OverheadMillis(g.p), got[2*i+1].OverheadMillis(g.p)
	}
	return nil
}

// subset is a named subset of the points.
type subset struct {
	name   string
	points []growthPoint
}

// fittedSubsets returns the subsets to which the bounds are fitted.
func fittedSubsets(points []growthPoint) []subset {
	pick := func(want func(g growthPoint) bool) []growthPoint {
		return slices.DeleteFunc(slices.Clone(points), func(g growthPoint) bool { return !want(g) })
	}
	grown := func(g growthPoint) bool { return g.grain == shuffleGrain }
	all := []subset{
		{"σ and P varied", pick(grown)},
		{"P varied, σ = 0.3", pick(func(g growthPoint) bool { return grown(g) && g.sigma == shuffleSigma })},
		{"σ varied, P = 1024", pick(func(g growthPoint) bool { return grown(g) && g.p == 1024 })},
	}
	if fine := pick(func(g growthPoint) bool { return g.p == 1024 && g.sigma == shuffleSigma }); len(fine) > 2 {
		all = append(all, subset{"atoms varied, P = 1024", fine}, subset{"all", points})
	}
	return all
}

// ShuffleGrowth examines theorem 1: the overhead beyond T_seq/P is O(h) under poll and shuffle, and
// under random polling its bound is O(h log P).
func ShuffleGrowth(ctx context.Context, l *lab.Lab, _ lab.Knobs) (figure.Section, error) {
	plan := shuffleGrowthPlan
	s := figure.Section{Title: "Poll and shuffle: T_par − T_seq/P over h and P"}
	fits := figure.Table{Name: "shuffle-growth-fits", Title: "T_par − T_seq/P = a + b·x, in ms",
		Head: []string{"network", "runs", "scheme", "a, x = h", "b", "R²", "a, x = h log P", "b", "R²", "better"}}
	for i, name := range plan.machines {
		if i > 0 {
			plan.grains = nil
		}
		points, err := measureOverheads(ctx, l, name, plan)
		if err != nil {
			return figure.Section{}, err
		}
		t, f := growthTable(points), growthFigure(points)
		s.Tables, s.Figures = append(s.Tables, t), append(s.Figures, f)
		for _, set := range fittedSubsets(points) {
			for _, scheme := range []string{"shuffle", "rp"} {
				fits.AppendRow(append([]string{points[0].machine.Topology, set.name}, fitLawsRow(set.points, scheme)...)...)
			}
		}
	}
	epsilon, err := epsilonTable(ctx, l, 1024)
	if err != nil {
		return figure.Section{}, err
	}
	s.Tables = append(s.Tables, fits, epsilon)
	s.Text = []string{
		fmt.Sprintf("W/P = %d nodes of 50 µs, so that T_seq/P = 100 ms; pieces split by the two-point law, in "+
			"atoms of %d nodes where nothing else is said; h is the most splits in a row from the whole "+
			"to an atom. Costs are the nCUBE/2's on all networks. Means over 3 seeds up to P = 1024. "+
			"On the mesh and the fat tree cycles leave out dimensions as in sections 4.1 and 4.2.", shuffleNodes, shuffleGrain),
		"The a of a fit takes in what is a share of T_seq/P, the ε of theorem 1, since T_seq/P is " +
			"the same in all runs. ε itself is in the last table: polls take 6 % of both schemes' time, " +
			"and reports 1/16 of that of poll and shuffle.",
	}
	return s, nil
}

// fitLawsRow fits both laws to the overheads of a scheme.
func fitLawsRow(points []growthPoint, scheme string) []string {
	row := []string{scheme}
	better, most := "", math.Inf(-1)
	for _, law := range boundLaws {
		a, b, r2 := fitOverheadLaw(points, scheme, law)
		row = append(row, fmt.Sprintf("%.1f", a), fmt.Sprintf("%.3f", b), formatFraction(r2))
		if r2 > most {
			better, most = law.name, r2
		}
	}
	if !slices.ContainsFunc(points, func(g growthPoint) bool { return g.p != points[0].p }) {
		better = "–" // log P is the same for all points
	}
	return append(row, better)
}

// epsilonNodes are the W/P over which ε is fitted.
var epsilonNodes = []int64{1000, 2000, 5000, 10000, 20000}

// epsilonTable fits the other term of the bounds, (1+ε)·T_seq/P, on p ranks of a
// hypercube.
func epsilonTable(ctx context.Context, l *lab.Lab, p int) (figure.Table, error) {
	t := figure.Table{Name: "shuffle-growth-epsilon", Title: fmt.Sprintf("T_par = (1+ε)·T_seq/P + c over T_seq/P, P = %d on a hypercube, in ms", p), Head: []string{"scheme"}}
	for _, w := range epsilonNodes {
		t.Head = append(t.Head, fmt.Sprintf("T_par, W/P = %d", w))
	}
	t.Head = append(t.Head, "ε", "c", "R²")
	t.Long = &figure.Long{Head: []string{"scheme", "W/P", "T_par in ms", "T_par by the fit"}}
	m, err := builtinMachine("ncube2")
	if err != nil {
		return t, err
	}
	for _, c := range []contender{shufflingContender(m, p), pollingContender(m, p)} {
		var runs []contender
		for _, c.nodes = range epsilonNodes {
			runs = append(runs, c)
		}
		got, err := runAverages(ctx, l, runs)
		if err != nil {
			return t, err
		}
		row := []string{c.scheme}
		var x, y []float64
		for i, a := range got {
			least := float64(epsilonNodes[i]) * float64(m.Expand) / 1e6
			x, y = append(x, least), append(y, least+a.OverheadMillis(p))
			row = append(row, figure.FormatNumber(y[i]))
		}
		rest, slope, r2 := figure.FitLinear(x, y)
		for i, nodes := range epsilonNodes {
			t.Long.AppendRow(c.scheme, nodes, y[i], rest+slope*x[i])
		}
		t.AppendRow(append(row, formatFraction(slope-1), figure.FormatNumber(rest), fmt.Sprintf("%.5f", r2))...)
	}
	return t, nil
}

func growthTable(points []growthPoint) figure.Table {
	network := points[0].machine.Topology
	t := figure.Table{Name: "shuffle-growth-" + network, Title: fmt.Sprintf("T_par − T_seq/P on a %s, in ms", network), Head: []string{"σ", "atom", "P", "h", "shuffle", "RP", "shuffle/RP"}}
	t.Long = &figure.Long{Head: []string{"σ", "atom", "P", "h", "scheme", "T_par − T_seq/P in ms"}}
	for _, g := range points {
		for _, scheme := range []string{"shuffle", "rp"} {
			t.Long.AppendRow(g.sigma, g.grain, g.p, g.h, scheme, g.overheadOf(scheme))
		}
		t.AppendRow(fmt.Sprint(g.sigma), fmt.Sprint(g.grain), fmt.Sprint(g.p), fmt.Sprint(g.h), fmt.Sprintf("%.1f", g.shuffle), fmt.Sprintf("%.1f", g.rp), fmt.Sprintf("%.2f", g.shuffle/g.rp))
	}
	return t
}

func growthFigure(points []growthPoint) figure.Figure {
	network := points[0].machine.Topology
	f := figure.Figure{Name: "shuffle-growth-" + network, Title: fmt.Sprintf("Poll and shuffle and RP on a %s, σ = %v", network, shuffleSigma), X: "P", Y: "T_par − T_seq/P, ms", LogX: true}
	for _, scheme := range []string{"shuffle", "rp"} {
		c := figure.Curve{Name: scheme}
		for _, g := range points {
			if g.sigma == shuffleSigma && g.grain == shuffleGrain {
				c.X, c.Y = append(c.X, float64(g.p)), append(c.Y, g.overheadOf(scheme))
			}
		}
		f.Curves = append(f.Curves, c)
	}
	return f
}
