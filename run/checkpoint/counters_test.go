package checkpoint

import (
	"reflect"
	"testing"

	"treesplit/run"
)

// Counters that no float64 can represent are restored exactly, up to the largest accepted value.
func TestLargeCounters(t *testing.T) {
	for _, n := range []int64{1<<53 + 1, mostCounted - 1} {
		s := some("large")
		s.Totals = run.Totals{Expanded: n, Redundant: n, Requests: n, Grants: n, Rejects: n, Accepted: n, Bytes: n, Messages: n}
		s.Bound, s.Step.Sums, s.Steps[0].Maxima = -n, []int64{n, 1}, []int64{n}
		text, err := encodeState(nil, s)
		if err != nil {
			t.Fatal(err)
		}
		var read run.Checkpoint
		if err := decodeState(&read, text); err != nil || !reflect.DeepEqual(&read, s) {
			t.Errorf("%d: read %+v (%v), want %+v", n, read, err, s)
		}
	}
}
