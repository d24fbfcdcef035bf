package sanders

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"treesplit/internal/parallel"
	"treesplit/lb"
	"treesplit/search/model"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// loadPlan defines the loads that are measured on the model, and the number of trees.
type loadPlan struct {
	laws   []model.Law
	sigmas []float64
	ranks  []int // powers of two
	more   []int // splits beyond log2 of the ranks
	trees  int
}

var fullLoads = loadPlan{
	laws: []model.Law{model.TwoPoint, model.Beta}, sigmas: []float64{0.1, 0.2, 0.28, 0.4},
	ranks: []int{16, 64, 256}, more: []int{0, 4, 8}, trees: 120,
}

// modelLoad holds the loads of the parts of trees of one law, dealt to a number of ranks.
type modelLoad struct {
	law      model.Law
	sigma    float64
	ranks, k int
	part     float64  // the mean of the largest part, in mean loads
	orders   []spread // by orders
}

// theorem5Load returns the bound of theorem 5, solved for ε, on the mean of the largest load, in
// mean loads: 1 + 2·ranks·(2σ²+1/2)^(k/2).
func theorem5Load(sigma float64, ranks, k int) float64 {
	return 1 + 2*float64(ranks)*lb.LargestPartBound(sigma, k)
}

// theorem3Deviation returns the bound of theorem 3 on the standard deviation of a load, in mean
// loads.
func theorem3Deviation(sigma float64, ranks, k int) float64 {
	n := float64(ranks)
	return n * math.Sqrt(lb.LoadVariance(sigma, k, math.Ldexp(1, k)/n))
}

// measureLoads measures the loads.
func (m *modelLoad) measureLoads(trees int) error {
	m.orders = make([]spread, len(orders))
	sizes := make([]float64, 0, 1<<m.k)
	for seed := range uint64(trees) {
		tree, err := model.NewBinary(model.Halving{Nodes: wholeNodes, Law: m.law, Sigma: m.sigma, Seed: seed}, false)
		if err != nil {
			return err
		}
		largest := 0.0
		sizes = sizes[:0]
		for s := range tree.PartSizes(m.k) {
			sizes = append(sizes, float64(s)/wholeNodes)
			largest = max(largest, float64(s)/wholeNodes)
		}
		m.part += largest * float64(m.ranks) / float64(trees)
		rng := rand.New(rand.NewPCG(seed, uint64(m.k)))
		for i, o := range orders {
			m.orders[i].addDealtLoads(dealParts(sizes, m.ranks, o.make(m.k, rng)))
		}
	}
	return nil
}

// modelLoads measures all loads of a plan.
func modelLoads(ctx context.Context, l *lab.Lab, plan loadPlan) ([]modelLoad, error) {
	var all []modelLoad
	for _, law := range plan.laws {
		for _, sigma := range plan.sigmas {
			for _, p := range plan.ranks {
				for _, more := range plan.more {
					all = append(all, modelLoad{law: law, sigma: sigma, ranks: p, k: int(math.Log2(float64(p))) + more})
				}
			}
		}
	}
	return parallel.SideBySide(ctx, l.Workers, len(all), func(_ context.Context, i int) (modelLoad, error) {
		err := all[i].measureLoads(plan.trees)
		return all[i], err
	})
}

// modelLoadTable compares the measurements with the theorems.
func modelLoadTable(all []modelLoad) figure.Table {
	t := figure.Table{Name: "static-load-model", Title: "Loads of P ranks under 2^k random parts, in mean loads", Head: []string{
		"law", "σ", "P", "k", "theorem 2", "largest part", "theorem 3"}}
	for _, o := range orders {
		t.Head = append(t.Head, "deviation, "+o.name)
	}
	t.Head = append(t.Head, "theorem 5")
	for _, o := range orders {
		t.Head = append(t.Head, "largest load, "+o.name)
	}
	for _, m := range all {
		row := []string{m.law.String(), fmt.Sprint(m.sigma), fmt.Sprint(m.ranks), fmt.Sprint(m.k),
			fmt.Sprintf("%.3f", lb.LargestPart(m.sigma, m.k)*float64(m.ranks)), fmt.Sprintf("%.3f", m.part),
			fmt.Sprintf("%.3f", theorem3Deviation(m.sigma, m.ranks, m.k))}
		for _, o := range m.orders {
			row = append(row, fmt.Sprintf("%.3f", o.deviation()))
		}
		row = append(row, fmt.Sprintf("%.3f", theorem5Load(m.sigma, m.ranks, m.k)))
		for _, o := range m.orders {
			row = append(row, fmt.Sprintf("%.3f", o.meanLargest()))
		}
		t.AppendRow(row...)
	}
	return t
}

// StaticLoad compares loads with theorems 2, 3 and 5 of Sanders, static load balancing, on the
// model that the theorems assume and on recorded trees.
func StaticLoad(ctx context.Context, l *lab.Lab, _ lab.Knobs) (figure.Section, error) {
	all, err := modelLoads(ctx, l, fullLoads)
	if err != nil {
		return figure.Section{}, err
	}
	trees, err := treeLoads(ctx, l, loadTrees, treeSplits)
	if err != nil {
		return figure.Section{}, err
	}
	s := figure.Section{
		Title:   "Static load: loads against theorems 2, 3 and 5",
		Tables:  []figure.Table{modelLoadTable(all), treePartTable(trees), treeLoadTable(trees), treeOrderTable(trees)},
		Figures: []figure.Figure{treeFigure(trees)},
		Text: []string{
			fmt.Sprintf("On the model: the mean over %d trees of the largest part, the deviation and the largest of "+
				"the loads of P ranks, each beside the theorem's value. "+
				"Theorem 2 is the exact mean under the two-point law and nothing but a guide under others; "+
				"theorem 5 is solved for what it allows the largest load to be.", fullLoads.trees),
			fmt.Sprintf("On recorded trees: σ is estimated from the sizes of all parts; what the theorems then say "+
				"supposes that all halvings are alike and independent, which those of a real tree are not. "+
				"Largest loads are the mean of %d deals. twice: nodes on the ways to parts that are expanded "+
				"for more parts than their own, over W.", treeDeals),
		},
	}
	load, deviation := 0.0, 0.0
	for _, m := range all {
		for _, o := range m.orders {
			load = max(load, o.meanLargest()/theorem5Load(m.sigma, m.ranks, m.k))
			deviation = max(deviation, o.deviation()/theorem3Deviation(m.sigma, m.ranks, m.k))
		}
	}
	s.Text = append(s.Text, fmt.Sprintf("On the model the largest loads are at most %.2f of theorem 5's, the deviations at most %.2f of theorem 3's.", load, deviation))
	return s, nil
}
