package checkpoint

import (
	"reflect"
	"testing"
)

// Counters that no float64 holds come back as they were, up to the most that is accepted.
func TestLargeCounters(t *testing.T) {
	for _, n := range []int64{1<<53 + 1, mostCounted - 1} {
		s := some("large")
		s.Totals = Totals{n, n, n, n, n, n, n, n}
		s.Bound, s.Step.Sums, s.Steps[0].Maxima = -n, []int64{n, 1}, []int64{n}
		text, err := s.encode(nil)
		if err != nil {
			t.Fatal(err)
		}
		var read State
		if err := read.decode(text); err != nil || !reflect.DeepEqual(&read, s) {
			t.Errorf("%d: read %+v (%v), want %+v", n, read, err, s)
		}
	}
}
