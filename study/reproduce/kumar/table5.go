package kumar

import (
	"context"
	"fmt"
	"strconv"

	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
	"treesplit/study/reproduce/printed"
)

// subtaskDepths are the cutoff depths tried for SL and ML. The paper does not print its own depths.
// Each number of ranks gets the best of these depths, as a user who tunes the program would choose.
var subtaskDepths = []int{11, 14, 17, 20, 23}

// runSenderSchemes runs the columns of table 5, SL and ML at every depth.
func runSenderSchemes(ctx context.Context, l *lab.Lab, k lab.Knobs) (comparison, map[lab.Place]int, error) {
	paper, err := printed.Read("kumar-table5-speedups-sender-initiated")
	if err != nil {
		return comparison{}, nil, err
	}
	m, err := k.NCube2Machine()
	if err != nil {
		return comparison{}, nil, err
	}
	sets := map[lab.Place][]lab.Cell{}
	for _, col := range paper.Columns {
		for _, p := range paper.P {
			if _, printed := paper.CellValue(col, p); !printed {
				continue
			}
			if col == "RP" {
				sets[lab.At(col, p)] = k.SchemeCells(m, "rp", p)
				continue
			}
			for _, d := range subtaskDepths {
				cells := k.SchemeCells(m, schemeOf[col], p)
				for i := range cells {
					cells[i].Cutoff = d
				}
				sets[lab.At(col+" "+strconv.Itoa(d), p)] = cells
			}
		}
	}
	got, err := l.RunCellSets(ctx, sets)
	if err != nil {
		return comparison{}, nil, err
	}
	c, depth := comparison{paper, map[lab.Place]float64{}}, map[lab.Place]int{}
	for _, p := range paper.P {
		c.ours[lab.At("RP", p)] = got[lab.At("RP", p)].Speedup()
		for _, col := range []string{"SL", "ML"} {
			keepBestSpeedup(c, depth, got, col, p)
		}
	}
	return c, depth, nil
}

// keepBestSpeedup keeps the best speedup of a scheme over the depths.
func keepBestSpeedup(c comparison, depth map[lab.Place]int, got map[lab.Place]lab.Average, col string, p int) {
	for _, d := range subtaskDepths {
		a, ran := got[lab.At(col+" "+strconv.Itoa(d), p)]
		if ran && a.Speedup() > c.ours[lab.At(col, p)] {
			c.ours[lab.At(col, p)], depth[lab.At(col, p)] = a.Speedup(), d
		}
	}
}

// bestDepths returns a table of the cutoff depths of the best runs.
func bestDepths(name string, c comparison, depth map[lab.Place]int) figure.Table {
	depths := figure.Table{Name: name, Title: "Cutoff depth of the best run", Spread: &figure.Spread{Keys: 1, Variable: "scheme", Value: "depth"}, Head: []string{"P", "SL", "ML"}}
	for _, p := range c.paper.P {
		row := []string{strconv.Itoa(p)}
		for _, col := range []string{"SL", "ML"} {
			if d := depth[lab.At(col, p)]; d > 0 {
				row = append(row, strconv.Itoa(d))
			} else {
				row = append(row, "–")
			}
		}
		depths.AppendRow(row...)
	}
	return depths
}

// Table5 is Kumar et al., table 5: speedups of SL and ML beside RP.
func Table5(ctx context.Context, l *lab.Lab, k lab.Knobs) (figure.Section, error) {
	c, depth, err := runSenderSchemes(ctx, l, k)
	if err != nil {
		return figure.Section{}, err
	}
	depths := bestDepths("table5-depths", c, depth)
	return figure.Section{
		Title:  "Table 5: speedups of the sender-initiated schemes",
		Tables: []figure.Table{c.errorTable("table5", "Average speedups on the simulated nCUBE/2 (Kumar et al., table 5)"), depths},
		Text: []string{
			fmt.Sprintf("SL and ML cut subtasks off at a depth that the paper does not print: of the depths %v the best for each P is shown.", subtaskDepths),
			errorSummary("SL and ML, not fitted", c.relativeErrors("SL", "ML")),
		},
	}, nil
}

// Figure5 draws table 5, as efficiencies.
func Figure5(ctx context.Context, l *lab.Lab, k lab.Knobs) (figure.Section, error) {
	c, _, err := runSenderSchemes(ctx, l, k)
	if err != nil {
		return figure.Section{}, err
	}
	return figure.Section{Title: "Figure 5: efficiencies of the sender-initiated schemes", Figures: []figure.Figure{c.efficiencyFigure("fig5")}}, nil
}
