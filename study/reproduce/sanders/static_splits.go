package sanders

import (
	"context"
	"fmt"

	"treesplit/internal/parallel"
	"treesplit/lb"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// ruleEpsilon is ε of theorem 5.
const ruleEpsilon = 0.05

// choiceRuns is the number of trees over which methods to choose k are compared on halving work. With fewer trees the
// best k after the runs is often the luckiest one.
const choiceRuns = 24

// splitChoice holds the results of static on one workload for each method to choose k.
type splitChoice struct {
	theorem, rule, best    int     // k
	ruled, sampled, chosen float64 // efficiencies by the rule, by samples, by the best choice after the runs
	again                  float64 // nodes of the samples and the ways, divided by W
}

// splitChoices runs all methods at the nCUBE/2's t_s.
func splitChoices(ctx context.Context, l *lab.Lab, k lab.Knobs, contests []contest) ([]splitChoice, error) {
	m, err := k.MachineNamed("ncube2")
	if err != nil {
		return nil, err
	}
	return parallel.SideBySide(ctx, l.Workers, len(contests), func(ctx context.Context, i int) (s splitChoice, err error) {
		c := contests[i]
		cells := c.cells(m, "static")
		if c.sigma >= 0 {
			cells = manyTrees(cells[0])
			s.theorem, s.rule = lb.SplitsFor(c.sigma, c.p, ruleEpsilon), lb.CheapestSplits(c.sigma, c.p, float64(c.w), 1)
			if s.ruled, err = efficiencyOf(ctx, l, withSplits(cells, s.rule)); err != nil {
				return s, err
			}
		}
		o, err := l.RunCells(ctx, withSplits(cells, lb.AutoSplits))
		if err != nil {
			return s, err
		}
		a := lab.AverageOutcomes(o)
		s.sampled, s.again = a.Speedup()/float64(c.p), float64(a.Again)/float64(a.Nodes)
		s.chosen, s.best, err = bestStatic(ctx, l, cells, mostWays*float64(c.w))
		return s, err
	})
}

// manyTrees returns runs on choiceRuns trees.
func manyTrees(c lab.Cell) []lab.Cell {
	cells := make([]lab.Cell, choiceRuns)
	for i := range cells {
		cells[i] = c
		cells[i].Seed, cells[i].Halving.Seed = uint64(i)+1, uint64(i)
	}
	return cells
}

// splitTable compares the methods to choose k.
func splitTable(contests []contest, all []splitChoice) figure.Table {
	t := figure.Table{Name: "static-crossover-splits", Title: "Speedups of static by the way k is chosen, at the nCUBE/2's t_s", Head: []string{
		"workload", "σ", "P", "theorem 5's k", "k by rule", "speedup", "speedup, sampled", "again/W", "best k", "speedup"}}
	for i, s := range all {
		c := contests[i]
		row := append(c.headCells(), "–", "–", "–")
		if c.sigma >= 0 {
			row = append(c.headCells(), fmt.Sprint(s.theorem), fmt.Sprint(s.rule), figure.FormatNumber(s.ruled*float64(c.p)))
		}
		t.AppendRow(append(row, figure.FormatNumber(s.sampled*float64(c.p)), fmt.Sprintf("%.3f", s.again), fmt.Sprint(s.best), figure.FormatNumber(s.chosen*float64(c.p)))...)
	}
	return t
}
