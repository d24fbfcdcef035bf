package kale

import (
	"context"
	"fmt"
	"slices"

	"treesplit/internal/parallel"
	"treesplit/mapping"
	"treesplit/mapping/bb"
	"treesplit/mapping/gen"
	"treesplit/search"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// levellingPlan defines the searches in which the best makespan is followed.
type levellingPlan struct {
	processors []int
	costs      []float64 // communication, as in table 1
	arcs       int
	doublings  int // 2^doublings nodes are searched
	proofs     proofPlan
}

// proofPlan defines the problems whose optima are proved.
type proofPlan struct {
	objects    []int
	processors int
	seeds      int
	most       int // nodes
}

var fullLevelling = levellingPlan{
	processors: []int{9, 20}, costs: []float64{120, 300, 600}, arcs: 400, doublings: 18,
	proofs: proofPlan{objects: []int{10, 12, 14}, processors: 4, seeds: 9, most: 1 << 22},
}

// expander is a search that can be followed node by node.
type expander interface {
	Expand(limit int) int
	Bound() int64
	Empty() bool
}

// followed are searches of the whole tree.
var followed = []struct {
	name  string
	bound bb.Bound
	start func(in *bb.Instance) expander
}{
	{"printed bound", bb.Printed, depthFirst},
	{"admissible bound", bb.Admissible, depthFirst},
	{"best first", bb.Admissible, func(in *bb.Instance) expander { return in.NewBestFirst(1 << 16) }},
}

func depthFirst(in *bb.Instance) expander { return in.NewSearch(search.DefaultSplitting, true) }

// followMakespan returns the best makespan known after 1, 2, 4 … nodes; greedy's is known first.
func followMakespan(p *mapping.Problem, number, doublings int) (best []int64, err error) {
	first, err := namedStrategy("greedy")(p, 1, tablePlan{})
	if err != nil {
		return nil, err
	}
	in, err := bb.New(p, bb.Options{Bound: followed[number].bound, Upper: p.EvaluateMap(first).Makespan})
	if err != nil {
		return nil, err
	}
	s := followed[number].start(in)
	done := 0
	for k := range doublings + 1 {
		for done < 1<<k && !s.Empty() {
			done += max(s.Expand(1<<k-done), 1)
		}
		best = append(best, s.Bound())
	}
	return best, nil
}

// followLevelling returns the best makespan after 1, 2, 4 … nodes for each case.
func followLevelling(ctx context.Context, l *lab.Lab, plan levellingPlan) ([][]int64, error) {
	n, costs := len(followed), len(plan.costs)
	return parallel.SideBySide(ctx, l.Workers, len(plan.processors)*costs*n, func(_ context.Context, i int) ([]int64, error) {
		p := gen.RandomProblem(plan.processors[i/n/costs], objectCount, plan.arcs, plan.costs[i/n%costs], 1)
		return followMakespan(p, i%n, plan.doublings)
	})
}

// Figure2 measures the best makespan over search time (Radhakrishnan et al., section 4.1; their
// figure 2 shows efficiencies).
func Figure2(ctx context.Context, l *lab.Lab, _ lab.Knobs) (figure.Section, error) {
	plan := fullLevelling
	all, err := followLevelling(ctx, l, plan)
	if err != nil {
		return figure.Section{}, err
	}
	proofs, err := proofsTable(ctx, l, plan.proofs)
	if err != nil {
		return figure.Section{}, err
	}
	s := figure.Section{Title: "Mapping, figure 2: the best makespan levels off", Tables: []figure.Table{levellingTable(plan, all), proofs}, Text: []string{
		fmt.Sprintf("The best makespan after a number of expanded nodes, divided by the makespan of Greedy, which is found first: "+
			"graphs like those of table 1 with %d arcs. "+
			"Time is counted in expanded nodes, so that the figure is the same on every machine; a node "+
			"is a partial map whose children are tried on all processors. "+
			"The paper states this in section 4.1 and prints no numbers for it.", plan.arcs),
		"It only gets better and levels off, as the paper says. The first descent of the tree, a node for each object, gains nearly all; the next quarter of a million nodes gain a per cent or two.",
		"The paper also says that to prove the optimum takes far longer than to find it. " +
			"On graphs small enough to be proved, in the second table, it depends: with little " +
			"communication and objects about equally long the optimum may be met early, elsewhere it is " +
			"met after about half of all nodes.",
	}}
	for i, processors := range plan.processors {
		s.Figures = append(s.Figures, levellingFigure(plan, all, i, processors))
	}
	return s, nil
}

func levellingTable(plan levellingPlan, all [][]int64) figure.Table {
	t := figure.Table{Name: "mapping-figure2", Title: "The best makespan over the first one", Spread: &figure.Spread{Keys: 3, Variable: "nodes", Value: "makespan over the first"}, Head: []string{"P", "c", "search"}}
	for k := 0; k <= plan.doublings; k += 2 {
		t.Head = append(t.Head, fmt.Sprint(1<<k))
	}
	n, costs := len(followed), len(plan.costs)
	for i, best := range all {
		row := []string{fmt.Sprint(plan.processors[i/n/costs]), fmt.Sprint(plan.costs[i/n%costs]), followed[i%n].name}
		for k := 0; k <= plan.doublings; k += 2 {
			row = append(row, fmt.Sprintf("%.3f", float64(best[k])/float64(best[0])))
		}
		t.AppendRow(row...)
	}
	return t
}

// levellingFigure draws one number of processors, at all communication costs.
func levellingFigure(plan levellingPlan, all [][]int64, at, processors int) figure.Figure {
	f := figure.Figure{Name: fmt.Sprintf("mapping-figure2-%d", processors), Title: fmt.Sprintf("Best makespan on %d processors", processors), X: "nodes expanded", Y: "makespan over the first", LogX: true}
	n, costs := len(followed), len(plan.costs)
	for i, best := range all[at*n*costs : (at+1)*n*costs] {
		if followed[i%n].name == "best first" { // its first map comes late
			continue
		}
		c := figure.Curve{Name: fmt.Sprintf("%s, c = %v", followed[i%n].name, plan.costs[i/n])}
		for k, makespan := range best {
			c.X, c.Y = append(c.X, float64(int(1)<<k)), append(c.Y, float64(makespan)/float64(best[0]))
		}
		f.Curves = append(f.Curves, c)
	}
	return f
}

// proof holds the numbers of nodes after which an optimum was found and proved.
type proof struct {
	found, proved int64
	ended         bool
}

// proveOptimum searches a graph to the end, or for at most most nodes.
func proveOptimum(p *mapping.Problem, most int) (r proof, err error) {
	in, err := bb.New(p, bb.Options{})
	if err != nil {
		return r, err
	}
	s := in.NewSearch(search.DefaultSplitting, true)
	for best := s.Bound(); !s.Empty() && s.Counts().Expanded < int64(most); {
		s.Expand(1)
		if s.Bound() < best {
			best, r.found = s.Bound(), s.Counts().Expanded
		}
	}
	r.proved, r.ended = s.Counts().Expanded, s.Empty()
	return r, nil
}

// proofsTable lists medians of the numbers of nodes until an optimum is found and proved.
func proofsTable(ctx context.Context, l *lab.Lab, plan proofPlan) (figure.Table, error) {
	t := figure.Table{Name: "mapping-figure2-proofs", Title: fmt.Sprintf("Nodes until the optimum is found and proved, on %d processors, medians of %d graphs", plan.processors, plan.seeds),
		Head: []string{"objects", "c", "found after", "proved after", "share", "proved within limit"}}
	costs := []float64{120, 600}
	all, err := parallel.SideBySide(ctx, l.Workers, len(plan.objects)*len(costs)*plan.seeds, func(_ context.Context, i int) (proof, error) {
		n := plan.objects[i/plan.seeds/len(costs)]
		return proveOptimum(gen.RandomProblem(plan.processors, n, 2*n, costs[i/plan.seeds%len(costs)], uint64(i%plan.seeds)+1), plan.most)
	})
	if err != nil {
		return t, err
	}
	for i := 0; i < len(all); i += plan.seeds {
		var found, proved []int64
		var shares []float64
		ended := 0
		for _, r := range all[i : i+plan.seeds] {
			found, proved, shares = append(found, r.found), append(proved, r.proved), append(shares, float64(r.found)/float64(r.proved))
			if r.ended {
				ended++
			}
		}
		slices.Sort(found)
		slices.Sort(proved)
		slices.Sort(shares)
		m := plan.seeds / 2
		t.AppendRow(fmt.Sprint(plan.objects[i/plan.seeds/len(costs)]), fmt.Sprint(costs[i/plan.seeds%len(costs)]), fmt.Sprint(found[m]), fmt.Sprint(proved[m]), fmt.Sprintf("%.2f", shares[m]), fmt.Sprintf("%d of %d", ended, plan.seeds))
	}
	return t, nil
}
