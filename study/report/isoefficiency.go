package report

import (
	"fmt"
	"math"
	"strconv"

	"treesplit/study/figure"
)

// targets are the efficiencies for which the isoefficiency is computed.
var targets = []float64{0.5, 0.6, 0.7, 0.8, 0.9}

// iso is one line of equal efficiency: the problem sizes that reach the efficiency.
type iso struct {
	row          row
	efficiency   float64
	p, w         []float64
	exponent, r2 float64 // of W = c·P^exponent
	hasExponent  bool
}

// isoefficiencyLines returns the lines of equal efficiency (section 3 of Kumar, Grama and Rao). A
// point needs problems of at least three different W on a number of ranks, whose efficiencies enclose
// the efficiency. An exponent is fitted to lines with at least three numbers of ranks.
func (s *set) isoefficiencyLines() (lines []iso) {
	for _, r := range s.rows {
		points := map[int][]figure.Point{} // by number of ranks
		for _, p := range s.ranks {
			if p > 1 {
				points[p] = s.efficiencyPoints(place{r, p})
			}
		}
		for _, e := range targets {
			i := iso{row: r, efficiency: e}
			for _, p := range s.ranks {
				if p < 2 {
					continue
				}
				if w, ok := figure.SizeForEfficiency(points[p], e, 1); ok && w > 1 && w < 1e15 {
					i.p, i.w = append(i.p, float64(p)), append(i.w, w)
				}
			}
			if len(i.p) == 0 {
				continue
			}
			if len(i.p) >= 3 {
				i.exponent, i.r2 = figure.FitExponent(i.p, i.w)
				i.hasExponent = !math.IsNaN(i.exponent) && !math.IsNaN(i.r2)
			}
			lines = append(lines, i)
		}
	}
	return lines
}

// efficiencyPoints returns the sizes of the problems and the efficiencies of their searches.
func (s *set) efficiencyPoints(at place) (points []figure.Point) {
	for _, p := range s.cases {
		t, t1, ok := s.problemTimes(at, p)
		if w, _ := s.problemSize(p); ok && w > 0 {
			points = append(points, figure.Point{W: float64(w), Efficiency: t1 / medianValue(t.seconds) / float64(at.ranks)})
		}
	}
	return points
}

// addLongRows adds the points of the line, one per row. The exponent of the line is in all of them.
func (i iso) addLongRows(l *figure.Long) {
	var exponent, r2 any // nil: missing
	if i.hasExponent {
		exponent, r2 = i.exponent, i.r2
	}
	for k := range i.p {
		l.AppendRow(i.p[k], i.row.scheme, i.row.detector, i.efficiency, i.w[k], exponent, r2)
	}
}

// isoefficiencyTable lists the lines.
func (s *set) isoefficiencyTable(name string, lines []iso) figure.Table {
	t := figure.Table{Name: name, Title: "Isoefficiency: the W that reaches an efficiency E, and the exponent of P in W", Head: []string{"scheme", "E"}}
	for _, p := range s.ranks {
		if p > 1 {
			t.Head = append(t.Head, fmt.Sprintf("W, P = %d", p))
		}
	}
	t.Head = append(t.Head, "exponent", "R²")
	t.Long = &figure.Long{Head: []string{"P", "scheme", "detector", "E", "W", "exponent", "R2"}}
	for _, i := range lines {
		i.addLongRows(t.Long)
		line := []string{s.schemeLabel(i.row), strconv.FormatFloat(i.efficiency, 'g', -1, 64)}
		for _, p := range s.ranks {
			if p < 2 {
				continue
			}
			text := none
			for k := range i.p {
				if i.p[k] == float64(p) {
					text = formatDigits(i.w[k], 3)
				}
			}
			line = append(line, text)
		}
		exponent, r2 := none, none
		if i.hasExponent {
			exponent, r2 = strconv.FormatFloat(i.exponent, 'f', 2, 64), strconv.FormatFloat(i.r2, 'f', 3, 64)
		}
		t.AppendRow(append(line, exponent, r2)...)
	}
	return t
}
