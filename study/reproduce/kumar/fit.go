package kumar

import (
	"context"
	"math"

	"treesplit/study/reproduce/lab"
	"treesplit/study/reproduce/printed"
)

// residual is one cell of the tables to which the knobs are fitted.
type residual struct {
	table, column string
	p             int
	paper, ours   float64
}

// measureResiduals runs RP and GRR-M with the knobs. It returns RP's speedups (table 3) and both
// schemes' requests (table 4), beside the printed values.
func measureResiduals(ctx context.Context, l *lab.Lab, k lab.Knobs, ranks []int) ([]residual, error) {
	table3, err := printed.Read("kumar-table3-speedups-receiver-initiated")
	if err != nil {
		return nil, err
	}
	table4, err := printed.Read("kumar-table4-work-requests")
	if err != nil {
		return nil, err
	}
	m, err := k.NCube2Machine()
	if err != nil {
		return nil, err
	}
	sets := map[lab.Place][]lab.Cell{}
	for _, p := range ranks {
		for _, c := range table4.Columns {
			sets[lab.At(c, p)] = k.SchemeCells(m, schemeOf[c], p)
		}
	}
	got, err := l.RunCellSets(ctx, sets)
	if err != nil {
		return nil, err
	}
	var all []residual
	for _, p := range ranks {
		paper, _ := table3.CellValue("RP", p)
		all = append(all, residual{"table 3", "RP", p, paper, got[lab.At("RP", p)].Speedup()})
	}
	for _, c := range table4.Columns {
		for _, p := range ranks {
			paper, _ := table4.CellValue(c, p)
			all = append(all, residual{"table 4", c, p, paper, got[lab.At(c, p)].MeanRequests()})
		}
	}
	return all, nil
}

// schemeOf maps a column of the paper to the scheme's name on the command line.
var schemeOf = map[string]string{
	"ARR": "arr", "NN": "nn", "GRR": "grr", "GRR-M": "grr-m", "RP": "rp", "SB": "sb", "SL": "sl", "ML": "ml",
}

// residualScore returns the value that a fit minimises: the mean square of the logarithms of the
// ratios of measured to printed values. A speedup counts 100 times as much as a number of requests,
// because a number of requests only has to agree within a factor and not within a few percent.
func residualScore(all []residual) float64 {
	sum, weights := 0.0, 0.0
	for _, r := range all {
		weight := 1.0
		if r.table == "table 3" {
			weight = 100
		}
		e := math.Log(r.ours / r.paper)
		sum += weight * e * e
		weights += weight
	}
	return sum / weights
}
