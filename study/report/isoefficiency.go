package report

import (
	"fmt"
	"math"
	"strconv"

	"treesplit/study/figure"
)

// targets are the efficiencies for which the isoefficiency is looked for.
var targets = []float64{0.5, 0.6, 0.7, 0.8, 0.9}

// iso is one line of equal efficiency: the problem sizes that reach it.
type iso struct {
	row          row
	efficiency   float64
	p, w         []float64
	exponent, r2 float64 // of W = c·P^exponent
	hasExponent  bool
}

// isoefficiencyLines finds the lines of equal efficiency (section 3 of Kumar, Grama and Rao) wherever
// three and more instances on a number of ranks enclose the efficiency, and fits an
// exponent to those with three and more numbers of ranks.
func (s *set) isoefficiencyLines() (lines []iso) {
	for _, r := range s.rows {
		for _, e := range targets {
			i := iso{row: r, efficiency: e}
			for _, p := range s.ranks {
				if p < 2 {
					continue
				}
				if w, ok := figure.SizeForEfficiency(s.efficiencyPoints(place{r, p}), e, 1); ok && w > 1 && w < 1e15 {
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

// efficiencyPoints are the sizes of the problems and how efficiently they were searched.
func (s *set) efficiencyPoints(at place) (points []figure.Point) {
	for _, p := range s.cases {
		sp, ok := s.speedupAt(at, func(q problem) bool { return q == p })
		if w := s.problemSize(p); ok && w > 0 {
			points = append(points, figure.Point{W: float64(w), Efficiency: sp.value / float64(at.ranks)})
		}
	}
	return points
}

// addLongRows adds one row per number of ranks.
func (i iso) addLongRows(l *figure.Long) {
	for k := range i.p {
		cells := []any{i.row.scheme, i.row.detector, i.efficiency, i.p[k], i.w[k], nil, nil}
		if i.hasExponent {
			cells[5], cells[6] = i.exponent, i.r2
		}
		l.AppendRow(cells...)
	}
}

// isoefficiencyTable lists the lines.
func (s *set) isoefficiencyTable(name string, lines []iso) figure.Table {
	t := figure.Table{Name: name, Title: "Isoefficiency: the W that reaches an efficiency E, and the exponent of P in it", Head: []string{"scheme", "E"}}
	t.Long = &figure.Long{Head: []string{"scheme", "detector", "E", "P", "W", "exponent", "R²"}}
	for _, p := range s.ranks {
		if p > 1 {
			t.Head = append(t.Head, fmt.Sprintf("W, P = %d", p))
		}
	}
	t.Head = append(t.Head, "exponent", "R²")
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
