package sanders

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"treesplit/internal/parallel"
	"treesplit/sim"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// hopDecades are the multiples of the nCUBE/2's t_h between which crossovers are searched.
var hopDecades = []float64{0.1, 1, 10, 100, 1000}

// overtaking describes where poll and shuffle overtakes random polling: at x, which is the first of
// the tried places if first is set; or nowhere up to limit.
type overtaking struct {
	x, limit float64
	ratio    float64 // of the speeds there
	found    bool
	first    bool // overtakes at the first place
}

// String returns the place, or the limit up to which there is none.
func (o overtaking) String() string {
	switch {
	case !o.found:
		return fmt.Sprintf("none up to %.0f", o.limit)
	case o.first:
		return "≤ " + strconv.FormatFloat(o.x, 'f', -1, 64)
	case o.x == math.Trunc(o.x):
		return fmt.Sprintf("%.0f", o.x)
	}
	return fmt.Sprintf("%.3g", o.x)
}

// overtakes tries places in ascending order until the contender that maker returns for the place is
// as fast as random polling. It then bisects the interval before that place, to a factor of within.
func overtakes(ctx context.Context, l *lab.Lab, places []float64, within float64, maker func(x float64) contender) (overtaking, error) {
	o := overtaking{limit: places[len(places)-1]}
	low := 0.0
	for i, x := range places {
		ratio, err := speedupRatio(ctx, l, maker(x))
		if err != nil {
			return o, err
		}
		if ratio >= 1 {
			o.x, o.ratio, o.found, o.first = x, ratio, true, i == 0
			break
		}
		low = x
	}
	if !o.found || o.first {
		return o, nil
	}
	for o.x/low > within {
		x := math.Sqrt(low * o.x)
		ratio, err := speedupRatio(ctx, l, maker(x))
		if err != nil {
			return o, err
		}
		if ratio >= 1 {
			o.x, o.ratio = x, ratio
		} else {
			low = x
		}
	}
	return o, nil
}

// overtakesAtHops finds the t_h, in units of a machine's t_h, from which on poll and shuffle
// overtakes random polling. The cycle has all dimensions, or leaves out those that the paper leaves
// out.
func overtakesAtHops(ctx context.Context, l *lab.Lab, m sim.Machine, p int, all bool) (overtaking, error) {
	return overtakes(ctx, l, hopDecades, 1.1, func(f float64) contender {
		c := shufflingContender(scaleHopTime(m, f), p)
		if all {
			c = c.allDimensions()
		}
		return c
	})
}

// findBothWays calls find twice for each of n rows: for cycles that leave out dimensions and for
// cycles that do not.
func findBothWays(ctx context.Context, l *lab.Lab, n int, find func(ctx context.Context, row int, all bool) (overtaking, error)) ([][2]overtaking, error) {
	found, err := parallel.SideBySide(ctx, l.Workers, 2*n, func(ctx context.Context, i int) (overtaking, error) {
		return find(ctx, i/2, i%2 == 1)
	})
	if err != nil {
		return nil, err
	}
	rows := make([][2]overtaking, n)
	for i, o := range found {
		rows[i/2][i%2] = o
	}
	return rows, nil
}

// place is a machine with a number of ranks.
type place struct {
	machine sim.Machine
	p       int
	most    int // largest number of ranks, in searches for P
}

// hopCrossoverCells returns the cells of one crossover in a table of crossovers in t_h.
func (at place) hopCrossoverCells(o overtaking) ([]string, error) {
	if !o.found {
		return []string{o.String(), "–"}, nil
	}
	hops, err := meanHopDistance(at.machine, at.p)
	if err != nil {
		return nil, err
	}
	way := hops * float64(scaleHopTime(at.machine, o.x).PerHop)
	return []string{o.String(), fmt.Sprintf("%.1f", way/float64(at.machine.Startup))}, nil
}

// crossoverHead holds the headings of crossovers in t_h.
var crossoverHead = []string{"shuffle: t_h", "t_h · hops / t_s", "all dimensions: t_h", "t_h · hops / t_s"}

// hopCrossoverTable finds crossovers in t_h at places and lists them, with a name for each place.
func hopCrossoverTable(ctx context.Context, l *lab.Lab, t figure.Table, places []place, names [][]string) (figure.Table, error) {
	rows, err := findBothWays(ctx, l, len(places), func(ctx context.Context, i int, all bool) (overtaking, error) {
		return overtakesAtHops(ctx, l, places[i].machine, places[i].p, all)
	})
	if err != nil {
		return t, err
	}
	for i, pair := range rows {
		row := names[i]
		for _, o := range pair {
			cells, err := places[i].hopCrossoverCells(o)
			if err != nil {
				return t, err
			}
			row = append(row, cells...)
		}
		t.AppendRow(row...)
	}
	return t, nil
}

