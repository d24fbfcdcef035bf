package sanders

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"treesplit/lb"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// permutationPlan defines where permutations are compared.
type permutationPlan struct {
	machines []string
	ranks    []int
	triggers []string
	seeds    int
}

var shufflePermutationPlan = permutationPlan{
	machines: []string{"ncube2", "mesh", "ideal"}, ranks: []int{64, 1024},
	triggers: []string{lb.TriggerCount, lb.TriggerAlways}, seeds: 12,
}

// permuted holds the results of pseudorandom and exact permutations on the same work.
type permuted struct {
	contender
	pseudo, exact trials
}

// trials holds the outcomes of a contender's seeds.
type trials struct {
	lab.Average
	efficiencies []float64
}

// difference returns the efficiency of the exact permutation minus that of the pseudorandom one,
// and the standard error of the difference.
func (p permuted) difference() (mean, err float64) {
	a, va := stat.MeanVariance(p.exact.efficiencies, nil)
	b, vb := stat.MeanVariance(p.pseudo.efficiencies, nil)
	return a - b, math.Sqrt((va + vb) / float64(len(p.exact.efficiencies)))
}

// comparePermutations compares the permutations that shuffle.
func comparePermutations(ctx context.Context, l *lab.Lab, plan permutationPlan) ([]permuted, error) {
	var all []permuted
	var cells []lab.Cell
	for _, name := range plan.machines {
		m, err := builtinMachine(name)
		if err != nil {
			return nil, err
		}
		for _, p := range plan.ranks {
			for _, trigger := range plan.triggers {
				c := shufflingContender(m, p)
				c.tuning.Trigger, c.seeds = trigger, plan.seeds
				all = append(all, permuted{contender: c})
				for _, c.tuning.Permutation = range lb.ShufflePermutations {
					cells = append(cells, c.seedCells()...)
				}
			}
		}
	}
	outcomes, err := l.RunCells(ctx, cells)
	if err != nil {
		return nil, err
	}
	for i := range all {
		for _, s := range []*trials{&all[i].pseudo, &all[i].exact} {
			s.Average = lab.AverageOutcomes(outcomes[:plan.seeds])
			for _, o := range outcomes[:plan.seeds] {
				s.efficiencies = append(s.efficiencies, o.Speedup()/float64(all[i].p))
			}
			outcomes = outcomes[plan.seeds:]
		}
	}
	return all, nil
}

func permutationTable(all []permuted) figure.Table {
	t := figure.Table{Name: "shuffle-permutation", Title: "Pseudorandom and exact permutations: efficiency, shuffles and messages of a rank",
		Head: []string{"machine", "P", "trigger", "E, pseudo", "E, exact", "exact − pseudo", "standard error", "shuffles, pseudo", "exact", "messages, pseudo", "exact"}}
	t.Long = &figure.Long{Head: []string{"machine", "P", "trigger", "permutation", "efficiency", "shuffles per run", "messages per rank"}}
	for _, c := range all {
		for i, s := range []trials{c.pseudo, c.exact} {
			t.Long.AppendRow(c.machine.Name, c.p, c.tuning.Trigger, []string{"pseudo", "exact"}[i], stat.Mean(s.efficiencies, nil), s.ShufflesPerRun(c.p), s.MessagesPerRank(c.p))
		}
		mean, err := c.difference()
		row := []string{c.machine.Name, fmt.Sprint(c.p), c.tuning.Trigger}
		for _, s := range []trials{c.pseudo, c.exact} {
			row = append(row, formatFraction(stat.Mean(s.efficiencies, nil)))
		}
		row = append(row, fmt.Sprintf("%+.4f", mean), fmt.Sprintf("%.4f", err))
		for _, s := range []trials{c.pseudo, c.exact} {
			row = append(row, figure.FormatNumber(s.ShufflesPerRun(c.p)))
		}
		for _, s := range []trials{c.pseudo, c.exact} {
			row = append(row, fmt.Sprintf("%.0f", s.MessagesPerRank(c.p)))
		}
		t.AppendRow(row...)
	}
	return t
}
