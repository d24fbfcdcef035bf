package figure

import (
	"errors"
	"math"
	"testing"
)

// The size is found for an efficiency with a known solution.
func TestLeastSize(t *testing.T) {
	for _, overhead := range []float64{1e4, 3e6, 1e9} {
		got, err := LeastSize(1000, 0.8, 1e12, func(w int64) (float64, error) {
			return float64(w) / (float64(w) + overhead), nil
		})
		if want := 4 * overhead; err != nil || math.Abs(math.Log(got/want)) > math.Log(1.1) {
			t.Errorf("overhead %v: %v, %v; want about %v", overhead, got, err, want)
		}
	}
	if got, err := LeastSize(1000, 0.8, 1e6, func(int64) (float64, error) { return 0.7, nil }); got != 0 || err != nil {
		t.Errorf("out of reach: %v, %v", got, err)
	}
	broken := errors.New("broken")
	if _, err := LeastSize(1000, 0.8, 1e6, func(w int64) (float64, error) {
		if w > 10_000 {
			return 0, broken
		}
		return 0, nil
	}); err != broken {
		t.Errorf("an error is lost: %v", err)
	}
}
