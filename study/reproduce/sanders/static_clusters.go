package sanders

import (
	"context"
	"fmt"
	"slices"

	"treesplit/comm"
	"treesplit/internal/parallel"
	"treesplit/lb"
	"treesplit/sim"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
)

// clusterPlan defines the measurements of R7.
type clusterPlan struct {
	ranks  []int
	sigmas []float64
	nodes  []int // W/P
	hops   []int // factors of t_h
	most   int   // largest W; larger ones are left out
}

var fullClusters = clusterPlan{
	ranks: []int{64, 256, 1024, 4096}, sigmas: []float64{0.1, 0.2, 0.29}, nodes: []int{250, 1000}, hops: []int{1, 50}, most: 1 << 20,
}

// clusterAlphas are the α of clusters of log^α P ranks.
var clusterAlphas = []float64{1, 1.5, 2, 2.5}

// clusterScheme is a column of R7's table.
type clusterScheme struct {
	name, scheme string
	alpha        float64
}

func clusterSchemes() []clusterScheme {
	all := []clusterScheme{{"static", "static", 0}, {"RP", "rp", 0}, {"static+RP", "static+rp", 0}}
	for _, a := range clusterAlphas {
		all = append(all, clusterScheme{fmt.Sprintf("clusters α = %v", a), "static+clustered", a})
	}
	return all
}

// clusterRow is a row: the results of the schemes on one workload.
type clusterRow struct {
	hop, nodes, p int
	sigma         float64
	efficiency    []float64 // by clusterSchemes; 0: the cluster is the whole machine
	ranks         []int     // of rank 0's cluster, by clusterSchemes; 0: no clusters
}

// bestOfSchemes returns the best efficiency of the schemes from, …, to−1.
func (r clusterRow) bestOfSchemes(from, to int) float64 { return slices.Max(r.efficiency[from:to]) }

// unclustered is the number of clusterSchemes without clusters; they come first.
const unclustered = 3

// clusterRows runs a plan on a mesh, with one part per rank under a static start.
func clusterRows(ctx context.Context, l *lab.Lab, k lab.Knobs, plan clusterPlan) ([]clusterRow, error) {
	var rows []clusterRow
	for _, hop := range plan.hops {
		for _, nodes := range plan.nodes {
			for _, sigma := range plan.sigmas {
				for _, p := range plan.ranks {
					if p*nodes <= plan.most {
						rows = append(rows, clusterRow{hop: hop, nodes: nodes, p: p, sigma: sigma})
					}
				}
			}
		}
	}
	schemes := clusterSchemes()
	// Rows with the most ranks come first, so that all cores finish at about the same time.
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return rows[b].p - rows[a].p })
	type cluster struct {
		efficiency float64
		ranks      int
	}
	got, err := parallel.SideBySide(ctx, l.Workers, len(rows)*len(schemes), func(ctx context.Context, i int) (c cluster, err error) {
		r, s := rows[order[i/len(schemes)]], schemes[i%len(schemes)]
		m, err := k.MachineNamed("mesh")
		if err != nil {
			return c, err
		}
		if s.alpha > 0 {
			network, err := m.SchemeNetwork(r.p)
			if err != nil {
				return c, err
			}
			if c.ranks = lb.NewClusterPolling(network, s.alpha, 0).ClusterSize(); c.ranks == r.p {
				return c, nil
			}
		}
		c.efficiency, err = efficiencyOf(ctx, l, clusterCells(k, m, s, r))
		return c, err
	})
	for i, c := range got {
		r := &rows[order[i/len(schemes)]]
		r.efficiency, r.ranks = append(r.efficiency, c.efficiency), append(r.ranks, c.ranks)
	}
	return rows, err
}

// clusterCells returns the runs of a scheme. There are fewer on many ranks, where runs differ less
// and take longer.
func clusterCells(k lab.Knobs, m sim.Machine, s clusterScheme, r clusterRow) []lab.Cell {
	m.PerHop *= comm.Time(r.hop)
	cells := halvingCells(k, m, s.scheme, r.p, int64(r.p)*int64(r.nodes), r.sigma)
	if r.p >= 1024 {
		cells = cells[:2]
	}
	for i := range cells {
		cells[i].Termination, cells[i].Tuning.Cluster = "mesh", s.alpha
	}
	return cells
}

// StaticClusters measures R7: one random part per rank and then random polling within clusters, on
// a mesh (Sanders, static load balancing, section 6).
func StaticClusters(ctx context.Context, l *lab.Lab, k lab.Knobs) (figure.Section, error) {
	rows, err := clusterRows(ctx, l, k, fullClusters)
	if err != nil {
		return figure.Section{}, err
	}
	schemes := clusterSchemes()
	t := figure.Table{Name: "static-clusters", Title: "Efficiency on a mesh, one part a rank under a static start", Head: []string{"t_h", "W/P", "σ", "P"}}
	t.Long = &figure.Long{Head: []string{"t_h over the nCUBE/2's", "W/P", "σ", "P", "scheme", "efficiency", "ranks of a cluster"}}
	for _, s := range schemes {
		t.Head = append(t.Head, s.name)
	}
	t.Head = append(t.Head, "best")
	for _, r := range rows {
		row := []string{"× " + fmt.Sprint(r.hop), fmt.Sprint(r.nodes), fmt.Sprint(r.sigma), fmt.Sprint(r.p)}
		for i, e := range r.efficiency {
			if e > 0 {
				t.Long.AppendRow(fmt.Sprint(r.hop), row[1], row[2], row[3], schemes[i].name, e, r.ranks[i])
			}
			switch {
			case r.ranks[i] == 0:
				row = append(row, fmt.Sprintf("%.3f", e))
			case e == 0:
				row = append(row, "–")
			default:
				row = append(row, fmt.Sprintf("%.3f (%d)", e, r.ranks[i]))
			}
		}
		t.AppendRow(append(row, schemes[slices.Index(r.efficiency, slices.Max(r.efficiency))].name)...)
	}
	s := figure.Section{
		Title: "Static clusters: random polling within clusters after a static start", Tables: []figure.Table{t},
		Text: []string{
			fmt.Sprintf("The nCUBE/2's costs on a mesh, with 1 and 50 times its t_h; work that halves by the beta "+
				"law in atoms of %d nodes, the mean over %d trees, over 2 from P = 1024 on. clusters: "+
				"static+clustered with clusters of log2^α P ranks, rank 0's has as many as stand in "+
				"brackets; – where the cluster would be the whole machine, as under static+RP.", halvingGrain, halvingRuns),
		},
	}
	for _, hop := range fullClusters.hops {
		s.Text = append(s.Text, clusterSummary(rows, hop))
	}
	return s, nil
}

// clusterSummary counts the rows of one t_h in which clusters are best.
func clusterSummary(rows []clusterRow, hop int) string {
	count, overBoth, overAll := 0, 0, 0
	for _, r := range rows {
		if r.hop != hop {
			continue
		}
		count++
		clusters := r.bestOfSchemes(unclustered, len(r.efficiency))
		if clusters > r.bestOfSchemes(0, 2) {
			overBoth++
		}
		if clusters > r.bestOfSchemes(0, unclustered) {
			overAll++
		}
	}
	return fmt.Sprintf("t_h × %d: some size of clusters is better than both static alone and RP alone in %d of %d rows, and better than RP over all ranks after a static start too in %d.", hop, overBoth, count, overAll)
}
