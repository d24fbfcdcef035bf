package sanders

import (
	"context"
	"fmt"

	"treesplit/lb"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// triggerAts are the fractions of idle ranks from which on a cycle ends in a shuffle. Under count,
// the value never means that no cycle ends in a shuffle: a search whose ranks are all idle is over.
var triggerAts = []float64{0.01, 0.05, 0.1, 0.2, 0.4, never}

const never = 1

// triggerPlan defines where triggers are examined.
type triggerPlan struct {
	machines []string
	ranks    []int
	nodes    []int64
	triggers []string
	ats      []float64
}

var shuffleTriggerPlan = triggerPlan{
	machines: []string{"ncube2", "mesh", "fattree"}, ranks: []int{64, 1024}, nodes: []int64{2000, 10000},
	triggers: lb.Triggers, ats: triggerAts,
}

// triggered holds the result of a run with a trigger.
type triggered struct {
	contender
	lab.Average
}

// triggerTunings returns the triggers of a plan on a network.
func (p triggerPlan) triggerTunings(network string) (all []lab.Tuning) {
	for _, trigger := range p.triggers {
		if trigger == lb.TriggerAlways {
			all = append(all, lab.Tuning{Trigger: trigger})
			continue
		}
		for _, at := range p.ats {
			if at == never && network != "hypercube" {
				continue // hardly any work leaves the polled dimensions
			}
			all = append(all, lab.Tuning{Trigger: trigger, TriggerAt: at})
		}
	}
	return all
}

// runTriggers runs poll and shuffle under all triggers of a plan.
func runTriggers(ctx context.Context, l *lab.Lab, plan triggerPlan) ([]triggered, error) {
	var runs []contender
	for _, name := range plan.machines {
		m, err := builtinMachine(name)
		if err != nil {
			return nil, err
		}
		for _, p := range plan.ranks {
			for _, w := range plan.nodes {
				c := shufflingContender(m, p)
				c.nodes = w
				for _, c.tuning = range plan.triggerTunings(m.Topology) {
					runs = append(runs, c)
				}
			}
		}
	}
	got, err := runAverages(ctx, l, runs)
	all := make([]triggered, len(got))
	for i := range got {
		all[i] = triggered{runs[i], got[i]}
	}
	return all, err
}

// ShuffleTrigger examines when to shuffle (section 5), and by which permutation (section 3.2).
func ShuffleTrigger(ctx context.Context, l *lab.Lab, _ lab.Knobs) (figure.Section, error) {
	plan := shuffleTriggerPlan
	all, err := runTriggers(ctx, l, plan)
	if err != nil {
		return figure.Section{}, err
	}
	s := figure.Section{
		Title: "Poll and shuffle: triggers and permutations",
		Text: []string{
			fmt.Sprintf("Work that splits by the two-point law with σ = %v. count and notify shuffle at the end of a "+
				"cycle where at least the share at of the ranks was idle, by an exact count and by rank 0's "+
				"estimate; under count at = 1 never shuffles. Means over 3 seeds.", shuffleSigma),
			"On the mesh and the fat tree cycles poll some of the dimensions alone, and work gets no " +
				"further without shuffles. " +
				"The reports of the others, which count and notify need, are left out under always.",
		},
	}
	for _, name := range plan.machines {
		s.Tables = append(s.Tables, triggerTable(all, name))
	}
	permuted, err := comparePermutations(ctx, l, shufflePermutationPlan)
	if err != nil {
		return figure.Section{}, err
	}
	s.Tables = append(s.Tables, permutationTable(permuted))
	s.Text = append(s.Text, fmt.Sprintf("Permutations: %d seeds each. The difference of the mean efficiencies is set beside its standard error; runs of one seed have the same work and are taken for independent otherwise.", shufflePermutationPlan.seeds))
	return s, nil
}

// triggerTable lists the runs on one machine, one row for each trigger.
func triggerTable(all []triggered, machine string) figure.Table {
	t := figure.Table{Name: "shuffle-trigger-" + machine, Title: "Efficiency, shuffles and messages of a rank on machine " + machine}
	t.Head = []string{"trigger", "at"}
	t.Long = &figure.Long{Head: []string{"trigger", "at", "P", "W/P", "efficiency", "shuffles per run", "messages per rank"}}
	rows := map[lab.Tuning]int{}
	columns := map[lab.Place]bool{}
	for _, r := range all {
		if r.machine.Name != machine {
			continue
		}
		column := lab.At(fmt.Sprint(r.nodes), r.p)
		if !columns[column] {
			columns[column] = true
			t.Head = append(t.Head, fmt.Sprintf("E, P = %d, W/P = %d", r.p, r.nodes), "shuffles", "messages")
		}
		row, ok := rows[r.tuning]
		if !ok {
			row = len(t.Rows)
			rows[r.tuning] = row
			threshold := "–"
			if r.tuning.TriggerAt > 0 {
				threshold = fmt.Sprint(r.tuning.TriggerAt)
			}
			t.AppendRow(r.tuning.Trigger, threshold)
		}
		t.Long.AppendRow(r.tuning.Trigger, r.tuning.TriggerAt, r.p, r.nodes, r.Efficiency(r.p), r.ShufflesPerRun(r.p), r.MessagesPerRank(r.p))
		t.Rows[row] = append(t.Rows[row], formatFraction(r.Efficiency(r.p)), figure.FormatNumber(r.ShufflesPerRun(r.p)), fmt.Sprintf("%.0f", r.MessagesPerRank(r.p)))
	}
	return t
}
