package figure

import (
	"math"
	"testing"
)

// With an overhead of 1000 nodes, W = 1000·E/(1−E) reaches E. No size is returned for efficiencies
// outside of the measured ones, or from fewer than three points.
func TestSizeFor(t *testing.T) {
	var points []Point
	for _, w := range []float64{1500, 2000, 4000, 9000} { // E = 0.6, 0.67, 0.8, 0.9
		points = append(points, Point{W: w, Efficiency: w / (w + 1000)})
	}
	for _, e := range []float64{0.61, 0.7, 0.85} {
		if w, ok := SizeForEfficiency(points, e, 1); !ok || math.Abs(w/(1000*e/(1-e))-1) > 1e-9 {
			t.Errorf("E = %v: W = %v, %v", e, w, ok)
		}
	}
	for _, e := range []float64{0.5, 0.95} {
		if w, ok := SizeForEfficiency(points, e, 1); ok {
			t.Errorf("E = %v, which was not measured: W = %v", e, w)
		}
	}
	if w, ok := SizeForEfficiency(points[:2], 0.65, 1); ok {
		t.Errorf("from two points: W = %v", w)
	}
}

// No size is returned if the efficiency does not grow with the size, or if the line leads far away from the points.
func TestSizeForUnevenPoints(t *testing.T) {
	for name, points := range map[string][]Point{
		"falls": {{1e6, 0.72}, {2e6, 0.70}, {4e6, 0.68}},
		"flat":  {{1e6, 0.699}, {2e6, 0.706}, {4e6, 0.700}},
		"same":  {{1e6, 0.69}, {1e6, 0.70}, {1e6, 0.71}},
		"two":   {{1e6, 0.65}, {1e6, 0.66}, {2e6, 0.74}, {2e6, 0.75}},
	} {
		if w, ok := SizeForEfficiency(points, 0.7, 1); ok {
			t.Errorf("%s: W = %v", name, w)
		}
	}
}

// The parameters of power laws and lines are found.
func TestFits(t *testing.T) {
	x, cubes, lines := []float64{1, 2, 4, 8}, []float64{5, 40, 320, 2560}, []float64{1, 3, 7, 15}
	if e, r2 := FitExponent(x, cubes); math.Abs(e-3) > 1e-9 || math.Abs(r2-1) > 1e-9 {
		t.Errorf("exponent %v, R² %v", e, r2)
	}
	if a, b, r2 := FitLinear(x, lines); math.Abs(a+1) > 1e-9 || math.Abs(b-2) > 1e-9 || math.Abs(r2-1) > 1e-9 {
		t.Errorf("%v + %v·x, R² %v", a, b, r2)
	}
	if b, _ := ThroughOrigin(x, []float64{2, 4, 8, 16}); math.Abs(b-2) > 1e-9 {
		t.Errorf("%v·x", b)
	}
}
