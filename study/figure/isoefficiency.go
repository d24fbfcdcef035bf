package figure

import (
	"math"
	"slices"
)

// Point is a problem size and the efficiency of its search.
type Point struct{ W, Efficiency float64 }

// SizeForEfficiency returns the problem size that reaches an efficiency (Kumar et al., section 3).
// A run has E = W/(W + overhead). Therefore a line is fitted to the logarithm of E/(ceiling−E) as a
// function of the logarithm of W; the fit averages over differences between the problems other than
// their size. The ceiling is the efficiency for unlimited work: 1, or less because of polls, whose
// cost per node does not depend on W. ok is false if the usable points have fewer than three
// different W, for efficiencies outside of the measured ones, and if the efficiency does not grow with W. It is
// also false if the line leads more than half beyond the sizes of the points.
func SizeForEfficiency(points []Point, efficiency, ceiling float64) (w float64, ok bool) {
	logit := func(e float64) float64 { return math.Log(e / (ceiling - e)) }
	var x, y []float64
	lowest, highest := 1.0, 0.0
	for _, p := range points {
		if p.Efficiency > 0.4 && p.Efficiency < 0.99*ceiling { // beyond these limits the start and the end of runs dominate
			x, y = append(x, math.Log(p.W)), append(y, logit(p.Efficiency))
			lowest, highest = min(lowest, p.Efficiency), max(highest, p.Efficiency)
		}
	}
	if sizes := slices.Compact(slices.Sorted(slices.Values(x))); len(sizes) < 3 || efficiency < lowest || efficiency > highest {
		return 0, false
	}
	intercept, slope, _ := FitLinear(x, y)
	if !(slope > 0) {
		return 0, false
	}
	const beyond = 1.5
	w = math.Exp((logit(efficiency) - intercept) / slope)
	if w < math.Exp(slices.Min(x))/beyond || w > math.Exp(slices.Max(x))*beyond {
		return 0, false
	}
	return w, true
}
