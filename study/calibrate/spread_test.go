package calibrate

import (
	"math"
	"testing"
)

func TestSpread(t *testing.T) {
	if got := spreadOfSamples([]float64{5, 1, 4, 2, 3}); got.Median != 3 || got.Low >= 3 || got.High <= 3 || got.N != 5 {
		t.Errorf("got %+v", got)
	}
	if got := spreadOfSamples([]float64{4, 2}); got.Median != 3 {
		t.Errorf("the median of an even number is %v", got.Median)
	}
	if got := spreadOfSamples(nil); got != (Spread{}) {
		t.Errorf("of nothing: %+v", got)
	}
}

// If a quarter of the points are arbitrary, the fitted line stays with the other points.
func TestLineWithstandsOutliers(t *testing.T) {
	var x, y []float64
	for i := range 20 {
		x, y = append(x, float64(i)), append(y, 7+3*float64(i))
	}
	y[0], y[5], y[11], y[19] = 1e6, -1e6, 1e9, 0
	if intercept, slope := fitMedianLine(x, y); math.Abs(slope.Median-3) > 1e-9 || math.Abs(intercept.Median-7) > 1e-6 {
		t.Errorf("intercept %v, slope %v; want 7 and 3", intercept.Median, slope.Median)
	}
	// Several points with the same x give no slope.
	if _, slope := fitMedianLine([]float64{1, 1, 2, 2}, []float64{5, 5, 8, 8}); slope.Median != 3 || slope.N != 4 {
		t.Errorf("slope %+v", slope)
	}
}
