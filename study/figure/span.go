package figure

import "time"

// Span writes a duration with three digits.
func Span(d time.Duration) string {
	unit := time.Duration(1)
	for d/1000 >= unit {
		unit *= 10
	}
	return d.Round(unit).String()
}
