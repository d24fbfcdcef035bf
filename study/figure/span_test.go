package figure

import (
	"math"
	"testing"
	"time"
)

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", -5: "-5ns", 7: "7ns", 999: "999ns", 1000: "1µs", 1234: "1.23µs", 99_960: "100µs",
		1_234_567: "1.23ms", 61_234 * time.Millisecond: "1m1.2s", math.MaxInt64: "2561111h6m40s",
	} {
		if got := Span(d); got != want {
			t.Errorf("%d ns: %s, want %s", d, got, want)
		}
	}
}
