package sanders

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"treesplit/comm"
	"treesplit/sim"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// exchangeTime returns the time for which a message occupies its sender and its receiver. It is the
// unit for lengths of phases.
func exchangeTime(m sim.Machine) comm.Time { return m.Startup + m.Receive }

// phaseMultiples are the lengths of phases that are tried, in units of exchangeTime, each a factor
// of √2 longer than the one before.
var phaseMultiples = func() (all []float64) {
	for i := range 19 {
		all = append(all, math.Pow(2, float64(i)/2))
	}
	return all
}()

// phaseScan holds a contender's efficiency as a function of the length of its phases.
type phaseScan struct {
	contender
	multiples    []float64
	efficiencies []float64
	own          float64 // with the phases of sim.Machine.PhaseLength
	rp           float64 // random polling's
}

// bestIndex returns the index of the best length.
func (s phaseScan) bestIndex() int { return slices.Index(s.efficiencies, slices.Max(s.efficiencies)) }

// flatRange returns the range of lengths around the best one that lose less than the given fraction
// of its efficiency.
func (s phaseScan) flatRange(share float64) (from, to int) {
	b := s.bestIndex()
	good := func(i int) bool { return s.efficiencies[i] >= (1-share)*s.efficiencies[b] }
	for from = b; from > 0 && good(from-1); from-- {
	}
	for to = b; to < len(s.efficiencies)-1 && good(to+1); to++ {
	}
	return from, to
}

// lengthText returns the length at an index.
func (s phaseScan) lengthText(i int) string {
	return figure.Span(s.phaseLength(i).Duration())
}

// phaseLength returns the length of a phase, in nanoseconds of virtual time.
func (s phaseScan) phaseLength(i int) comm.Time {
	return comm.Time(s.multiples[i] * float64(exchangeTime(s.machine)))
}

// scanPhases measures how the efficiency of contenders depends on the length of their phases.
func scanPhases(ctx context.Context, l *lab.Lab, all []contender, multiples []float64) ([]phaseScan, error) {
	var runs []contender
	for _, c := range all {
		for _, f := range multiples {
			runs = append(runs, c.withPhase(time.Duration(f*float64(exchangeTime(c.machine)))))
		}
		random := c
		random.scheme, random.tuning = "rp", lab.Tuning{}
		runs = append(runs, c, random)
	}
	got, err := runAverages(ctx, l, runs)
	if err != nil {
		return nil, err
	}
	scans := make([]phaseScan, len(all))
	for i, c := range all {
		at := got[i*(len(multiples)+2):]
		s := phaseScan{contender: c, multiples: multiples}
		for j := range multiples {
			s.efficiencies = append(s.efficiencies, at[j].Efficiency(c.p))
		}
		s.own, s.rp = at[len(multiples)].Efficiency(c.p), at[len(multiples)+1].Efficiency(c.p)
		scans[i] = s
	}
	return scans, nil
}

// phasePlan defines where phases are examined.
var phasePlan = struct {
	machines []string
	ranks    []int
	nodes    []int64
}{[]string{"ncube2", "mesh"}, []int{64, 1024}, []int64{2000, 10000}}

// ShufflePhase examines the length of phases. Ranks spend phases that are too short on reports; in
// phases that are too long, idle ranks wait.
func ShufflePhase(ctx context.Context, l *lab.Lab, k lab.Knobs) (figure.Section, error) {
	var all []contender
	for _, name := range phasePlan.machines {
		m, err := builtinMachine(name)
		if err != nil {
			return figure.Section{}, err
		}
		for _, p := range phasePlan.ranks {
			for _, w := range phasePlan.nodes {
				c := shufflingContender(m, p)
				c.nodes = w
				all = append(all, c)
			}
		}
	}
	scans, err := scanPhases(ctx, l, all, phaseMultiples)
	if err != nil {
		return figure.Section{}, err
	}
	others, err := phasesOfMachines(ctx, l)
	if err != nil {
		return figure.Section{}, err
	}
	trees, err := phasesOnTrees(ctx, l, k)
	if err != nil {
		return figure.Section{}, err
	}
	return figure.Section{
		Title:   "Poll and shuffle: the length of phases",
		Tables:  []figure.Table{phaseTable(scans), bestPhaseTable(scans), machinePhaseTable(others), trees, ruleTable(append(scans, others...))},
		Figures: []figure.Figure{phaseFigure(scans)},
		Text: []string{
			fmt.Sprintf("Work that splits by the two-point law with σ = %v, in atoms of %d nodes; means over 3 "+
				"seeds. "+
				"A unit is t_s + the cost of a receipt, what a message occupies its sender and its receiver. "+
				"A phase takes a busy rank a report sent and one received, so that a phase of x units costs "+
				"it 1/x of its time.", shuffleSigma, shuffleGrain),
			"The phases of sim.Machine.PhaseLength, which simulated worlds take by default, were chosen by the last table.",
		},
	}, nil
}

