package sanders

import (
	"context"
	"fmt"

	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// thornyPlan defines the trees of the experiment: values of model.Thorny of the same size, with more
// and more thorns.
type thornyPlan struct {
	ranks  []int
	thorns []int
	seeds  int
}

var shuffleFigure3Plan = thornyPlan{ranks: []int{64, 256}, thorns: []int{1, 16, 64, 256, 1024}, seeds: 3}

// thornyRun holds the results of the rivals on one tree.
type thornyRun struct {
	p            int
	tree         lab.Thorny
	efficiencies []float64 // by rivals
	grants       []float64 // mean number of grants per run, by rivals
}

// runThorny runs all rivals on the trees of a plan.
func runThorny(ctx context.Context, l *lab.Lab, plan thornyPlan) ([]thornyRun, error) {
	m, err := builtinMachine("ncube2")
	if err != nil {
		return nil, err
	}
	var all []thornyRun
	var runs []contender
	for _, p := range plan.ranks {
		for _, thorns := range plan.thorns {
			c := shufflingContender(m, p)
			c.thorn, c.seeds = thorns, plan.seeds
			all = append(all, thornyRun{p: p, tree: c.thornyWork()})
			for _, r := range rivals {
				c.scheme, c.tuning = r.scheme, r.tuning
				runs = append(runs, c)
			}
		}
	}
	got, err := runAverages(ctx, l, runs)
	for i, a := range got {
		r := &all[i/len(rivals)]
		r.efficiencies = append(r.efficiencies, a.Efficiency(r.p))
		r.grants = append(r.grants, float64(a.Grants)/float64(a.Runs))
	}
	return all, err
}

// ShuffleFigure3 compares schemes on the splitting tree of figure 3 of Sanders.
func ShuffleFigure3(ctx context.Context, l *lab.Lab, _ lab.Knobs) (figure.Section, error) {
	all, err := runThorny(ctx, l, shuffleFigure3Plan)
	if err != nil {
		return figure.Section{}, err
	}
	t := figure.Table{
		Name:  "shuffle-figure3",
		Title: fmt.Sprintf("Efficiency on the tree of figure 3, of %d nodes per rank, on the nCUBE/2", shuffleNodes),
		Head:  []string{"P", "thorns"},
		Long:  &figure.Long{Head: []string{"P", "thorns", "scheme", "efficiency", "grants"}},
	}
	for _, r := range rivals {
		t.Head = append(t.Head, r.name)
	}
	t.Head = append(t.Head, "thorns in all", "grants, RP")
	for _, r := range all {
		row := []string{fmt.Sprint(r.p), fmt.Sprint(r.tree.Thorns)}
		for i, e := range r.efficiencies {
			row = append(row, formatFraction(e))
			t.Long.AppendRow(r.p, r.tree.Thorns, rivals[i].name, e, r.grants[i])
		}
		t.AppendRow(append(row, fmt.Sprint(r.tree.Branches*r.tree.Thorns), fmt.Sprintf("%.0f", r.grants[0]))...)
	}
	return figure.Section{
		Title: "Poll and shuffle on the tree of figure 3", Tables: []figure.Table{t},
		Text: []string{
			"The tree has one branch for every two ranks. A branch has small subtrees of one node, the thorns, and at its end " +
				"a large subtree, the crown, which splits evenly. A split gives away one thorn as long as there is one.",
			"always shuffles after every cycle, never not at all; shuffle, where 5 % of the ranks are idle.",
		},
	}, nil
}
