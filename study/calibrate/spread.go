package calibrate

import (
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Spread is a median with its quartiles. The zero value is a figure that was not measured.
type Spread struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`  // a quarter of the samples is below
	High   float64 `json:"high"` // a quarter of the samples is above
	N      int     `json:"samples"`
}

// spreadOfSamples sorts samples and returns their quartiles.
func spreadOfSamples(samples []float64) Spread {
	if len(samples) == 0 {
		return Spread{}
	}
	slices.Sort(samples)
	at := func(q float64) float64 { return stat.Quantile(q, stat.LinInterp, samples, nil) }
	return Spread{Median: sortedMedian(samples), Low: at(0.25), High: at(0.75), N: len(samples)}
}

// sortedMedian returns the median of sorted samples.
func sortedMedian(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// fitMedianLine fits y = intercept + slope·x by the median of the slopes of all pairs of points and
// the median of y − slope·x (Theil 1950, Sen 1968). The result is reliable even if 29 % of the
// points are arbitrary.
func fitMedianLine(x, y []float64) (intercept, slope Spread) {
	var slopes, rest []float64
	for i := range x {
		for j := range i {
			if x[i] != x[j] {
				slopes = append(slopes, (y[i]-y[j])/(x[i]-x[j]))
			}
		}
	}
	slope = spreadOfSamples(slopes)
	for i := range x {
		rest = append(rest, y[i]-slope.Median*x[i])
	}
	return spreadOfSamples(rest), slope
}
