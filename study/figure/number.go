package figure

import (
	"math"
	"strconv"
)

// FormatNumber writes a value with four significant digits and no exponent.
func FormatNumber(v float64) string {
	if v == 0 || math.IsNaN(v) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	digits := max(0, 3-int(math.Floor(math.Log10(math.Abs(v)))))
	return strconv.FormatFloat(v, 'f', digits, 64)
}

// FormatPercent writes a ratio's distance from 1.
func FormatPercent(ratio float64) string {
	return strconv.FormatFloat(100*(ratio-1), 'f', 1, 64) + " %"
}