// hopCrossovers finds the t_h from which on poll and shuffle is faster.
func hopCrossovers(ctx context.Context, l *lab.Lab, plan networkPlan) (figure.Table, error) {
	t := figure.Table{Name: "shuffle-crossover-hops", Title: "From which t_h on poll and shuffle is faster than RP, in the nCUBE/2's t_h of 2 µs",
		Head: append([]string{"network", "P"}, crossoverHead...)}
	var places []place
	var names [][]string
	for _, name := range plan.machines {
		m, err := builtinMachine(name)
		if err != nil {
			return t, err
		}
		for _, p := range plan.ranks {
			places = append(places, place{machine: m, p: p})
			names = append(names, []string{m.Topology, fmt.Sprint(p)})
		}
	}
	return hopCrossoverTable(ctx, l, t, places, names)
}

// sizeCrossovers finds crossovers in t_h for other sizes of work messages, on a mesh.
func sizeCrossovers(ctx context.Context, l *lab.Lab) (figure.Table, error) {
	t := figure.Table{Name: "shuffle-crossover-bytes", Title: "The same on a mesh of 1024 ranks, over the size of a work message",
		Head: append([]string{"bytes"}, crossoverHead...)}
	m, err := builtinMachine("mesh")
	if err != nil {
		return t, err
	}
	var places []place
	var names [][]string
	for _, size := range []sim.WorkSize{
		{Rule: sim.Fixed, Bytes: 50}, {Rule: sim.Fixed, Bytes: 500}, {Rule: sim.Fixed, Bytes: 5000}, {Rule: sim.Fixed, Bytes: 50000},
		{Rule: sim.Sqrt, Bytes: lab.GrowingBytes},
	} {
		m.Work = size
		places = append(places, place{machine: m, p: 1024})
		names = append(names, []string{size.String()})
	}
	return hopCrossoverTable(ctx, l, t, places, names)
}

// rankPlan defines where crossovers in P are searched: up to most ranks.
var rankPlan = []struct {
	machine string
	hops    float64
	most    int
}{
	{"ncube2", 1, 16384}, {"ncube2", 10, 16384}, {"ncube2", 100, 16384},
	{"mesh3", 1, 16384}, {"mesh3", 10, 16384}, {"mesh3", 100, 16384},
	{"mesh", 1, 65536}, {"mesh", 10, 16384}, {"mesh", 100, 16384},
	{"ring", 1, 16384}, {"ring", 10, 16384}, {"ring", 100, 16384},
	{"fattree", 1, 16384}, {"fattree", 10, 16384}, {"fattree", 100, 16384},
}

// rankCrossovers finds the number of ranks from which on poll and shuffle is faster.
func rankCrossovers(ctx context.Context, l *lab.Lab) (figure.Table, error) {
	t := figure.Table{Name: "shuffle-crossover-ranks", Title: "From which P on, of 16, 32, …, poll and shuffle is faster than RP, and by how much there",
		Head: []string{"network", "t_h", "shuffle: P", "RP/shuffle", "all dimensions: P", "RP/shuffle"}}
	places := make([]place, len(rankPlan))
	for i, r := range rankPlan {
		m, err := builtinMachine(r.machine)
		if err != nil {
			return t, err
		}
		places[i] = place{machine: scaleHopTime(m, r.hops), most: r.most}
	}
	rows, err := findBothWays(ctx, l, len(places), func(ctx context.Context, i int, all bool) (overtaking, error) {
		return overtakesAtRanks(ctx, l, places[i], all)
	})
	if err != nil {
		return t, err
	}
	for i, pair := range rows {
		row := []string{places[i].machine.Topology, figure.Span(places[i].machine.PerHop.Duration())}
		for _, o := range pair {
			ratio := "–"
			if o.found {
				ratio = fmt.Sprintf("%.2f", o.ratio)
			}
			row = append(row, o.String(), ratio)
		}
		t.AppendRow(row...)
	}
	return t, nil
}

// overtakesAtRanks finds the power of 2 from which on poll and shuffle overtakes random polling.
func overtakesAtRanks(ctx context.Context, l *lab.Lab, at place, all bool) (overtaking, error) {
	var powers []float64
	for p := 16; p <= at.most; p *= 2 {
		powers = append(powers, float64(p))
	}
	return overtakes(ctx, l, powers, 2, func(p float64) contender {
		c := shufflingContender(at.machine, int(p))
		if all {
			c = c.allDimensions()
		}
		return c
	})
}
