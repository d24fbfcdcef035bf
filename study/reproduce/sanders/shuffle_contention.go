package sanders

import (
	"context"
	"fmt"

	"treesplit/sim"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// Poll and shuffle against random polling while messages wait for links (sim.Contention). Section
// 2.1 of the paper routes packets, which is store-and-forward. Section 6.1 argues that poll and
// shuffle also helps under cut-through routing on meshes, because it leaves each message more
// bandwidth; there the messages are long, and the tree of figure 3 needs many of them.

// contentionPlan defines the runs of the experiment.
type contentionPlan struct {
	machines  []string
	ranks     []int
	hops      []float64 // factors of the nCUBE/2's t_h
	crossings int       // ranks on which crossovers in t_h are searched
	bytes     []int64   // sizes of work messages
	thorns    []int     // of a branch of figure 3's tree; 0: halvings
	long      int       // ranks of the runs over bytes and thorns
}

var shuffleContentionPlan = contentionPlan{
	machines: []string{"mesh", "fattree"}, ranks: []int{256, 1024}, hops: []float64{1, 10, 100},
	crossings: 256, bytes: []int64{500, 5000}, thorns: []int{0, 64}, long: 256,
}

// contentions are the ways to use links.
var contentions = []sim.Contention{sim.NoContention, sim.CutThrough, sim.StoreAndForward}

// contentionRow is a row of a table: a machine with a number of ranks, and its first columns.
type contentionRow struct {
	machine sim.Machine
	p       int
	thorns  int
	cells   []string
}

// contentionRows returns a row for each kind of contention.
func (r contentionRow) contentionRows() (all []contentionRow) {
	for _, c := range contentions {
		row := r
		row.machine.Contention = c
		row.cells = append(append([]string(nil), r.cells...), c.String())
		all = append(all, row)
	}
	return all
}

// efficiencyTable runs random polling and the variants of poll and shuffle on each row.
func efficiencyTable(ctx context.Context, l *lab.Lab, t figure.Table, rows []contentionRow) (figure.Table, error) {
	t.Spread = &figure.Spread{Keys: len(t.Head), Variable: "scheme", Value: "efficiency"}
	t.Head = append(t.Head, "RP", "shuffle", "always", "all dimensions")
	var runs []contender
	for _, r := range rows {
		for _, c := range networkVariants(r.machine, r.p) {
			c.thorn = r.thorns
			runs = append(runs, c)
		}
	}
	got, err := runAverages(ctx, l, runs)
	if err != nil {
		return t, err
	}
	n := len(runs) / len(rows)
	for i, r := range rows {
		for _, a := range got[i*n : (i+1)*n] {
			r.cells = append(r.cells, formatFraction(a.Efficiency(r.p)))
		}
		t.AppendRow(r.cells...)
	}
	return t, nil
}

// contentionRows returns the rows over networks, ranks and t_h.
func (plan contentionPlan) contentionRows() (rows []contentionRow, err error) {
	for _, name := range plan.machines {
		for _, p := range plan.ranks {
			for _, f := range plan.hops {
				m, err := builtinMachine(name)
				if err != nil {
					return nil, err
				}
				m = scaleHopTime(m, f)
				rows = append(rows, contentionRow{machine: m, p: p, cells: []string{m.Topology, fmt.Sprint(p), figure.Span(m.PerHop.Duration())}}.contentionRows()...)
			}
		}
	}
	return rows, nil
}

// longRows returns the rows over work, sizes of work messages and networks.
func (plan contentionPlan) longRows() (rows []contentionRow, err error) {
	for _, name := range plan.machines {
		for _, thorns := range plan.thorns {
			for _, bytes := range plan.bytes {
				m, err := builtinMachine(name)
				if err != nil {
					return nil, err
				}
				m.Work = sim.WorkSize{Rule: sim.Fixed, Bytes: bytes}
				work := "halvings"
				if thorns > 0 {
					work = fmt.Sprintf("%d thorns", thorns)
				}
				rows = append(rows, contentionRow{machine: m, p: plan.long, thorns: thorns, cells: []string{m.Topology, work, fmt.Sprint(bytes)}}.contentionRows()...)
			}
		}
	}
	return rows, nil
}

// contentionCrossovers finds the t_h from which on poll and shuffle is faster, with contention.
func contentionCrossovers(ctx context.Context, l *lab.Lab, plan contentionPlan) (figure.Table, error) {
	t := figure.Table{Name: "shuffle-contention-hops", Title: fmt.Sprintf("From which t_h on poll and shuffle is faster than RP on %d ranks, in the nCUBE/2's t_h of 2 µs", plan.crossings),
		Head: append([]string{"network", "contention"}, crossoverHead...)}
	var places []place
	var names [][]string
	for _, name := range plan.machines {
		for _, c := range contentions {
			m, err := builtinMachine(name)
			if err != nil {
				return t, err
			}
			m.Contention = c
			places = append(places, place{machine: m, p: plan.crossings})
			names = append(names, []string{m.Topology, c.String()})
		}
	}
	return hopCrossoverTable(ctx, l, t, places, names)
}

// ShuffleContention compares poll and shuffle with random polling on networks whose links carry one
// message at a time.
func ShuffleContention(ctx context.Context, l *lab.Lab, _ lab.Knobs) (figure.Section, error) {
	plan := shuffleContentionPlan
	rows, err := plan.contentionRows()
	if err != nil {
		return figure.Section{}, err
	}
	hops, err := efficiencyTable(ctx, l, figure.Table{Name: "shuffle-contention", Title: "Efficiency with and without contention for links", Head: []string{"network", "P", "t_h", "contention"}}, rows)
	if err != nil {
		return figure.Section{}, err
	}
	crossovers, err := contentionCrossovers(ctx, l, plan)
	if err != nil {
		return figure.Section{}, err
	}
	if rows, err = plan.longRows(); err != nil {
		return figure.Section{}, err
	}
	long, err := efficiencyTable(ctx, l, figure.Table{Name: "shuffle-contention-bytes", Title: fmt.Sprintf("Efficiency over the size of a work message on %d ranks", plan.long), Head: []string{"network", "work", "bytes", "contention"}}, rows)
	return figure.Section{
		Title:  "Poll and shuffle with contention for links",
		Tables: []figure.Table{hops, crossovers, long},
		Text: []string{
			fmt.Sprintf("W/P = %d nodes, which split by the two-point law with σ = %v, or the tree of figure 3 with the given "+
				"number of thorns of each branch. All costs except t_h are the costs of the nCUBE/2. Means over 3 seeds. The "+
				"columns are the columns of shuffle-network.", shuffleNodes, shuffleSigma),
			"none: links carry any number of messages at once. cut-through: a link carries one message at a time; a message takes " +
				"t_h for every hop and t_w for every word. store-and-forward: a message takes t_h and t_w for every word on each hop.",
		},
	}, err
}
