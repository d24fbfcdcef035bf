package sanders

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"treesplit/comm"
	"treesplit/internal/parallel"
	"treesplit/search"
	"treesplit/sim"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// dynamicSchemes are the schemes with which static is compared.
var dynamicSchemes = []string{"arr", "nn", "grr", "grr-m", "rp", "sb", "lifeline", "shuffle"}

// startupFactors are the multiples of the nCUBE/2's t_s at which static is compared with the
// dynamic schemes.
var startupFactors = []float64{1. / 16, 1. / 4, 1, 4, 16, 64, 256}

// mostWays limits the time of the ways to parts, in units of W. More time would only pay where
// static is worse than all other schemes.
const mostWays = 4

// treeQuantum is the quantum on recorded trees. They are so large that it has hardly any effect.
const treeQuantum = 10

// contest is a workload on p ranks on which static is compared with the dynamic schemes.
type contest struct {
	workload string
	sigma    float64 // of halving work; below 0: unknown
	w        int64
	p        int
	cells    func(m sim.Machine, scheme string) []lab.Cell
}

// halvingContest returns a contest on halving work.
func halvingContest(k lab.Knobs, sigma float64, p, nodes int) contest {
	w := int64(p) * int64(nodes)
	return contest{
		workload: fmt.Sprintf("W/P = %d", nodes), sigma: sigma, w: w, p: p,
		cells: func(m sim.Machine, scheme string) []lab.Cell { return halvingCells(k, m, scheme, p, w, sigma) },
	}
}

// treeContest returns a contest on a recorded tree.
func treeContest(l *lab.Lab, k lab.Knobs, tree lab.Cell, p int) (contest, error) {
	t, err := l.RecordedTree(tree)
	if err != nil {
		return contest{}, err
	}
	return contest{
		workload: tree.WorkloadName(), sigma: -1, w: t.NodeCount(), p: p,
		cells: func(m sim.Machine, scheme string) []lab.Cell {
			cells := unpolledCells(k, m, scheme, p, treeQuantum)
			for i := range cells {
				cells[i].UTS, cells[i].Instance = tree.UTS, tree.Instance
				cells[i].Splitting = search.Splitting{Rule: k.Rule, MinOpen: k.MinOpen}
			}
			return cells
		},
	}, nil
}

// duel holds the results of static and of the best dynamic scheme at one t_s, both chosen after the
// runs.
type duel struct {
	startup comm.Time
	static  float64 // efficiency
	splits  int     // k, the best
	dynamic float64
	scheme  string // the best dynamic scheme
}

// staticWins reports whether static is better.
func (d duel) staticWins() bool { return d.static > d.dynamic }

// runDuelAt runs all schemes at one t_s. GRR-M's δ is three times t_s; a phase of poll and shuffle
// is ten times t_s.
func runDuelAt(ctx context.Context, l *lab.Lab, k lab.Knobs, c contest, startup comm.Time) (duel, error) {
	d := duel{startup: startup}
	m, err := k.MachineNamed("ncube2")
	if err != nil {
		return d, err
	}
	m.Startup = startup
	for _, scheme := range dynamicSchemes {
		cells := c.cells(m, scheme)
		for i := range cells {
			cells[i].Delay, cells[i].Tuning.Phase = (3 * startup).Duration(), (10 * startup).Duration()
		}
		e, err := efficiencyOf(ctx, l, cells)
		if err != nil {
			return d, err
		}
		if e > d.dynamic {
			d.dynamic, d.scheme = e, scheme
		}
	}
	d.static, d.splits, err = bestStatic(ctx, l, c.cells(m, "static"), mostWays*float64(c.w))
	return d, err
}

// crossover describes where static overtakes the best dynamic scheme. Static is worse at a t_s of
// low.startup, and better at high.startup and at every larger t_s that was tried. found is false if
// there is no such place; then always reports whether static was better at every t_s that was
// tried.
type crossover struct {
	duels         []duel // by startupFactors
	low, high     duel
	found, always bool
}

