package reproduce

import (
	"context"
	"fmt"
	"math"

	"treesplit/comm"
	"treesplit/sim"
	"treesplit/study/figure"
)

// networkPlan says on which networks poll and shuffle meets random polling, and at how
// many times the nCUBE/2's t_h.
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

// meanHopDistance is the mean distance of two different ranks of p on a machine. O(p²).
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

// pollingRival is random polling on the work and machine of a contender.
func (c contender) pollingRival() contender {
	c.scheme, c.tuning = "rp", Tuning{}
	return c
}

// speedupRatio is how many times as fast as random polling a contender is.
func (l *Lab) speedupRatio(ctx context.Context, c contender) (float64, error) {
	got, err := l.runAverages(ctx, []contender{c, c.pollingRival()})
	if err != nil {
		return 0, err
	}
	return got[0].Speedup() / got[1].Speedup(), nil
}

// shuffleNetwork sets poll and shuffle beside random polling on networks whose hops cost
// more and more, and finds where it overtakes it.
func shuffleNetwork(ctx context.Context, l *Lab, _ Knobs) (Section, error) {
	plan := shuffleNetworkPlan
	efficiencies, err := l.networkTable(ctx, plan)
	if err != nil {
		return Section{}, err
	}
	hops, err := l.hopCrossovers(ctx, plan)
	if err != nil {
		return Section{}, err
	}
	ranks, err := l.rankCrossovers(ctx)
	if err != nil {
		return Section{}, err
	}
	sizes, err := l.sizeCrossovers(ctx)
	if err != nil {
		return Section{}, err
	}
	f, err := l.networkFigure(ctx, 1024, plan.hops)
	return Section{
		Title:   "Poll and shuffle against random polling on networks",
		Tables:  []Table{efficiencies, hops, ranks, sizes},
		Figures: []Figure{f},
		Text: []string{
			fmt.Sprintf("W/P = %d nodes that split by the two-point law with σ = %v; the nCUBE/2's costs but for "+
				"t_h. "+
				"Means over 3 seeds up to P = 1024. shuffle leaves out dimensions as in sections 4.1 and "+
				"4.2, always does so and shuffles after every cycle; all dimensions is a cycle as on a "+
				"hypercube, on the same machine.", shuffleNodes, shuffleSigma),
			"A message takes t_h for every hop. Links are not shared: what a shuffle of all work at a time does to the network's bisection is not in these times, and would be to its disadvantage.",
			"Crossover points are found by bisection to a tenth, between decades of t_h or powers of 2 of P; the first place counts. t_h · hops is the way of a message between two ranks on average there.",
		},
	}, err
}

// networkVariants are the ways to shuffle that are set beside random polling.
func networkVariants(m sim.Machine, p int) []contender {
	always := shufflingContender(m, p)
	always.tuning.Trigger = "always"
	return []contender{pollingContender(m, p), shufflingContender(m, p), always, shufflingContender(m, p).allDimensions()}
}

// networkTable is the efficiencies over network, P and t_h.
func (l *Lab) networkTable(ctx context.Context, plan networkPlan) (Table, error) {
	t := Table{Name: "shuffle-network", Title: "Efficiency over the cost of a hop", Head: []string{"network", "P", "t_h", "RP", "shuffle", "always", "all dimensions"}}
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
	got, err := l.runAverages(ctx, runs)
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
			row = append(row, formatFraction(a.efficiency(c.p)))
		}
		t.AppendRow(row...)
	}
	return t, nil
}

// networkFigure is the efficiencies on a mesh over t_h.
func (l *Lab) networkFigure(ctx context.Context, p int, hops []float64) (Figure, error) {
	f := Figure{Name: "shuffle-network", Title: fmt.Sprintf("Poll and shuffle and RP on a mesh, P = %d", p), X: "t_h, in that of the nCUBE/2", Y: "efficiency", LogX: true}
	m, err := builtinMachine("mesh")
	if err != nil {
		return f, err
	}
	f.Curves = []Curve{{Name: "RP"}, {Name: "shuffle"}, {Name: "always"}, {Name: "all dimensions"}}
	for _, times := range hops {
		got, err := l.runAverages(ctx, networkVariants(scaleHopTime(m, times), p))
		if err != nil {
			return f, err
		}
		for i, a := range got {
			f.Curves[i].X, f.Curves[i].Y = append(f.Curves[i].X, times), append(f.Curves[i].Y, a.efficiency(p))
		}
	}
	return f, nil
}
