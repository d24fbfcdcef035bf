package sanders

import (
	"context"
	"fmt"
	"math"

	"treesplit/comm"
	"treesplit/sim"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// networkPlan defines the networks on which poll and shuffle is compared with random polling, and
// the factors of the nCUBE/2's t_h.
type networkPlan struct {
	machines []string
	ranks    []int
	hops     []float64
}

var shuffleNetworkPlan = networkPlan{
	machines: []string{"ncube2", "mesh3", "mesh", "ring", "fattree"}, ranks: []int{64, 256, 1024},
	hops: []float64{1, 10, 100, 1000},
}

// scaleHopTime multiplies t_h.
func scaleHopTime(m sim.Machine, f float64) sim.Machine {
	m.PerHop = comm.Time(math.Round(f * float64(m.PerHop)))
	return m
}

// leavesOut reports whether cycles leave out dimensions of a machine's network.
func leavesOut(m sim.Machine) bool { return m.Topology != "hypercube" }

// meanHopDistance returns the mean distance of two different ranks of p on a machine. It takes
// O(p²).
func meanHopDistance(m sim.Machine, p int) (float64, error) {
	network, err := m.SchemeNetwork(p)
	if err != nil {
		return 0, err
	}
	total := 0
	for a := range p {
		for b := range p {
			total += network.Distance(a, b)
		}
	}
	return float64(total) / float64(p*(p-1)), nil
}

// pollingRival returns random polling on the work and machine of a contender.
func (c contender) pollingRival() contender {
	c.scheme, c.tuning = "rp", lab.Tuning{}
	return c
}

// speedupRatio returns the speed of a contender divided by the speed of random polling.
func speedupRatio(ctx context.Context, l *lab.Lab, c contender) (float64, error) {
	got, err := runAverages(ctx, l, []contender{c, c.pollingRival()})
	if err != nil {
		return 0, err
	}
	return got[0].Speedup() / got[1].Speedup(), nil
}

// ShuffleNetwork compares poll and shuffle with random polling on networks with increasing costs of
// hops, and finds where poll and shuffle becomes faster.
func ShuffleNetwork(ctx context.Context, l *lab.Lab, _ lab.Knobs) (figure.Section, error) {
	plan := shuffleNetworkPlan
	efficiencies, err := networkTable(ctx, l, plan)
	if err != nil {
		return figure.Section{}, err
	}
	hops, err := hopCrossovers(ctx, l, plan)
	if err != nil {
		return figure.Section{}, err
	}
	ranks, err := rankCrossovers(ctx, l)
	if err != nil {
		return figure.Section{}, err
	}
	sizes, err := sizeCrossovers(ctx, l)
	if err != nil {
		return figure.Section{}, err
	}
	f, err := networkFigure(ctx, l, 1024, plan.hops)
	return figure.Section{
		Title:   "Poll and shuffle against random polling on networks",
		Tables:  []figure.Table{efficiencies, hops, ranks, sizes},
		Figures: []figure.Figure{f},
		Text: []string{
			fmt.Sprintf("W/P = %d nodes, which split by the two-point law with σ = %v. All costs except t_h are those of the "+
				"nCUBE/2. "+
				"Means over 3 seeds up to P = 1024. shuffle leaves out dimensions as in sections 4.1 and "+
				"4.2, always does so and shuffles after every cycle; all dimensions is a cycle as on a "+
				"hypercube, on the same machine.", shuffleNodes, shuffleSigma),
			"A message takes t_h for every hop. Messages do not wait for links; the experiment shuffle-contention has runs in which they do.",
			"Crossover points are found by bisection to a tenth, between decades of t_h or powers of 2 of P; the first place counts. t_h · hops is the way of a message between two ranks on average there.",
		},
	}, err
}

// networkVariants returns the variants of poll and shuffle that are compared with random polling.
func networkVariants(m sim.Machine, p int) []contender {
	always := shufflingContender(m, p)
	always.tuning.Trigger = "always"
	return []contender{pollingContender(m, p), shufflingContender(m, p), always, shufflingContender(m, p).allDimensions()}
}

// networkTable returns the efficiencies over network, P and t_h.
func networkTable(ctx context.Context, l *lab.Lab, plan networkPlan) (figure.Table, error) {
	t := figure.Table{Name: "shuffle-network", Title: "Efficiency over the cost of a hop", Spread: &figure.Spread{Keys: 3, Variable: "scheme", Value: "efficiency"}, Head: []string{"network", "P", "t_h", "RP", "shuffle", "always", "all dimensions"}}
	var runs []contender
	for _, name := range plan.machines {
		m, err := builtinMachine(name)
		if err != nil {
			return t, err
		}
		for _, p := range plan.ranks {
			for _, f := range plan.hops {
				runs = append(runs, networkVariants(scaleHopTime(m, f), p)...)
			}
		}
	}
	got, err := runAverages(ctx, l, runs)
	if err != nil {
		return t, err
	}
	for i := 0; i < len(runs); i += 4 {
		c := runs[i]
		row := []string{c.machine.Topology, fmt.Sprint(c.p), figure.Span(c.machine.PerHop.Duration())}
		for j, a := range got[i : i+4] {
			if j == 3 && !leavesOut(c.machine) {
				row = append(row, "–")
				continue
			}
			row = append(row, formatFraction(a.Efficiency(c.p)))
		}
		t.AppendRow(row...)
	}
	return t, nil
}

// networkFigure draws the efficiencies on a mesh over t_h.
func networkFigure(ctx context.Context, l *lab.Lab, p int, hops []float64) (figure.Figure, error) {
	f := figure.Figure{Name: "shuffle-network", Title: fmt.Sprintf("Poll and shuffle and RP on a mesh, P = %d", p), X: "t_h / t_h of the nCUBE/2", Y: "efficiency", LogX: true}
	m, err := builtinMachine("mesh")
	if err != nil {
		return f, err
	}
	f.Curves = []figure.Curve{{Name: "RP"}, {Name: "shuffle"}, {Name: "always"}, {Name: "all dimensions"}}
	for _, times := range hops {
		got, err := runAverages(ctx, l, networkVariants(scaleHopTime(m, times), p))
		if err != nil {
			return f, err
		}
		for i, a := range got {
			f.Curves[i].X, f.Curves[i].Y = append(f.Curves[i].X, times), append(f.Curves[i].Y, a.Efficiency(p))
		}
	}
	return f, nil
}