// crossoverOf runs duels at all startupFactors. Between the last factor at which static is worse
// and the next factor it bisects the logarithm of t_s to a tenth.
func crossoverOf(ctx context.Context, l *lab.Lab, k lab.Knobs, c contest) (crossover, error) {
	m, err := k.MachineNamed("ncube2")
	if err != nil {
		return crossover{}, err
	}
	var x crossover
	lost := -1
	for i, f := range startupFactors {
		d, err := runDuelAt(ctx, l, k, c, comm.Time(f*float64(m.Startup)))
		if err != nil {
			return x, err
		}
		x.duels = append(x.duels, d)
		if !d.staticWins() {
			lost = i
		}
	}
	x.always = lost < 0
	if x.found = !x.always && lost+1 < len(x.duels); !x.found {
		return x, nil
	}
	x.low, x.high = x.duels[lost], x.duels[lost+1]
	for float64(x.high.startup) > 1.1*float64(x.low.startup) {
		d, err := runDuelAt(ctx, l, k, c, comm.Time(math.Sqrt(float64(x.low.startup)*float64(x.high.startup))))
		if err != nil {
			return x, err
		}
		if d.staticWins() {
			x.high = d
		} else {
			x.low = d
		}
	}
	return x, nil
}

// findCrossovers finds the crossovers of many contests.
func findCrossovers(ctx context.Context, l *lab.Lab, k lab.Knobs, contests []contest) ([]crossover, error) {
	return parallel.SideBySide(ctx, l.Workers, len(contests), func(ctx context.Context, i int) (crossover, error) {
		return crossoverOf(ctx, l, k, contests[i])
	})
}

