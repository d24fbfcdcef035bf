// Package units writes numbers for readers: counts with separators, rates, times and sizes with
// units.
package units

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Count writes a whole number with a comma between groups of three digits: 66,106,929. Numbers of
// four digits have none: 3559.
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	if len(s) <= 4 {
		return sign + s
	}
	var b strings.Builder
	for i, digit := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	return sign + b.String()
}

// Rate writes a number of things per second with three digits: 87.5 k/s.
func Rate(perSecond float64) string {
	return scaled(perSecond, 1000, " ", "", "k", "M", "G", "T") + "/s"
}

// Bytes writes a number of bytes with three digits: 1.50 MiB.
func Bytes(n int64) string {
	if n > -1024 && n < 1024 {
		return fmt.Sprintf("%d bytes", n)
	}
	return scaled(float64(n), 1024, " ", "bytes", "KiB", "MiB", "GiB", "TiB")
}

// scaled writes a number with three digits and the largest prefix that leaves at least 1.
func scaled(x, base float64, space string, prefixes ...string) string {
	i := 0
	for i+1 < len(prefixes) && math.Abs(x) >= base*(1-0.0005) {
		x /= base
		i++
	}
	if prefixes[i] == "" {
		return threeDigits(x)
	}
	return threeDigits(x) + space + prefixes[i]
}

// threeDigits writes a number below 10,000 with three significant digits, or as a whole number.
func threeDigits(x float64) string {
	switch a := math.Abs(x); {
	case a == 0 || a >= 99.95:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case a >= 9.995:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// Seconds writes a time with two or three digits in the unit that fits: 350 µs, 2.0 ms, 12.3 s,
// 4 min 05 s, 2 h 03 min, 3 d 4 h.
func Seconds(s float64) string {
	switch a := math.Abs(s); {
	case a == 0:
		return "0 s"
	case a < 999.5e-9:
		return fmt.Sprintf("%.0f ns", s*1e9)
	case a < 999.5e-6:
		return fmt.Sprintf("%.*f µs", decimals(a*1e6), s*1e6)
	case a < 999.5e-3:
		return fmt.Sprintf("%.*f ms", decimals(a*1e3), s*1e3)
	case a < 99.95:
		return fmt.Sprintf("%.*f s", decimals(a), s)
	case a < 3599.5:
		whole := int64(math.Round(s))
		return fmt.Sprintf("%d min %02d s", whole/60, whole%60)
	case a < 86400-30:
		minutes := int64(math.Round(s / 60))
		return fmt.Sprintf("%d h %02d min", minutes/60, minutes%60)
	}
	hours := int64(math.Round(s / 3600))
	return fmt.Sprintf("%s d %d h", Count(hours/24), hours%24)
}

// decimals returns the number of digits after the point for two or three digits in total.
func decimals(x float64) int {
	if x < 99.95 {
		return 1
	}
	return 0
}

// Things writes a number of things: 1 node, 175 nodes, 66,106,929 nodes. The plural of the noun ends
// in s.
func Things(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Count(n) + " " + noun
}

// Nanoseconds writes a time in nanoseconds, as Seconds does.
func Nanoseconds(ns int64) string { return Seconds(float64(ns) / 1e9) }

// Magnitude writes a positive number that is known to two digits: 0.012, 95,000.
func Magnitude(x float64) string {
	power := math.Floor(math.Log10(x))
	if power < 1 || x > 1e18 {
		return strconv.FormatFloat(x, 'f', max(int(1-power), 0), 64)
	}
	step := math.Pow(10, power-1)
	return Count(int64(math.Round(x/step) * step))
}
