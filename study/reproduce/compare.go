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

// table sets ours beside the paper's with the relative error of each cell.
func (c comparison) table(name, title string) Table {
	t := Table{Name: name, Title: title, Head: []string{"P"}}
	for _, col := range c.paper.Columns {
		t.Head = append(t.Head, col+" paper", "ours", "error")
	}
	for _, p := range c.paper.P {
		row := []string{strconv.Itoa(p)}
		for _, col := range c.paper.Columns {
			paper, printed := c.paper.At(col, p)
			ours, ran := c.ours[at{col, p}]
			row = append(row, cellText(paper, printed), cellText(ours, ran))
			if printed && ran {
				row = append(row, percent(ours/paper))
			} else {
				row = append(row, "")
			}
		}
		t.Add(row...)
	}
	return t
}

func cellText(v float64, there bool) string {
	if !there {
		return "–"
	}
	return number(v)
}

// errors are the relative errors of the columns' cells, absolute, ascending.
func (c comparison) errors(columns ...string) (all []float64) {
	for _, col := range columns {
		for _, p := range c.paper.P {
			paper, printed := c.paper.At(col, p)
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

// curves draws the columns, ours and the paper's.
func (c comparison) curves() (all []Curve) {
	for _, col := range c.paper.Columns {
		paper, ours := Curve{Name: col, Paper: true}, Curve{Name: col}
		for _, p := range c.paper.P {
			if v, ok := c.paper.At(col, p); ok {
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

// speedups runs the columns of a printed table of speedups on the nCUBE/2.
func (l *Lab) speedups(ctx context.Context, k Knobs, paper *Printed) (comparison, error) {
	m, err := k.machine()
	if err != nil {
		return comparison{}, err
	}
	sets := map[at][]Cell{}
	for _, col := range paper.Columns {
		for _, p := range paper.P {
			if _, printed := paper.At(col, p); printed {
				sets[at{col, p}] = k.cells(m, schemeOf[col], p)
			}
		}
	}
	got, err := l.grid(ctx, sets)
	c := comparison{paper, map[at]float64{}}
	for a, average := range got {
		c.ours[a] = average.Speedup()
	}
	return c, err
}
