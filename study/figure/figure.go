package figure

import "math"

// Figure is a picture of curves.
type Figure struct {
	Name   string // of its SVG file
	Title  string
	X, Y   string // labels
	LogX   bool
	LogY   bool
	Curves []Curve
}

// Curve is a line through points.
type Curve struct {
	Name string
	X, Y []float64
	// Paper marks points that a paper prints: the line is dashed, without markers, in the colour of
	// the curve with the same name.
	Paper bool
	// Reference marks a line to compare with, for example linear speedup: it is dashed, grey and
	// without markers.
	Reference bool
}

// isDrawable reports whether a point has a place in the figure.
func (f *Figure) isDrawable(x, y float64) bool {
	bad := func(v float64, log bool) bool { return math.IsNaN(v) || math.IsInf(v, 0) || log && v <= 0 }
	return !bad(x, f.LogX) && !bad(y, f.LogY)
}

// drawablePoints returns the points of a curve that have a place in the figure.
func (f *Figure) drawablePoints(c *Curve) (x, y []float64) {
	for i := range c.X {
		if f.isDrawable(c.X[i], c.Y[i]) {
			x, y = append(x, c.X[i]), append(y, c.Y[i])
		}
	}
	return x, y
}

// samePlace is the ratio of values that a reader cannot tell apart on a logarithmic axis.
const samePlace = 1.1

// CurvesCoincide reports whether several curves lie on one line nearly everywhere: at every x the
// values differ by less than a tenth. Such a figure shows nothing.
func (f *Figure) CurvesCoincide() bool {
	least, most, curves := map[float64]float64{}, map[float64]float64{}, 0
	for _, c := range f.Curves {
		if c.Reference {
			continue
		}
		curves++
		for i, x := range c.X {
			y := c.Y[i]
			if _, known := least[x]; !known {
				least[x], most[x] = y, y
			}
			least[x], most[x] = min(least[x], y), max(most[x], y)
		}
	}
	for x := range least {
		if !(most[x] < samePlace*least[x]) {
			return false
		}
	}
	return curves > 1
}

// DividedByX returns the figure of y/x, on a linear axis: efficiencies instead of speedups, which
// differ visibly where speedups lie on one line.
func (f Figure) DividedByX(label string) Figure {
	f.Y, f.LogY = label, false
	curves := f.Curves
	f.Curves = nil
	for _, c := range curves {
		y := make([]float64, len(c.Y))
		for i := range y {
			y[i] = c.Y[i] / c.X[i]
		}
		c.Y = y
		f.Curves = append(f.Curves, c)
	}
	return f
}