// scanTitle returns the name of a scan in a column or a curve.
func (s phaseScan) scanTitle() string {
	return fmt.Sprintf("%s, P = %d, W/P = %d", s.machine.Topology, s.p, s.nodes)
}

func phaseTable(scans []phaseScan) figure.Table {
	t := figure.Table{Name: "shuffle-phase", Title: "Efficiency over the length of a phase", Head: []string{"units", "length"}}
	t.Long = &figure.Long{Head: []string{"units", "network", "P", "W/P", "length in µs", "efficiency"}}
	for _, s := range scans {
		t.Head = append(t.Head, s.scanTitle())
	}
	for i, f := range phaseMultiples {
		row := []string{fmt.Sprintf("%.1f", f), scans[0].lengthText(i)}
		for _, s := range scans {
			t.Long.AppendRow(f, s.machine.Topology, s.p, s.nodes, float64(s.phaseLength(i))/1e3, s.efficiencies[i])
			row = append(row, formatFraction(s.efficiencies[i]))
		}
		t.AppendRow(row...)
	}
	return t
}

// bestPhaseHead holds the headings of the columns that bestPhase fills.
var bestPhaseHead = []string{"best units", "length", "E", "within 2 %", "length of Phase", "its E", "rp's E"}

func (s phaseScan) bestPhase() []string {
	from, to := s.flatRange(0.02)
	return []string{
		fmt.Sprintf("%.1f", s.multiples[s.bestIndex()]), s.lengthText(s.bestIndex()), formatFraction(s.efficiencies[s.bestIndex()]),
		s.lengthText(from) + " … " + s.lengthText(to),
		figure.Span(s.machine.PhaseLength().Duration()), formatFraction(s.own), formatFraction(s.rp),
	}
}

func bestPhaseTable(scans []phaseScan) figure.Table {
	t := figure.Table{Name: "shuffle-phase-best", Title: "The best length of a phase, and how flat the best is", Head: append([]string{"network", "P", "W/P"}, bestPhaseHead...)}
	for _, s := range scans {
		t.AppendRow(append([]string{s.machine.Topology, fmt.Sprint(s.p), fmt.Sprint(s.nodes)}, s.bestPhase()...)...)
	}
	return t
}

func phaseFigure(scans []phaseScan) figure.Figure {
	f := figure.Figure{Name: "shuffle-phase", Title: "Phases of poll and shuffle", X: "length of a phase, in t_s + receipt", Y: "efficiency", LogX: true}
	for _, s := range scans {
		if s.nodes != slices.Max(phasePlan.nodes) {
			continue // eight curves are too many
		}
		f.Curves = append(f.Curves, figure.Curve{Name: s.scanTitle(), X: s.multiples, Y: s.efficiencies})
	}
	return f
}

