package report

import (
	"fmt"

	"treesplit/study/figure"
)

// isDrawable reports whether a value fits on a logarithmic axis with normal values.
func isDrawable(v float64) bool { return v > 1e-6 && v < 1e15 }

// buildFigures returns the figures of a set: speedups, efficiencies, and lines of equal efficiency.
func (s *set) buildFigures(name string, lines []iso) []figure.Figure {
	speedups := figure.Figure{Name: name + "-speedup", Title: "Average speedup", X: "ranks", Y: "speedup", LogX: true, LogY: true}
	efficiencies := figure.Figure{Name: name + "-efficiency", Title: "Efficiency", X: "ranks", Y: "efficiency", LogX: true, Falls: true}
	for _, r := range s.rows {
		up, down := figure.Curve{Name: s.schemeLabel(r)}, figure.Curve{Name: s.schemeLabel(r)}
		for _, p := range s.ranks {
			sp, ok := s.speedupAt(place{r, p}, everyProblem)
			if !ok || sp.cases < sp.wanted || !isDrawable(sp.value) {
				continue
			}
			up.X, up.Y = append(up.X, float64(p)), append(up.Y, sp.value)
			down.X, down.Y = append(down.X, float64(p)), append(down.Y, sp.value/float64(p))
		}
		if len(up.X) > 1 {
			speedups.Curves, efficiencies.Curves = append(speedups.Curves, up), append(efficiencies.Curves, down)
		}
	}
	var drawn []figure.Figure
	if len(speedups.Curves) > 0 {
		linear := figure.Curve{Name: "linear"}
		for _, p := range s.ranks {
			linear.X, linear.Y = append(linear.X, float64(p)), append(linear.Y, float64(p))
		}
		speedups.Curves = append(speedups.Curves, linear)
		drawn = append(drawn, speedups, efficiencies)
	}
	equal := figure.Figure{Name: name + "-isoefficiency", Title: "Points of equal efficiency", X: "ranks", Y: "W", LogX: true, LogY: true}
	for _, i := range lines {
		if len(i.p) > 1 {
			equal.Curves = append(equal.Curves, figure.Curve{Name: fmt.Sprintf("%s, E = %v", s.schemeLabel(i.row), i.efficiency), X: i.p, Y: i.w})
		}
	}
	if len(equal.Curves) > 0 {
		drawn = append(drawn, equal)
	}
	return drawn
}
