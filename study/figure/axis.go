package figure

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"treesplit/internal/svg"
)

// axis is one axis of a figure.
type axis struct {
	low, high float64 // the ends
	log       bool
	ticks     []tick
}

// tick is a labelled place of an axis.
type tick struct {
	value float64
	label string
}

// maxTicks is the largest number of ticks of an axis.
const maxTicks = 11

// newAxis returns an axis that shows all values; on a logarithmic one they are above 0.
func newAxis(values []float64, log bool) axis {
	a := axis{low: 0, high: 1, log: log}
	switch {
	case len(values) > 0:
		a.low, a.high = slices.Min(values), slices.Max(values)
	case log:
		a.low, a.high = 1, 10
	}
	a.widen()
	if log {
		a.markLogarithmic(values)
		return a
	}
	a.markLinear()
	return a
}

// widen makes room on an axis whose values are nearly equal, so that ticks can differ.
func (a *axis) widen() {
	size := max(math.Abs(a.low), math.Abs(a.high))
	switch {
	case a.high-a.low > 1e-6*size:
	case a.log:
		a.low, a.high = a.low/2, a.high*2
	default:
		a.low, a.high = a.low-max(size, 1)/2, a.high+max(size, 1)/2
	}
}

// place returns the place of a value: 0 at the low end, 1 at the high end.
func (a *axis) place(v float64) float64 {
	if a.log {
		return math.Log(v/a.low) / math.Log(a.high/a.low)
	}
	return (v - a.low) / (a.high - a.low)
}

// markLinear sets the ends to ticks. The axis begins at 0 if that costs less than half of it.
func (a *axis) markLinear() {
	if a.low > 0 && a.low < a.high/2 {
		a.low = 0
	}
	step := niceStep(a.high - a.low)
	first, last := math.Floor(a.low/step+1e-9), math.Ceil(a.high/step-1e-9)
	a.low, a.high = first*step, last*step
	for i := first; i <= last; i++ {
		a.ticks = append(a.ticks, tick{i * step, formatTick(i * step)})
	}
}

// niceStep returns 1, 2 or 5 times a power of ten, of which at most eight make a span.
func niceStep(span float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(span))-1)
	for _, m := range []float64{1, 2, 5, 10, 20, 50} {
		if span/(m*unit) <= 8 {
			return m * unit
		}
	}
	return 100 * unit
}

// markLogarithmic moves the ends out a little, and sets ticks: powers of two if all values are powers
// of two; else multiples of the powers of ten, or these powers alone if there are many.
func (a *axis) markLogarithmic(values []float64) {
	margin := math.Pow(a.high/a.low, 0.03)
	a.low, a.high = a.low/margin, a.high*margin
	if len(values) > 0 && !slices.ContainsFunc(values, func(v float64) bool { f, _ := math.Frexp(v); return f != 0.5 }) {
		if a.ticks = thinTicks(a.powersBetween(2, 1)); len(a.ticks) > 1 {
			return
		}
	}
	for _, multiples := range [][]float64{{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 5}, {1}} {
		if a.ticks = a.powersBetween(10, multiples...); len(a.ticks) <= maxTicks {
			break
		}
	}
	a.ticks = thinTicks(a.ticks)
	if len(a.ticks) < 3 {
		a.markEvenly()
	}
}

// powersBetween returns ticks at multiples of the powers of a base.
func (a *axis) powersBetween(base float64, multiples ...float64) (ticks []tick) {
	for e := math.Floor(math.Log(a.low)/math.Log(base)) - 1; math.Pow(base, e) <= a.high; e++ {
		for _, m := range multiples {
			if v := m * math.Pow(base, e); v >= a.low && v <= a.high {
				ticks = append(ticks, tick{v, formatTick(v)})
			}
		}
	}
	return ticks
}

// markEvenly sets ticks at equal distances, on a logarithmic axis that is short.
func (a *axis) markEvenly() {
	a.ticks = nil
	step := niceStep(a.high - a.low)
	for i := math.Ceil(a.low / step); i*step <= a.high; i++ {
		a.ticks = append(a.ticks, tick{i * step, formatTick(i * step)})
	}
}

// thinTicks leaves out ticks, at equal distances, until there are few enough.
func thinTicks(ticks []tick) (few []tick) {
	every := (len(ticks) + maxTicks - 1) / maxTicks
	for i := 0; i < len(ticks); i += every {
		few = append(few, ticks[i])
	}
	return few
}

// dropLabels empties labels that would come too close to their neighbours on a horizontal axis of
// a length in pixels.
func (a *axis) dropLabels(length float64) {
	fits := func(every int) bool {
		end := math.Inf(-1)
		for i := 0; i < len(a.ticks); i += every {
			half := svg.TextWidth(a.ticks[i].label, svg.FontSize) / 2
			middle := a.place(a.ticks[i].value) * length
			if middle-half < end+6 {
				return false
			}
			end = middle + half
		}
		return true
	}
	every := 1
	for every < len(a.ticks) && !fits(every) {
		every++
	}
	for i := range a.ticks {
		if i%every != 0 {
			a.ticks[i].label = ""
		}
	}
}

// superscripts are the digits of exponents.
var superscripts = strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

// formatTick writes the value of a tick with at most six digits; very large and small ones with a power
// of ten, like 2·10⁶; powers of two in full.
func formatTick(v float64) string {
	if f, e := math.Frexp(v); f == 0.5 && e > 0 && e < 27 {
		return strconv.FormatFloat(v, 'f', -1, 64) // a number of ranks
	}
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64)
	if size := math.Abs(v); v == 0 || size >= 1e-3 && size < 1e5 {
		return strings.Replace(strconv.FormatFloat(v, 'f', -1, 64), "-", "−", 1)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	e, _ := strconv.Atoi(exponent) // FormatFloat has written it
	power := "10" + superscripts.Replace(strconv.Itoa(e))
	if mantissa == "1" {
		return power
	}
	return strings.Replace(mantissa, "-", "−", 1) + "·" + power
}
