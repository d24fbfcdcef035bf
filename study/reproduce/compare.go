package reproduce

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// comparison is a printed table with what we got, cell by cell.
type comparison struct {
	paper *Printed
	ours  map[at]float64
}

// errorTable sets ours beside the paper's with the relative error of each cell.
func (c comparison) errorTable(name, title string) Table {
	t := Table{Name: name, Title: title, Head: []string{"P"}}
	for _, col := range c.paper.Columns {
		t.Head = append(t.Head, col+" paper", "ours", "error")
	}
	for _, p := range c.paper.P {
		row := []string{strconv.Itoa(p)}
		for _, col := range c.paper.Columns {
			paper, printed := c.paper.CellValue(col, p)
			ours, ran := c.ours[at{col, p}]
			row = append(row, formatCell(paper, printed), formatCell(ours, ran))
			if printed && ran {
				row = append(row, formatPercent(ours/paper))
			} else {
				row = append(row, "")
			}
		}
		t.AppendRow(row...)
	}
	return t
}

func formatCell(v float64, there bool) string {
	if !there {
		return "–"
	}
	return formatNumber(v)
}

// relativeErrors are the relative errors of the columns' cells, absolute, ascending.
func (c comparison) relativeErrors(columns ...string) (all []float64) {
	for _, col := range columns {
		for _, p := range c.paper.P {
			paper, printed := c.paper.CellValue(col, p)
			if ours, ran := c.ours[at{col, p}]; printed && ran {
				all = append(all, math.Abs(ours/paper-1))
			}
		}
	}
	slices.Sort(all)
	return all
}

// summary says in words how large errors are.
func errorSummary(what string, all []float64) string {
	if len(all) == 0 {
		return what + ": no cells."
	}
	return fmt.Sprintf("%s: %d cells, median error %.1f %%, largest %.1f %%.", what, len(all), 100*all[len(all)/2], 100*all[len(all)-1])
}

// comparisonCurves draws the columns, ours and the paper's.
func (c comparison) comparisonCurves() (all []Curve) {
	for _, col := range c.paper.Columns {
		paper, ours := Curve{Name: col, Paper: true}, Curve{Name: col}
		for _, p := range c.paper.P {
			if v, ok := c.paper.CellValue(col, p); ok {
				paper.X, paper.Y = append(paper.X, float64(p)), append(paper.Y, v)
			}
			if v, ok := c.ours[at{col, p}]; ok {
				ours.X, ours.Y = append(ours.X, float64(p)), append(ours.Y, v)
			}
		}
		all = append(all, ours, paper)
	}
	return all
}

// efficiencyFigure draws the columns of a table of speedups as efficiencies: the speedups themselves lie
// on one line up to hundreds of ranks.
func (c comparison) efficiencyFigure(name string) Figure {
	f := Figure{Name: name, Title: "Efficiencies, ours and the paper's", X: "P", LogX: true, Curves: c.comparisonCurves()}
	return f.DividedByX("efficiency = speedup / P")
}

// runSpeedups runs the columns of a printed table of speedups on the nCUBE/2.
func (l *Lab) runSpeedups(ctx context.Context, k Knobs, paper *Printed) (comparison, error) {
	m, err := k.ncube2Machine()
	if err != nil {
		return comparison{}, err
	}
	sets := map[at][]Cell{}
	for _, col := range paper.Columns {
		for _, p := range paper.P {
			if _, printed := paper.CellValue(col, p); printed {
				sets[at{col, p}] = k.schemeCells(m, schemeOf[col], p)
			}
		}
	}
	got, err := l.runCellSets(ctx, sets)
	c := comparison{paper, map[at]float64{}}
	for a, average := range got {
		c.ours[a] = average.Speedup()
	}
	return c, err
}
