package reproduce

import (
	"context"
	"fmt"
	"strconv"
)

// subtaskDepths are the cutoff depths tried for SL and ML. The paper does not
// print its own; like whoever tunes such a program, each number of ranks gets the
// best of them.
var subtaskDepths = []int{11, 14, 17, 20, 23}

// runSenderSchemes runs the columns of table 5, SL and ML at every depth.
func (l *Lab) runSenderSchemes(ctx context.Context, k Knobs) (comparison, map[at]int, error) {
	paper, err := readPrinted("kumar-table5-speedups-sender-initiated")
	if err != nil {
		return comparison{}, nil, err
	}
	m, err := k.ncube2Machine()
	if err != nil {
		return comparison{}, nil, err
	}
	sets := map[at][]Cell{}
	for _, col := range paper.Columns {
		for _, p := range paper.P {
			if _, printed := paper.CellValue(col, p); !printed {
				continue
			}
			if col == "RP" {
				sets[at{col, p}] = k.schemeCells(m, "rp", p)
				continue
			}
			for _, d := range subtaskDepths {
				cells := k.schemeCells(m, schemeOf[col], p)
				for i := range cells {
					cells[i].Cutoff = d
				}
				sets[at{col + " " + strconv.Itoa(d), p}] = cells
			}
		}
	}
	got, err := l.runCellSets(ctx, sets)
	if err != nil {
		return comparison{}, nil, err
	}
	c, depth := comparison{paper, map[at]float64{}}, map[at]int{}
	for _, p := range paper.P {
		c.ours[at{"RP", p}] = got[at{"RP", p}].Speedup()
		for _, col := range []string{"SL", "ML"} {
			keepBestSpeedup(c, depth, got, col, p)
		}
	}
	return c, depth, nil
}

// keepBestSpeedup keeps the best speedup of a scheme over the depths.
func keepBestSpeedup(c comparison, depth map[at]int, got map[at]Average, col string, p int) {
	for _, d := range subtaskDepths {
		a, ran := got[at{col + " " + strconv.Itoa(d), p}]
		if ran && a.Speedup() > c.ours[at{col, p}] {
			c.ours[at{col, p}], depth[at{col, p}] = a.Speedup(), d
		}
	}
}

// kumarTable5 is Kumar et al., table 5: speedups of SL and ML beside RP.
func kumarTable5(ctx context.Context, l *Lab, k Knobs) (Section, error) {
	c, depth, err := l.runSenderSchemes(ctx, k)
	if err != nil {
		return Section{}, err
	}
	depths := Table{Name: "table5-depths", Title: "Cutoff depth of the best run", Head: []string{"P", "SL", "ML"}}
	for _, p := range c.paper.P {
		row := []string{strconv.Itoa(p)}
		for _, col := range []string{"SL", "ML"} {
			if d := depth[at{col, p}]; d > 0 {
				row = append(row, strconv.Itoa(d))
			} else {
				row = append(row, "–")
			}
		}
		depths.AppendRow(row...)
	}
	return Section{
		Title:  "Table 5: speedups of the sender-initiated schemes",
		Tables: []Table{c.errorTable("table5", "Average speedups on the simulated nCUBE/2 (Kumar et al., table 5)"), depths},
		Text: []string{
			fmt.Sprintf("SL and ML cut subtasks off at a depth that the paper does not print: of the depths %v the best for each P is shown.", subtaskDepths),
			errorSummary("SL and ML, not fitted", c.relativeErrors("SL", "ML")),
		},
	}, nil
}

// kumarFigure5 draws table 5, as efficiencies.
func kumarFigure5(ctx context.Context, l *Lab, k Knobs) (Section, error) {
	c, _, err := l.runSenderSchemes(ctx, k)
	if err != nil {
		return Section{}, err
	}
	return Section{Title: "Figure 5: efficiencies of the sender-initiated schemes", Figures: []Figure{c.efficiencyFigure("fig5")}}, nil
}
