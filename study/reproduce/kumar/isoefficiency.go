package kumar

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"treesplit/internal/parallel"
	"treesplit/search"
	"treesplit/sim"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// The isoefficiency of table 1 is about growth. Its runs therefore use divisible work under
// α-splitting, which has any size without a formula for each.
const (
	isoTarget = 0.7 // the constant efficiency
	isoAlpha  = 0.1
)

var table1Ranks = []int{8, 16, 32, 64, 128}

// architectures are the rows of table 1 and the machines that represent them: the nCUBE/2's costs
// on each network.
var architectures = []struct{ row, machine string }{
	{"SM", "crossbar"}, {"Cube", "hypercube"}, {"Ring", "ring"}, {"Mesh", "mesh"}, {"WS", "bus"},
}

// laws are the growth laws that table 1 prints, by row and column, without constants. Most are upper
// bounds. NN's laws on the cube, the ring and the mesh are lower bounds: Ω(P^(log2((1+1/α)/2))), see
// appendix B, Ω(K^P) and Ω(K^√P). The last two are exponential and have no exponent.
var laws = map[string]map[string]func(p, lg float64) float64{
	"SM": {
		"ARR": func(p, lg float64) float64 { return p * p * lg }, "NN": func(p, lg float64) float64 { return p * p * lg },
		"GRR": func(p, lg float64) float64 { return p * p * lg }, "GRR-M": func(p, lg float64) float64 { return p * lg },
		"RP": func(p, lg float64) float64 { return p * lg * lg },
	},
	"Cube": {
		"ARR": func(p, lg float64) float64 { return p * p * lg * lg }, "NN": func(p, _ float64) float64 { return math.Pow(p, math.Log2((1+1/isoAlpha)/2)) },
		"GRR":   func(p, lg float64) float64 { return p * p * lg },
		"GRR-M": func(p, lg float64) float64 { return p * lg * lg }, "RP": func(p, lg float64) float64 { return p * lg * lg * lg },
	},
	"Ring": {
		"ARR": func(p, lg float64) float64 { return p * p * p * lg }, "GRR": func(p, lg float64) float64 { return p * p * lg },
		"RP": func(p, lg float64) float64 { return p * p * lg * lg },
	},
	"Mesh": {
		"ARR": func(p, lg float64) float64 { return math.Pow(p, 2.5) * lg }, "GRR": func(p, lg float64) float64 { return p * p * lg },
		"GRR-M": func(p, lg float64) float64 { return math.Pow(p, 1.5) * lg }, "RP": func(p, lg float64) float64 { return math.Pow(p, 1.5) * lg * lg },
	},
	"WS": {
		"ARR": func(p, lg float64) float64 { return p * p * p * lg }, "NN": func(p, lg float64) float64 { return p * p * p * lg },
		"GRR": func(p, lg float64) float64 { return p * p * lg }, "RP": func(p, lg float64) float64 { return p * p * lg * lg },
	},
}

// divisibleCell returns a run on divisible work.
func divisibleCell(k lab.Knobs, m sim.Machine, scheme string, p int, w int64) lab.Cell {
	m.Quantum, m.Poll = 10, 0
	return lab.Cell{
		Divisible: w, Alpha: isoAlpha, Machine: m, P: p, Scheme: scheme, Termination: "tree", Seed: 1,
		Delay: k.Delay, Splitting: search.Splitting{MinOpen: 64},
	}
}

// sizeAtTarget returns the problem size at which p ranks reach isoTarget, or 0 if 2^29 nodes are
// not enough.
func sizeAtTarget(ctx context.Context, l *lab.Lab, k lab.Knobs, m sim.Machine, scheme string, p int) (float64, error) {
	return figure.LeastSize(float64(p)*200, isoTarget, 1<<29, func(w int64) (float64, error) {
		o, err := l.RunCells(ctx, []lab.Cell{divisibleCell(k, m, scheme, p, w)})
		if err != nil {
			return 0, err
		}
		return o[0].Speedup() / float64(p), nil
	})
}

