package figure

import "math"

// Point is a problem size and the efficiency it runs at.
type Point struct{ W, Efficiency float64 }

// SizeForEfficiency is the problem size that reaches an efficiency (Kumar et al., section 3). A run
// has E = W/(W + overhead); so the logarithm of E/(ceiling−E) is fitted by a line over
// that of W, which evens out what the problems differ in besides their size. The ceiling is
// the efficiency of endless work: 1, or what polls, which cost the same whatever W is,
// leave of it. ok is false for fewer than three points of use and outside of the
// efficiencies that were measured.
func SizeForEfficiency(points []Point, efficiency, ceiling float64) (w float64, ok bool) {
	logit := func(e float64) float64 { return math.Log(e / (ceiling - e)) }
	var x, y []float64
	lowest, highest := 1.0, 0.0
	for _, p := range points {
		if p.Efficiency > 0.4 && p.Efficiency < 0.99*ceiling { // beyond, it is start and end that count
			x, y = append(x, math.Log(p.W)), append(y, logit(p.Efficiency))
			lowest, highest = min(lowest, p.Efficiency), max(highest, p.Efficiency)
		}
	}
	if len(x) < 3 || efficiency < lowest || efficiency > highest {
		return 0, false
	}
	intercept, slope, _ := FitLinear(x, y)
	return math.Exp((logit(efficiency) - intercept) / slope), true
}
