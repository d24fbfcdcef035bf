package spmd

import (
	"bytes"
	"math"
	"testing"

	"treesplit/comm"
)

// A Beat carries a report beside the progress, known or unknown. A report that is too long is ignored.
func TestBeatsWithReports(t *testing.T) {
	full := makeWatched([]int64{1, 0, math.MaxInt64, 7})
	for _, want := range []told{{expanded: 3}, {expanded: 8, open: 2, closed: 0.25, known: true}, {counts: full}, {known: true, counts: full}} {
		for _, n := range []int{1, 100, MaxReport, MaxReport + 1} {
			report := bytes.Repeat([]byte{7}, n)
			m := want.beatMessage(true, report)
			var got told
			if got.updateFromBeat(m); got != want {
				t.Errorf("%+v became %+v with a report of %d bytes", want, got, n)
			}
			if n > MaxReport {
				report = nil
			}
			if !bytes.Equal(reportInBeat(m), report) {
				t.Errorf("a report of %d bytes became %d bytes", n, len(reportInBeat(m)))
			}
		}
	}
}

// A Beat carries every report unchanged. An invalid Beat does not make the share fall, exceed 1 or
// become NaN.
func TestBeats(t *testing.T) {
	for _, want := range []told{{}, {expanded: 7, idle: always}, {expanded: 8, idle: 499}, {expanded: 1 << 40, open: 12, closed: 0.25, known: true}, {closed: 1, known: true, idle: 1}, {counts: makeWatched([]int64{3})}} {
		for _, moved := range []bool{true, false} {
			m := want.beatMessage(moved, nil)
			var got told
			if got.updateFromBeat(m); got != want || (m.Tag&beatMoved != 0) != moved {
				t.Errorf("%+v became %+v by %+v", want, got, m)
			}
		}
	}
	known := told{closed: 0.5, known: true}
	for _, closed := range []float64{0.4, -1, 1.5, math.NaN(), math.Inf(1)} {
		got := known
		if got.updateFromBeat((told{closed: closed, known: true}).beatMessage(true, nil)); got.closed != 0.5 {
			t.Errorf("%v made it %v", closed, got.closed)
		}
	}
	got := known
	if got.updateFromBeat(comm.Message{Kind: comm.Beat, Body: []byte{1, 2}}); got.closed != 0.5 {
		t.Errorf("a short body made it %v", got.closed)
	}
	for _, counts := range [][]byte{{MaxCounts + 1}, {1}, {1, 0, 0, 0, 0, 0, 0, 0}, {255, 0}} { // too many, or too few bytes
		m := comm.Message{Kind: comm.Beat, Body: append(make([]byte, beatLen-1), counts...)}
		if got.updateFromBeat(m); got != known || reportInBeat(m) != nil {
			t.Errorf("the counts %v made it %+v, with the report %v", counts, got, reportInBeat(m))
		}
	}
}