// schemeGrowth measures one entry of table 1.
func schemeGrowth(ctx context.Context, l *lab.Lab, k lab.Knobs, m sim.Machine, scheme string) (lab.Growth, error) {
	return lab.FitGrowth(table1Ranks, func(p int) (float64, error) { return sizeAtTarget(ctx, l, k, m, scheme, p) })
}

// lawExponent returns the exponent of a printed law over some numbers of ranks.
func lawExponent(law func(p, lg float64) float64, ranks []int) float64 {
	var x, y []float64
	for _, p := range ranks {
		x, y = append(x, float64(p)), append(y, law(float64(p), math.Log2(float64(p))))
	}
	e, _ := figure.FitExponent(x, y)
	return e
}

// fittedRanks returns the numbers of ranks whose sizes an exponent is fitted to. If there is no exponent,
// it returns all of them.
func fittedRanks(g lab.Growth) []int {
	if first := slices.Index(g.Sizes, 0); first >= 0 && g.Exponent != 0 {
		return table1Ranks[:first]
	}
	return table1Ranks
}

// Table1 is Kumar et al., table 1: isoefficiency functions. The entries run at the same time.
func Table1(ctx context.Context, l *lab.Lab, k lab.Knobs) (figure.Section, error) {
	columns := []string{"ARR", "NN", "GRR", "GRR-M", "RP"}
	results := map[string]lab.Growth{}
	var names []string
	for _, a := range architectures {
		for _, c := range columns {
			names = append(names, a.row+" "+c)
		}
	}
	k.Delay = 300 * time.Microsecond
	all, err := parallel.SideBySide(ctx, l.Workers, len(names), func(ctx context.Context, i int) (lab.Growth, error) {
		a := architectures[i/len(columns)]
		m, err := k.MachineNamed("ncube2")
		if err != nil {
			return lab.Growth{}, err
		}
		m.Name, m.Topology = a.machine, a.machine
		return schemeGrowth(ctx, l, k, m, schemeOf[columns[i%len(columns)]])
	})
	if err != nil {
		return figure.Section{}, err
	}
	for i, name := range names {
		results[name] = all[i]
	}
	return table1Section(columns, results), nil
}

func table1Section(columns []string, results map[string]lab.Growth) figure.Section {
	t := figure.Table{Name: "table1", Title: fmt.Sprintf("Growth of W at efficiency %v: exponent of P, fitted to the reachable sizes for P = %v, and the exponent of the printed law over the same P", isoTarget, strings.Trim(fmt.Sprint(table1Ranks), "[]")),
		Head: []string{"network"}}
	for _, c := range columns {
		t.Head = append(t.Head, c+" law", "ours", "R²")
	}
	for _, a := range architectures {
		row := []string{a.row}
		for _, c := range columns {
			r := results[a.row+" "+c]
			law := "–"
			if f := laws[a.row][c]; f != nil {
				law = fmt.Sprintf("%.2f", lawExponent(f, fittedRanks(r)))
			}
			if r.Exponent == 0 {
				row = append(row, law, "out of reach", "")
				continue
			}
			row = append(row, law, fmt.Sprintf("%.2f", r.Exponent), fmt.Sprintf("%.3f", r.R2))
		}
		t.AppendRow(row...)
	}
	return figure.Section{
		Title: "Table 1: isoefficiency functions", Tables: []figure.Table{t},
		Text: []string{
			fmt.Sprintf("Divisible work under α-splitting with α = %v, the nCUBE/2's costs on every network; W is the least problem size with efficiency %v, found by bisection.", isoAlpha, isoTarget),
			"Most printed laws are upper bounds for the largest P; over a few powers of two the part of " +
				"the overhead that does not grow with the law still counts, so ours are mostly below. " +
				"NN's laws on the cube, rings and meshes are lower bounds. The law on the cube depends on α. " +
				"The laws on rings and meshes are exponential and have no exponent to compare.",
		},
	}
}
