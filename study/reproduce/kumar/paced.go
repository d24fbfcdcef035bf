package kumar

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"treesplit/comm"
	"treesplit/internal/parallel"
	"treesplit/local"
	"treesplit/pace"
	"treesplit/search/replay"
	"treesplit/sim"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
	"treesplit/study/reproduce/printed"
)

// Table3Schemes are the schemes of table 3 on the command line, in the order of the columns.
var Table3Schemes = []string{"arr", "grr-m", "rp", "nn", "grr", "sb"}

// Emulation is how table 3 is measured on paced ranks instead of simulated ones.
type Emulation struct {
	Ranks    []int     // the rows
	Node     comm.Time // time of a node; all other costs of the nCUBE/2 grow or shrink with it
	Formulas int       // the first formulas of the knobs
	// Variables replaces the number of variables of all formulas, and so the size of their trees; 0: the
	// numbers of the knobs.
	Variables int
	Name      string   // of the table
	Runtime   string   // what the ranks are, and what they do not emulate, as the beginning of a sentence
	Schemes   []string // some of Table3Schemes; nil: all
	// AtOnce bounds the number of ranks of all runs that are made at the same time, unless one run has
	// more; 0: no bound.
	AtOnce int
	// Run makes one run on real ranks. Several runs are made at the same time.
	Run func(ctx context.Context, r PacedRun) (PacedOutcome, error)
	// Report is called after each run that was made to its end, by several goroutines; nil: not called.
	Report func(r PacedRun, o PacedOutcome)
}

// PacedRun is a run on ranks that emulate processors of the nCUBE/2.
type PacedRun struct {
	Cell    lab.Cell // of its machine only Quantum and Serve are used
	Tree    *replay.Tree
	Rate    pace.Rate
	Network local.Network
}

// String names the scheme, the ranks and the formula of the run.
func (r PacedRun) String() string {
	return fmt.Sprintf("%s on %d ranks, %s", r.Cell.Scheme, r.Cell.P, r.Cell.WorkloadName())
}

// PacedOutcome is the result of a PacedRun.
type PacedOutcome struct {
	T1, TP   time.Duration
	CoreWait float64 // share of the ranks' time for which they waited for a core
}

// Table3OnRanks measures Kumar et al., table 3, on paced real ranks. It returns the measured speedups
// beside the simulated and the printed ones. The runs of all schemes on the same number of ranks are
// made at the same time, as far as Emulation.AtOnce permits.
func Table3OnRanks(ctx context.Context, l *lab.Lab, k lab.Knobs, e Emulation) (figure.Section, error) {
	k.Instances = e.formulas(k)
	paper, err := printed.Read("kumar-table3-speedups-receiver-initiated")
	if err != nil {
		return figure.Section{}, err
	}
	paper.P = e.Ranks
	paper.Columns = e.columns(paper.Columns)
	m, err := k.NCube2Machine()
	if err != nil {
		return figure.Section{}, err
	}
	simulated, err := simulateSpeedups(ctx, l, k, m, paper, func(string, int) bool { return true })
	if err != nil {
		return figure.Section{}, err
	}
	t := figure.Table{
		Name: e.Name, Title: "Average speedups on paced ranks, on the simulated nCUBE/2, and printed (Kumar et al., table 3)",
		Head: []string{"P", "scheme", "ranks", "simulated", "paper", "ranks/simulated", "waited for a core"},
	}
	for _, p := range e.Ranks {
		measured, err := e.measureRow(ctx, l, k, paper.Columns, p)
		if err != nil {
			return figure.Section{}, err
		}
		for i, col := range paper.Columns {
			value, isPrinted := paper.CellValue(col, p)
			ours, ran := simulated.ours[lab.At(col, p)]
			ratio := "–"
			if ran {
				ratio = figure.FormatNumber(measured[i].Speedup() / ours)
			}
			t.AppendRow(fmt.Sprint(p), col, figure.FormatNumber(measured[i].Speedup()), formatCell(ours, ran), formatCell(value, isPrinted), ratio, fmt.Sprintf("%.1f %%", 100*measured[i].CoreWait))
		}
	}
	return figure.Section{Name: t.Name, Title: "Table 3 on paced ranks", Tables: []figure.Table{t}, Text: []string{
		fmt.Sprintf("%s. Nodes take %v; the other costs are the costs of the nCUBE/2, times %.4g. %s. Formulas: %v. The printed speedups are of five other formulas.",
			e.Runtime, e.Node.Duration(), e.scale(k), k, k.Instances),
		"The machine was too small for a row whose ranks waited for a core for more than 2 % of their time.",
	}}, nil
}