// allContests returns the contests of the experiment.
func allContests(l *lab.Lab, k lab.Knobs) ([]contest, error) {
	var all []contest
	for _, tree := range loadTrees {
		c, err := treeContest(l, k, tree, 64)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	for _, size := range []struct{ p, nodes int }{{256, 1000}, {64, 8000}, {64, 1000}} {
		for _, sigma := range []float64{0, 0.05, 0.1, 0.15, 0.2, 0.29} {
			all = append(all, halvingContest(k, sigma, size.p, size.nodes))
		}
	}
	return all, nil
}

// furtherContests returns contests on halving work for the choice of k alone. The first twenty had a part in the choice
// of the constants of lb.AutoSplits. The last ten were run after it.
func furtherContests(k lab.Knobs) (all []contest) {
	for _, size := range []struct {
		p, nodes int
		sigmas   []float64
	}{
		{128, 2000, []float64{0.05, 0.1, 0.15, 0.2, 0.25}}, {32, 4000, []float64{0.05, 0.1, 0.15, 0.2, 0.25}},
		{48, 5000, []float64{0.06, 0.11, 0.16, 0.21, 0.26}}, {200, 1300, []float64{0.06, 0.11, 0.16, 0.21, 0.26}},
		{24, 3500, []float64{0.07, 0.13, 0.18, 0.23, 0.28}}, {100, 2500, []float64{0.07, 0.13, 0.18, 0.23, 0.28}},
	} {
		for _, sigma := range size.sigmas {
			all = append(all, halvingContest(k, sigma, size.p, size.nodes))
		}
	}
	return all
}

// StaticCrossover finds where static beats every dynamic scheme: on slow networks with good
// splitting.
func StaticCrossover(ctx context.Context, l *lab.Lab, k lab.Knobs) (figure.Section, error) {
	contests, err := allContests(l, k)
	if err != nil {
		return figure.Section{}, err
	}
	all, err := findCrossovers(ctx, l, k, contests)
	if err != nil {
		return figure.Section{}, err
	}
	dealt := append(slices.Clone(contests), furtherContests(k)...)
	choices, err := splitChoices(ctx, l, k, dealt)
	if err != nil {
		return figure.Section{}, err
	}
	m, err := k.MachineNamed("ncube2")
	if err != nil {
		return figure.Section{}, err
	}
	return figure.Section{
		Title: "Static crossover: where static beats every dynamic scheme", Tables: []figure.Table{crossoverTable(contests, all, m.Startup), duelTable(contests, all), splitTable(dealt, choices)},
		Text: []string{
			fmt.Sprintf("The nCUBE/2 with another t_s, %v to %v times its own. "+
				"Dynamic: the best of %s, for each t_s. static: the best k, for each t_s; so both sides are "+
				"chosen by hindsight. "+
				"Halving work (its σ is given) is as in static-iso with W/P nodes per rank, the mean over %d "+
				"trees; recorded trees are dealt and searched %d times.", startupFactors[0], startupFactors[len(startupFactors)-1], strings.Join(dynamicSchemes, ", "), halvingRuns, halvingRuns),
			"The crossover lies between the largest t_s tried at which static is not better and the next, and is bisected to a tenth; the speedups beside it are those right above.",
			fmt.Sprintf("theorem 5: with ε = %v. by rule: the k of lb.CheapestSplits, with σ and W known. "+
				"sampled: the k of lb.AutoSplits; all ranks sample the tree first. again/W: the nodes of the samples and of the ways, divided by W. "+
				"In this table a speedup on halving work is the mean over %d trees.", ruleEpsilon, choiceRuns),
		},
	}, nil
}

// headCells returns a contest's columns of a table.
func (c contest) headCells() []string {
	sigma := "–"
	if c.sigma >= 0 {
		sigma = fmt.Sprint(c.sigma)
	}
	return []string{c.workload, sigma, fmt.Sprint(c.p)}
}

// crossoverTable lists the crossovers.
func crossoverTable(contests []contest, all []crossover, startup comm.Time) figure.Table {
	t := figure.Table{Name: "static-crossover", Title: "Where static overtakes the best dynamic scheme", Head: []string{
		"workload", "σ", "P", "t_s", "of the nCUBE/2's", "static", "k", "dynamic", "scheme"}}
	for i, x := range all {
		t.AppendRow(append(contests[i].headCells(), x.tableCells(startup, contests[i].p)...)...)
	}
	return t
}

// duelTable lists the speedups at all startupFactors.
func duelTable(contests []contest, all []crossover) figure.Table {
	t := figure.Table{Name: "static-crossover-speedups", Title: "Speedups of static with the best k and of the best dynamic scheme", Head: []string{
		"workload", "σ", "P", "t_s", "static", "k", "dynamic", "scheme", "better"}}
	for i, x := range all {
		c := contests[i]
		for _, d := range x.duels {
			better := d.scheme
			if d.staticWins() {
				better = "static"
			}
			t.AppendRow(append(c.headCells(), d.startup.Duration().String(), figure.FormatNumber(d.static*float64(c.p)), fmt.Sprint(d.splits), figure.FormatNumber(d.dynamic*float64(c.p)), d.scheme, better)...)
		}
	}
	return t
}

// tableCells returns a crossover's columns of its table.
func (x crossover) tableCells(startup comm.Time, p int) []string {
	first, last := x.duels[0].startup, x.duels[len(x.duels)-1].startup
	switch {
	case x.always:
		return []string{"below " + first.Duration().String(), "", "", "", "", ""}
	case !x.found:
		return []string{"none up to " + last.Duration().String(), "", "", "", "", ""}
	}
	at := math.Sqrt(float64(x.low.startup) * float64(x.high.startup))
	return []string{
		figure.FormatNumber(at/1000) + " µs", "× " + figure.FormatNumber(at/float64(startup)), figure.FormatNumber(x.high.static * float64(p)), fmt.Sprint(x.high.splits),
		figure.FormatNumber(x.high.dynamic * float64(p)), x.high.scheme,
	}
}
