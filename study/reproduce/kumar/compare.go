package kumar

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"treesplit/sim"
	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
	"treesplit/study/reproduce/printed"
)

// comparison is a printed table with the measured values, cell by cell.
type comparison struct {
	paper *printed.Table
	ours  map[lab.Place]float64
}

// errorTable returns a table of the measured and the printed values with the relative error of each
// cell.
func (c comparison) errorTable(name, title string) figure.Table {
	t := figure.Table{Name: name, Title: title, Head: []string{"P"}, Long: c.longErrors()}
	for _, col := range c.paper.Columns {
		t.Head = append(t.Head, col+" paper", "ours", "error")
	}
	for _, p := range c.paper.P {
		row := []string{strconv.Itoa(p)}
		for _, col := range c.paper.Columns {
			paper, printed := c.paper.CellValue(col, p)
			ours, ran := c.ours[lab.At(col, p)]
			row = append(row, formatCell(paper, printed), formatCell(ours, ran))
			if printed && ran {
				row = append(row, figure.FormatPercent(ours/paper))
			} else {
				row = append(row, "")
			}
		}
		t.AppendRow(row...)
	}
	return t
}

// longErrors has one row per cell: ours, the paper's, and the relative error as a fraction.
func (c comparison) longErrors() *figure.Long {
	l := &figure.Long{Head: []string{"P", "scheme", "paper", "ours", "error"}}
	for _, p := range c.paper.P {
		for _, col := range c.paper.Columns {
			paper, printed := c.paper.CellValue(col, p)
			ours, ran := c.ours[lab.At(col, p)]
			cells := []any{p, col, nil, nil, nil}
			if printed {
				cells[2] = paper
			}
			if ran {
				cells[3] = ours
			}
			if printed && ran {
				cells[4] = ours/paper - 1
			}
			l.AppendRow(cells...)
		}
	}
	return l
}

func formatCell(v float64, there bool) string {
	if !there {
		return "–"
	}
	return figure.FormatNumber(v)
}

// relativeErrors returns the absolute relative errors of the columns' cells, ascending.
func (c comparison) relativeErrors(columns ...string) (all []float64) {
	for _, col := range columns {
		for _, p := range c.paper.P {
			paper, printed := c.paper.CellValue(col, p)
			if ours, ran := c.ours[lab.At(col, p)]; printed && ran {
				all = append(all, math.Abs(ours/paper-1))
			}
		}
	}
	slices.Sort(all)
	return all
}

// errorSummary describes the size of errors in words.
func errorSummary(what string, all []float64) string {
	if len(all) == 0 {
		return what + ": no cells."
	}
	return fmt.Sprintf("%s: %d cells, median error %.1f %%, largest %.1f %%.", what, len(all), 100*all[len(all)/2], 100*all[len(all)-1])
}

// comparisonCurves returns the measured and the printed columns as curves.
func (c comparison) comparisonCurves() (all []figure.Curve) {
	for _, col := range c.paper.Columns {
		paper, ours := figure.Curve{Name: col, Paper: true}, figure.Curve{Name: col}
		for _, p := range c.paper.P {
			if v, ok := c.paper.CellValue(col, p); ok {
				paper.X, paper.Y = append(paper.X, float64(p)), append(paper.Y, v)
			}
			if v, ok := c.ours[lab.At(col, p)]; ok {
				ours.X, ours.Y = append(ours.X, float64(p)), append(ours.Y, v)
			}
		}
		all = append(all, ours, paper)
	}
	return all
}

// efficiencyFigure draws the columns of a table of speedups as efficiencies: the speedups themselves lie
// on one line up to hundreds of ranks.
func (c comparison) efficiencyFigure(name string) figure.Figure {
	f := figure.Figure{Name: name, Title: "Efficiencies, ours and the paper's", X: "P", LogX: true, Curves: c.comparisonCurves()}
	return f.DividedByX("efficiency = speedup / P")
}

// runSpeedups runs the columns of a printed table of speedups on the nCUBE/2.
func runSpeedups(ctx context.Context, l *lab.Lab, k lab.Knobs, paper *printed.Table) (comparison, error) {
	m, err := k.NCube2Machine()
	if err != nil {
		return comparison{}, err
	}
	return simulateSpeedups(ctx, l, k, m, paper, func(col string, p int) bool {
		_, printed := paper.CellValue(col, p)
		return printed
	})
}

// simulateSpeedups simulates the cells that a function accepts.
func simulateSpeedups(ctx context.Context, l *lab.Lab, k lab.Knobs, m sim.Machine, paper *printed.Table, accepts func(col string, p int) bool) (comparison, error) {
	sets := map[lab.Place][]lab.Cell{}
	for _, col := range paper.Columns {
		for _, p := range paper.P {
			if accepts(col, p) {
				sets[lab.At(col, p)] = k.SchemeCells(m, schemeOf[col], p)
			}
		}
	}
	got, err := l.RunCellSets(ctx, sets)
	c := comparison{paper, map[lab.Place]float64{}}
	for a, average := range got {
		c.ours[a] = average.Speedup()
	}
	return c, err
}