// Speedup returns T_1/T_P.
func (o PacedOutcome) Speedup() float64 { return float64(o.T1) / float64(o.TP) }

// scale returns the factor between the emulated costs and the costs of the knobs.
func (e Emulation) scale(k lab.Knobs) float64 { return float64(e.Node) / float64(k.UCalc) }

// scaled returns a cost of the nCUBE/2 on the emulated processors.
func (e Emulation) scaled(k lab.Knobs, cost comm.Time) comm.Time {
	return comm.Time(math.Round(float64(cost) * e.scale(k)))
}

// measureRow measures all schemes on p ranks. The times of the formulas are added up.
func (e Emulation) measureRow(ctx context.Context, l *lab.Lab, k lab.Knobs, columns []string, p int) ([]PacedOutcome, error) {
	m, err := k.NCube2Machine()
	if err != nil {
		return nil, err
	}
	return parallel.SideBySide(ctx, e.runsAtOnce(p, len(columns)), len(columns), func(ctx context.Context, i int) (PacedOutcome, error) {
		return e.measureCells(ctx, l, k, m, k.SchemeCells(m, schemeOf[columns[i]], p))
	})
}

// runsAtOnce returns how many of n runs on p ranks are made at the same time.
func (e Emulation) runsAtOnce(p, n int) int {
	if e.AtOnce == 0 {
		return n
	}
	return min(max(e.AtOnce/p, 1), n)
}

// columns returns the columns of the printed table whose schemes are measured.
func (e Emulation) columns(all []string) []string {
	if e.Schemes == nil {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(c string) bool { return !slices.Contains(e.Schemes, schemeOf[c]) })
}

// formulas returns the formulas of the knobs that are searched.
func (e Emulation) formulas(k lab.Knobs) []lab.Instance {
	all := slices.Clone(k.Instances[:e.Formulas])
	for i := range all {
		all[i].Variables = cmp.Or(e.Variables, all[i].Variables)
	}
	return all
}

// measureCells makes the runs of cells and adds up their times.
func (e Emulation) measureCells(ctx context.Context, l *lab.Lab, k lab.Knobs, m sim.Machine, cells []lab.Cell) (sum PacedOutcome, err error) {
	for _, c := range cells {
		tree, err := l.RecordedTree(c)
		if err != nil {
			return sum, err
		}
		c.Delay = e.scaled(k, comm.Time(c.Delay)).Duration()
		r := PacedRun{c, tree, e.processors(k, m), e.network(k, m, c.P)}
		o, err := e.Run(ctx, r)
		if err != nil {
			return sum, fmt.Errorf("%s: %w", r, err)
		}
		if e.Report != nil {
			e.Report(r, o)
		}
		sum.T1, sum.TP, sum.CoreWait = sum.T1+o.T1, sum.TP+o.TP, max(sum.CoreWait, o.CoreWait)
	}
	return sum, nil
}

// processors returns the processors of the nCUBE/2 at the pace of the emulation.
func (e Emulation) processors(k lab.Knobs, m sim.Machine) pace.Rate {
	return pace.Rate{Node: e.Node, Send: e.scaled(k, m.Startup), Receive: e.scaled(k, m.Receive), Poll: e.scaled(k, m.Poll)}
}

// network returns the network of the nCUBE/2: a message makes half of log2 P hops on average. Headers and
// pieces take t_w for each word of four bytes, and have the lengths of the simulated machine.
func (e Emulation) network(k lab.Knobs, m sim.Machine, ranks int) local.Network {
	hops := math.Log2(float64(ranks)) / 2
	return local.Network{
		Latency:   e.scaled(k, comm.Time(float64(m.PerHop)*hops)),
		Bandwidth: 4e9 / float64(max(e.scaled(k, m.PerWord), 1)),
		Header:    4 * m.HeaderWords, Piece: int(m.Work.Bytes),
	}
}
