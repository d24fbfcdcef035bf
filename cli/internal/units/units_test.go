package units_test

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"treesplit/cli/internal/units"
)

func TestCount(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 175: "175", 3559: "3559", -3559: "-3559", 10000: "10,000", 66106929: "66,106,929", -123456: "-123,456", 1 << 62: "4,611,686,018,427,387,904"} {
		if got := units.Count(n); got != want {
			t.Errorf("%d: %s, expected %s", n, got, want)
		}
	}
}

// TestCountKeepsDigits: without separators it is the number.
func TestCountKeepsDigits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64().Draw(t, "n")
		if got := strings.ReplaceAll(units.Count(n), ",", ""); got != strconv.FormatInt(n, 10) {
			t.Errorf("%d: %s", n, got)
		}
	})
}

func TestRate(t *testing.T) {
	for x, want := range map[float64]string{0: "0/s", 1.234: "1.23/s", 950: "950/s", 87500: "87.5 k/s", 22e6: "22.0 M/s", 999.9: "1.00 k/s", 3e15: "3000 T/s"} {
		if got := units.Rate(x); got != want {
			t.Errorf("%g: %s, expected %s", x, got, want)
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 1023: "1023 bytes", 1024: "1.00 KiB", 1536 << 10: "1.50 MiB", 20 << 30: "20.0 GiB"} {
		if got := units.Bytes(n); got != want {
			t.Errorf("%d: %s, expected %s", n, got, want)
		}
	}
}

func TestSeconds(t *testing.T) {
	for s, want := range map[float64]string{
		0: "0 s", 5e-9: "5 ns", 350e-6: "350 µs", 12.34e-6: "12.3 µs", 0.002: "2.0 ms", 0.9996: "1.0 s", 12.34: "12.3 s",
		99.96: "1 min 40 s", 245: "4 min 05 s", 3599.6: "1 h 00 min", 7380: "2 h 03 min", 86399: "1 d 0 h", 86400*3 + 4*3600: "3 d 4 h",
	} {
		if got := units.Seconds(s); got != want {
			t.Errorf("%g: %s, expected %s", s, got, want)
		}
	}
}

func TestThings(t *testing.T) {
	for n, want := range map[int64]string{0: "0 nodes", 1: "1 node", 2: "2 nodes", 66106929: "66,106,929 nodes"} {
		if got := units.Things(n, "node"); got != want {
			t.Errorf("%d: %s, expected %s", n, got, want)
		}
	}
}

func TestNanoseconds(t *testing.T) {
	for n, want := range map[int64]string{0: "0 s", 999: "999 ns", 12_340: "12.3 µs", 2_000_000: "2.0 ms"} {
		if got := units.Nanoseconds(n); got != want {
			t.Errorf("%d: %s, expected %s", n, got, want)
		}
	}
}

func TestMagnitude(t *testing.T) {
	for x, want := range map[float64]string{0.0123: "0.012", 1.26: "1.3", 94600: "95,000", 999: "1000", 1234: "1200", 1.26e12: "1,300,000,000,000", 9.96e5: "1,000,000"} {
		if got := units.Magnitude(x); got != want {
			t.Errorf("%g: %s, expected %s", x, got, want)
		}
	}
}
