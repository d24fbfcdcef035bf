package timeline_test

import (
	"bytes"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"treesplit/comm"
	"treesplit/internal/svg/svgtest"
	"treesplit/run/observe/trace"
	"treesplit/run/observe/trace/timeline"
)

// drawn returns a picture, which must be well-formed.
func drawn(t testing.TB, tr *trace.Trace) string {
	t.Helper()
	var b bytes.Buffer
	if err := timeline.WriteAsSVG(&b, tr, timeline.Page); err != nil {
		t.Fatal(err)
	}
	svgtest.Check(t, b.Bytes())
	return b.String()
}

// halves returns a trace of n ranks that are busy for the first half of the time and done for the
// second half.
func halves(n int) *trace.Trace {
	tr := &trace.Trace{Title: "a <b> & c"}
	for i := range n {
		tr.Tracks = append(tr.Tracks, trace.Track{Rank: i, Spans: []trace.Span{{From: 0, To: 500, State: trace.Busy}, {From: 500, To: 1000, State: trace.Done}}})
	}
	return tr
}

var (
	bars = regexp.MustCompile(`d="([^"]*)" class="(b\d)"/>`)
	bar  = regexp.MustCompile(`M\d+,0h(\d+)`)
)

// widths returns the total width of the spans of each colour.
func widths(svg string) map[string]int {
	sum := map[string]int{}
	for _, m := range bars.FindAllStringSubmatch(svg, -1) {
		for _, span := range bar.FindAllStringSubmatch(m[1], -1) {
			w, _ := strconv.Atoi(span[1])
			sum[m[2]] += w
		}
	}
	return sum
}

// A row shows each state for as long as it lasts. The size of the picture does not grow with more
// ranks than rows, nor with the number of spans.
func TestWidths(t *testing.T) {
	for _, n := range []int{1, 7, 320, 321, 5000} {
		svg := drawn(t, halves(n))
		rows := min(n, (n+(n+319)/320-1)/((n+319)/320))
		got := widths(svg)
		if got["b0"] != 500*rows || got["b5"] != 500*rows || len(got) != 2 {
			t.Errorf("%d ranks: widths %v, want %d of each", n, got, 500*rows)
		}
		if len(svg) > 200_000 || !strings.Contains(svg, "a &lt;b&gt; &amp; c") {
			t.Errorf("%d ranks: %d bytes, or no title", n, len(svg))
		}
	}
	many := &trace.Trace{Tracks: []trace.Track{{}}}
	for i := range comm.Time(300_000) {
		many.Tracks[0].Spans = append(many.Tracks[0].Spans, trace.Span{From: 10 * i, To: 10*i + 7, State: trace.Busy}, trace.Span{From: 10*i + 7, To: 10*i + 10, State: trace.Waiting})
	}
	if svg := drawn(t, many); widths(svg)["b0"] != 1000 || len(svg) > 50_000 {
		t.Errorf("widths %v, %d bytes", widths(svg), len(svg))
	}
}

// Pieces are lines from row to row. If lines would hide the rows, pieces are only counted.
func TestArrows(t *testing.T) {
	tr := halves(4)
	tr.Arrows = []trace.Arrow{{From: 0, To: 3, Left: 250, Arrived: 750}, {From: 1, To: 9, Left: 1, Arrived: 2}}
	svg := drawn(t, tr)
	if n := strings.Count(svg, `class="frame thin"`); n != 1 || !strings.Contains(svg, `x1="340"`) || !strings.Contains(svg, `x2="840"`) {
		t.Errorf("%d lines, or in the wrong place: %s", n, svg)
	}
	for range 1000 {
		tr.Arrows = append(tr.Arrows, tr.Arrows[0])
	}
	if svg := drawn(t, tr); strings.Contains(svg, "frame thin") || !strings.Contains(svg, "1002 pieces of work not drawn") {
		t.Errorf("lines where there are too many: %s", svg)
	}
}

// A trace that cannot be drawn is refused. Very long times are drawn.
func TestExtremes(t *testing.T) {
	if err := timeline.WriteAsSVG(io.Discard, new(trace.Trace), timeline.Page); err == nil {
		t.Error("nothing was drawn")
	}
	drawn(t, &trace.Trace{Tracks: []trace.Track{{Rank: 1 << 24, Spans: []trace.Span{{From: -1 << 60, To: 1 << 60}}}}})
	drawn(t, &trace.Trace{Tracks: []trace.Track{{Spans: []trace.Span{{From: math.MaxInt32, To: math.MaxInt32 + 1}}}}})
}