// machineVariants returns machines that differ from the nCUBE/2 in one cost, and other machines.
func machineVariants() ([]sim.Machine, error) {
	var all []sim.Machine
	for _, v := range []struct {
		name, base string
		change     func(m *sim.Machine)
	}{
		{"ncube2", "ncube2", func(*sim.Machine) {}},
		{"t_s / 10", "ncube2", func(m *sim.Machine) { m.Startup /= 10 }},
		{"t_s · 10", "ncube2", func(m *sim.Machine) { m.Startup *= 10 }},
		{"quantum 1", "ncube2", func(m *sim.Machine) { m.Quantum = 1 }},
		{"quantum 16", "ncube2", func(m *sim.Machine) { m.Quantum = 16 }},
		{"quantum 64", "ncube2", func(m *sim.Machine) { m.Quantum = 64 }},
		{"t_h · 1000", "ncube2", func(m *sim.Machine) { m.PerHop *= 1000 }},
		{"nodes 10 times as long", "ncube2", func(m *sim.Machine) { m.Expand *= 10 }},
		{"workstations", "workstations", func(*sim.Machine) {}},
		{"sharedmemory", "sharedmemory", func(*sim.Machine) {}},
	} {
		m, err := builtinMachine(v.base)
		if err != nil {
			return nil, err
		}
		v.change(&m)
		m.Name = v.name
		all = append(all, m)
	}
	return all, nil
}

// phasesOfMachines scans phases on machines of other costs.
func phasesOfMachines(ctx context.Context, l *lab.Lab) ([]phaseScan, error) {
	machines, err := machineVariants()
	if err != nil {
		return nil, err
	}
	var all []contender
	for _, m := range machines {
		for _, w := range []int64{2000, 20000} {
			c := shufflingContender(m, 64)
			c.nodes = w
			all = append(all, c)
		}
	}
	return scanPhases(ctx, l, all, phaseMultiples)
}

func machinePhaseTable(scans []phaseScan) figure.Table {
	t := figure.Table{Name: "shuffle-phase-machines", Title: "The best length of a phase on machines of other costs, P = 64", Head: append([]string{"machine", "W/P"}, bestPhaseHead...)}
	for _, s := range scans {
		t.AppendRow(append([]string{s.machine.Name, fmt.Sprint(s.nodes)}, s.bestPhase()...)...)
	}
	return t
}

// ruleTable shows the losses if all scans have phases with the same number of units.
func ruleTable(scans []phaseScan) figure.Table {
	t := figure.Table{Name: "shuffle-phase-rule", Title: "Efficiency lost against the best length, over the runs of the first and of the third table", Head: []string{"units", "mean", "worst"}}
	for i, f := range phaseMultiples {
		if f < 4 || f > 64 {
			continue
		}
		mean, worst := 0.0, 0.0
		for _, s := range scans {
			lost := 1 - s.efficiencies[i]/s.efficiencies[s.bestIndex()]
			mean += lost / float64(len(scans))
			worst = max(worst, lost)
		}
		t.AppendRow(fmt.Sprintf("%.1f", f), figure.FormatPercent(1+mean), figure.FormatPercent(1+worst))
	}
	return t
}

// phasesOnTrees finds the best length on recorded trees, on the fitted machine: one of the formulas
// of table 3, and a tree of the UTS benchmark.
func phasesOnTrees(ctx context.Context, l *lab.Lab, k lab.Knobs) (figure.Table, error) {
	m, err := k.NCube2Machine()
	if err != nil {
		return figure.Table{}, err
	}
	formula := k.SchemeCells(m, "shuffle", 1)[1]
	trees := []struct {
		name string
		cell lab.Cell
	}{{"formula " + formula.Instance.String(), formula}, {"uts T1", lab.Cell{UTS: "T1"}}}
	var all []contender
	for _, tree := range trees {
		for _, p := range []int{64, 256, 1024} {
			c := shufflingContender(m, p)
			c.tree = tree.cell
			all = append(all, c)
		}
	}
	scans, err := scanPhases(ctx, l, all, []float64{4, 8, 16, 32, 64, 128})
	if err != nil {
		return figure.Table{}, err
	}
	t := figure.Table{Name: "shuffle-phase-trees", Title: "The best length of a phase on recorded trees, on the fitted nCUBE/2", Head: append([]string{"tree", "P"}, bestPhaseHead...)}
	for i, s := range scans {
		t.AppendRow(append([]string{trees[i/3].name, fmt.Sprint(s.p)}, s.bestPhase()...)...)
	}
	return t, nil
}
