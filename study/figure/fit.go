package figure

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// ThroughOrigin fits y = slope·x. R² is the part of y's variance that the line explains.
func ThroughOrigin(x, y []float64) (slope, r2 float64) {
	_, slope = stat.LinearRegression(x, y, nil, true)
	return slope, stat.RSquared(x, y, nil, 0, slope)
}

// FitLinear fits y = intercept + slope·x.
func FitLinear(x, y []float64) (intercept, slope, r2 float64) {
	intercept, slope = stat.LinearRegression(x, y, nil, false)
	return intercept, slope, stat.RSquared(x, y, nil, intercept, slope)
}

// FitExponent fits y = c·x^e.
func FitExponent(x, y []float64) (e, r2 float64) {
	_, e, r2 = FitLinear(logarithms(x), logarithms(y))
	return e, r2
}

func logarithms(v []float64) []float64 {
	l := make([]float64, len(v))
	for i := range v {
		l[i] = math.Log(v[i])
	}
	return l
}
