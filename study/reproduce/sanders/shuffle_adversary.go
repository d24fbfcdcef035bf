package sanders

import (
	"context"
	"fmt"
	"slices"

	"treesplit/lb"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// combPlan defines the combs of the experiment: values of model.Comb, all of about the same size,
// from a comb with one tooth, which is a binary tree, to combs with many small teeth.
type combPlan struct {
	ranks []int
	teeth []int
	seeds int
}

var shuffleAdversaryPlan = combPlan{ranks: []int{64, 256, 1024}, teeth: []int{1, 4, 16, 64, 256, 1024, 4096}, seeds: 3}

// rivals are the schemes that run on combs, by the columns of the table.
var rivals = []struct {
	name, scheme string
	tuning       lab.Tuning
}{
	{"RP", "rp", lab.Tuning{}}, {"NN", "nn", lab.Tuning{}}, {"GRR", "grr", lab.Tuning{}}, {"ARR", "arr", lab.Tuning{}},
	{"shuffle", "shuffle", lab.Tuning{}},
	{"always", "shuffle", lab.Tuning{Trigger: lb.TriggerAlways}},
	{"never", "shuffle", lab.Tuning{Trigger: lb.TriggerCount, TriggerAt: never}},
}

// combed holds the results of the rivals on one comb.
type combed struct {
	p            int
	comb         lab.Comb
	efficiencies []float64 // by rivals
}

// runCombs runs all rivals on the combs of a plan.
func runCombs(ctx context.Context, l *lab.Lab, plan combPlan) ([]combed, error) {
	m, err := builtinMachine("ncube2")
	if err != nil {
		return nil, err
	}
	var all []combed
	var runs []contender
	for _, p := range plan.ranks {
		for _, teeth := range plan.teeth {
			c := shufflingContender(m, p)
			c.comb = lab.Comb{Teeth: teeth, Bush: int64(shuffleNodes*p/teeth - 1)}
			c.seeds = plan.seeds
			all = append(all, combed{p: p, comb: c.comb})
			for _, r := range rivals {
				c.scheme, c.tuning = r.scheme, r.tuning
				runs = append(runs, c)
			}
		}
	}
	got, err := runAverages(ctx, l, runs)
	for i, a := range got {
		c := &all[i/len(rivals)]
		c.efficiencies = append(c.efficiencies, a.Efficiency(c.p))
	}
	return all, err
}

// rivalEfficiency returns the efficiency of a rival by its name.
func (c combed) rivalEfficiency(name string) float64 {
	for i, r := range rivals {
		if r.name == name {
			return c.efficiencies[i]
		}
	}
	panic("sanders: no rival " + name)
}

// ShuffleAdversary compares poll and shuffle with other schemes on combs.
func ShuffleAdversary(ctx context.Context, l *lab.Lab, _ lab.Knobs) (figure.Section, error) {
	plan := shuffleAdversaryPlan
	all, err := runCombs(ctx, l, plan)
	if err != nil {
		return figure.Section{}, err
	}
	t := figure.Table{Name: "shuffle-adversary", Title: fmt.Sprintf("Efficiency on combs of %d nodes per rank, on the nCUBE/2", shuffleNodes), Head: []string{"P", "teeth", "nodes of a bush"}}
	for _, r := range rivals {
		t.Head = append(t.Head, r.name)
	}
	t.Head = append(t.Head, "best")
	t.Long = &figure.Long{Head: []string{"P", "teeth", "nodes of a bush", "scheme", "efficiency"}}
	f := figure.Figure{Name: "shuffle-adversary", X: "teeth", Y: "efficiency", LogX: true}
	last := plan.ranks[len(plan.ranks)-1]
	f.Title = fmt.Sprintf("Combs on %d ranks", last)
	for _, r := range rivals {
		f.Curves = append(f.Curves, figure.Curve{Name: r.name})
	}
	for _, c := range all {
		row := []string{fmt.Sprint(c.p), fmt.Sprint(c.comb.Teeth), fmt.Sprint(c.comb.Bush)}
		for i, e := range c.efficiencies {
			row = append(row, formatFraction(e))
			t.Long.AppendRow(c.p, c.comb.Teeth, c.comb.Bush, rivals[i].name, e)
			if c.p == last {
				f.Curves[i].X, f.Curves[i].Y = append(f.Curves[i].X, float64(c.comb.Teeth)), append(f.Curves[i].Y, e)
			}
		}
		best := slices.Index(c.efficiencies, slices.Max(c.efficiencies))
		t.AppendRow(append(row, rivals[best].name)...)
	}
	return figure.Section{
		Title: "Poll and shuffle on an adversary's trees", Tables: []figure.Table{t}, Figures: []figure.Figure{f},
		Text: []string{
			"A comb is a spine of nodes with a bush at each node. The rank that has the spine gives away one bush " +
				"at a time, 1/teeth of the work. Bushes split evenly. " +
				"The construction is our own. The experiment shuffle-figure3 has the tree of the paper.",
			"always shuffles after every cycle, never not at all; shuffle, where 5 % of the ranks are idle. A comb of one tooth is a balanced binary tree.",
		},
	}, nil
}
