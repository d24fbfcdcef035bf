package kumar

import (
	"context"
	"fmt"
	"math"

	"treesplit/study/figure"
	"treesplit/study/reproduce/lab"
	"treesplit/study/reproduce/printed"
)

// runRequests runs the columns of table 4.
func runRequests(ctx context.Context, l *lab.Lab, k lab.Knobs) (comparison, error) {
	paper, err := printed.Read("kumar-table4-work-requests")
	if err != nil {
		return comparison{}, err
	}
	all, err := measureResiduals(ctx, l, k, paper.P)
	c := comparison{paper, map[lab.Place]float64{}}
	for _, r := range all {
		if r.table == "table 4" {
			c.ours[lab.At(r.column, r.p)] = r.ours
		}
	}
	return c, err
}

// Table4 is Kumar et al., table 4: the number of work requests of GRR-M and RP.
func Table4(ctx context.Context, l *lab.Lab, k lab.Knobs) (figure.Section, error) {
	c, err := runRequests(ctx, l, k)
	if err != nil {
		return figure.Section{}, err
	}
	s := figure.Section{
		Title:  "Table 4: work requests of GRR-M and RP",
		Tables: []figure.Table{c.errorTable("table4", "Work requests, the mean over the instances (Kumar et al., table 4)"), c.requestRatios()},
	}
	for _, col := range c.paper.Columns {
		paper, ours := c.growthExponent(col)
		s.Text = append(s.Text, fmt.Sprintf("%s: requests grow like P^%.2f in the paper and P^%.2f here, from P = %d to %d.",
			col, paper, ours, c.paper.P[0], c.paper.P[len(c.paper.P)-1]))
	}
	return s, nil
}

// growthExponent returns the exponent of a column in P, from its first row to its last, in the
// paper and as measured.
func (c comparison) growthExponent(col string) (paper, ours float64) {
	first, last := c.paper.P[0], c.paper.P[len(c.paper.P)-1]
	exponent := func(from, to float64) float64 { return math.Log(to/from) / math.Log(float64(last)/float64(first)) }
	a, _ := c.paper.CellValue(col, first)
	b, _ := c.paper.CellValue(col, last)
	return exponent(a, b), exponent(c.ours[lab.At(col, first)], c.ours[lab.At(col, last)])
}

// requestRatios returns a table of RP's requests divided by GRR-M's, measured and printed.
func (c comparison) requestRatios() figure.Table {
	t := figure.Table{Name: "table4-ratios", Title: "How many times fewer requests GRR-M makes than RP", Head: []string{"P", "paper", "ours"}}
	for _, p := range c.paper.P {
		a, _ := c.paper.CellValue("RP", p)
		b, _ := c.paper.CellValue("GRR-M", p)
		t.AppendRow(fmt.Sprint(p), figure.FormatNumber(a/b), figure.FormatNumber(c.ours[lab.At("RP", p)]/c.ours[lab.At("GRR-M", p)]))
	}
	return t
}

// Figure4 is Kumar et al., figure 4: requests against P log P and P log² P.
func Figure4(ctx context.Context, l *lab.Lab, k lab.Knobs) (figure.Section, error) {
	c, err := runRequests(ctx, l, k)
	if err != nil {
		return figure.Section{}, err
	}
	s := figure.Section{Title: "Figure 4: work requests against P log P and P log² P"}
	f := figure.Figure{Name: "fig4", Title: "Work requests", X: "P", Y: "requests", LogX: true, LogY: true, Curves: c.comparisonCurves()}
	for _, law := range []struct {
		col, name string
		of        func(p float64) float64
	}{
		{"GRR-M", "P log P", func(p float64) float64 { return p * math.Log2(p) }},
		{"RP", "P log² P", func(p float64) float64 { return p * math.Log2(p) * math.Log2(p) }},
	} {
		var x, y []float64
		curve := figure.Curve{Name: law.name, Reference: true}
		for _, p := range c.paper.P {
			x, y = append(x, law.of(float64(p))), append(y, c.ours[lab.At(law.col, p)])
		}
		slope, r2 := figure.ThroughOrigin(x, y)
		for i, p := range c.paper.P {
			curve.X, curve.Y = append(curve.X, float64(p)), append(curve.Y, slope*x[i])
		}
		f.Curves = append(f.Curves, curve)
		s.Text = append(s.Text, fmt.Sprintf("%s: %.3g · %s with R² = %.3f.", law.col, slope, law.name, r2))
	}
	s.Figures = []figure.Figure{f}
	return s, nil
}
