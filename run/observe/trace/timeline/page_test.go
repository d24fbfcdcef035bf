package timeline_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"treesplit/comm"
	"treesplit/internal/browser"
	"treesplit/run/observe/trace"
	"treesplit/run/observe/trace/timeline"
)

// exchange returns a trace of n ranks with the given number of spans each, and one arrow per rank. It
// begins at a time other than 0.
func exchange(n, spans int) *trace.Trace {
	tr := &trace.Trace{Title: "</script><img src=x onerror=alert(1)> & c"}
	const start, length = 5000, 1000
	for i := range n {
		track := trace.Track{Rank: 2 * i}
		for j := range spans {
			from := comm.Time(start + length*j)
			track.Spans = append(track.Spans, trace.Span{From: from, To: from + length, State: trace.State((i + j) % int(trace.States)), Nodes: int64(j), Overhead: comm.Time(j % 2)})
		}
		tr.Tracks = append(tr.Tracks, track)
		at := comm.Time(start + length*i)
		tr.Arrows = append(tr.Arrows, trace.Arrow{From: int32(2 * i), To: int32(2 * ((i + 1) % n)), Left: at, Arrived: at + 500, Kind: comm.Grant, Bytes: 77})
	}
	return tr
}

// openPage opens the page of a trace from a file.
func openPage(t *testing.T, tr *trace.Trace) *browser.Page {
	t.Helper()
	if _, err := browser.Find(); err != nil {
		t.Skip(err)
	}
	path := filepath.Join(t.TempDir(), "timeline.html")
	var b bytes.Buffer
	if err := timeline.WritePage(&b, tr); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	in, err := browser.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	p, err := in.Open("file://"+path, browser.Window{Width: 1280, Height: 900})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Await("document.body && document.body.dataset.drawn", time.Minute); err != nil {
		t.Fatalf("%v; errors of the page: %q", err, p.Errors())
	}
	return p
}

// viewer is a page in a test.
type viewer struct {
	*browser.Page
	t *testing.T
}

// do fails the test on the first error.
func (v viewer) do(errs ...error) {
	v.t.Helper()
	for _, err := range errs {
		if err != nil {
			v.t.Fatal(err)
		}
	}
}

// visible returns the visible times and the first visible row.
func (v viewer) visible() (from, to, row float64) {
	v.t.Helper()
	var seen [3]float64
	v.do(v.Eval("[view.from, view.to, view.row]", &seen))
	return seen[0], seen[1], seen[2]
}

// The page shows every span with its state, nodes and overhead, and every arrow. The pointer, the
// wheel, the keys and the map move the visible part. Nothing is loaded from elsewhere, and a hostile
// title is text.
func TestPageInBrowser(t *testing.T) {
	const ranks, spans = 200, 30
	const until = 1000.0 * spans
	tr := exchange(ranks, spans)
	v := viewer{openPage(t, tr), t}
	var title string
	var images int
	v.do(v.Eval("document.getElementById('title').textContent", &title), v.Eval("document.images.length", &images))
	if title != tr.Title || images > 0 {
		t.Errorf("the title is %q, with %d images", title, images)
	}
	if from, to, row := v.visible(); from != 0 || to != until || row != 0 {
		t.Errorf("at first %v to %v, row %v", from, to, row)
	}
	for i := range ranks {
		for j := 0; j < spans; j += 7 {
			var got [5]float64
			v.do(v.Eval(fmt.Sprintf("(t => [t.from[%d], t.to[%d], t.state[%d], t.nodes[%d], t.overhead[%d]])(tracks[%d])", j, j, j, j, j, i), &got))
			s := tr.Tracks[i].Spans[j]
			if want := [5]float64{float64(s.From - 5000), float64(s.To - 5000), float64(s.State), float64(s.Nodes), float64(s.Overhead)}; got != want {
				t.Fatalf("span %d of row %d is %v, want %v", j, i, got, want)
			}
		}
	}
	var cells []string
	v.do(v.Eval("[...document.getElementById('totals').rows[3].cells].map(c => c.textContent)", &cells))
	if len(cells) != 4+int(trace.States) || cells[0] != "6" || cells[len(cells)-2] != "1" || cells[len(cells)-1] != "1" || cells[len(cells)-3] != "435" {
		t.Errorf("the totals of rank 6 are %q", cells)
	}

	var left, room, top, tall float64
	v.do(v.Eval("size.left + plot.getBoundingClientRect().left", &left), v.Eval("size.room", &room), v.Eval("plot.getBoundingClientRect().top", &top), v.Eval("size.tall", &tall))
	x := func(time float64) float64 { return left + time/until*room }
	v.do(v.Move(x(12500), top+2.5*tall))
	var details string
	v.do(v.Await("!document.getElementById('hover').hidden", time.Minute), v.Eval("document.getElementById('hover').textContent", &details))
	for _, want := range []string{"rank 4: " + trace.State(14%int(trace.States)).String(), "12 µs to 13 µs (1 µs)", "12 nodes"} {
		if !strings.Contains(details, want) {
			t.Errorf("the details %q lack %q", details, want)
		}
	}

	v.do(v.Wheel(x(12500), top+2*tall, -300))
	v.do(v.Await("view.to - view.from < until * 0.6", time.Minute))
	from, to, _ := v.visible()
	if at := from + (12500/until)*(to-from); math.Abs(at-12500) > 200 {
		t.Errorf("after the wheel %v is at the pointer, not 12500 (%v to %v)", at, from, to)
	}
	v.do(v.Move(left+room/2, top+50), v.Press(left+room/2, top+50), v.Drag(left+room/2-200, top+50-20*tall), v.Release(left+room/2-200, top+50-20*tall))
	v.do(v.Await("view.row > 0", time.Minute))
	moved, _, row := v.visible()
	if want := from + 200/room*(to-from); math.Abs(moved-want) > 50 || row < 1 {
		t.Errorf("a drag from %v to %v, want %v; row %v", from, moved, want, row)
	}
	v.do(v.Key("+"), v.Await(fmt.Sprintf("view.to - view.from < %v", (to-from)*0.8), time.Minute))
	before, _, _ := v.visible()
	v.do(v.Key("ArrowRight"), v.Await(fmt.Sprintf("view.from > %v", before), time.Minute))
	v.do(v.Key("0"), v.Await("view.from === 0 && view.to === until && view.row === 0", time.Minute))
	v.do(v.Key("+"), v.Key("+"), v.Await("view.to - view.from < until * 0.6", time.Minute))
	var mapTop float64
	v.do(v.Eval("map.getBoundingClientRect().top", &mapTop))
	v.do(v.Press(x(until*0.9), mapTop+20), v.Release(x(until*0.9), mapTop+20), v.Await("view.to === until", time.Minute))
	if errs, requests := v.Errors(), v.Requests(); len(errs) > 0 || len(requests) != 1 {
		t.Errorf("errors %q, requests %q", errs, requests)
	}
}

// A page has the arrows of the trace, with the rows of both ranks.
func TestPageShowsArrows(t *testing.T) {
	v := viewer{openPage(t, exchange(5, 6)), t}
	var got [][4]float64
	v.do(v.Eval("[...arrows.from].map((f, i) => [f, arrows.to[i], arrows.left[i], arrows.arrived[i]])", &got))
	if len(got) != 5 || got[3] != [4]float64{3, 4, 3000, 3500} || got[4] != [4]float64{4, 0, 4000, 4500} {
		t.Errorf("%v", got)
	}
	var seen string
	v.do(v.Eval("document.getElementById('seen').textContent", &seen))
	if !strings.Contains(seen, "5 of 5 pieces of work") {
		t.Errorf("%q", seen)
	}
}

// Times have enough digits in every part of a long trace. The pointer shows the bytes of an arrow.
func TestPageShowsDigits(t *testing.T) {
	const second = 1e9
	tr := &trace.Trace{Title: "digits"}
	for rank := range 2 {
		tr.Tracks = append(tr.Tracks, trace.Track{Rank: rank, Spans: []trace.Span{{To: 50*second + 75_000}, {From: 50*second + 75_000, To: 50*second + 150_000}, {From: 50*second + 150_000, To: 100 * second}}})
	}
	tr.Arrows = []trace.Arrow{{From: 0, To: 1, Left: 50*second + 20_000, Arrived: 50*second + 80_000, Kind: comm.Grant, Bytes: 1234}}
	v := viewer{openPage(t, tr), t}
	v.do(v.Eval("setView(50e9, 50e9 + 200e3, 0)", nil), v.Await("document.getElementById('seen').textContent.startsWith('50 s to 50.0002 s of 100 s')", time.Minute))
	for expression, want := range map[string]string{
		`(() => {
			const all = [], kept = CanvasRenderingContext2D.prototype.fillText;
			CanvasRenderingContext2D.prototype.fillText = text => all.push(text);
			try { draw(); } finally { CanvasRenderingContext2D.prototype.fillText = kept; }
			return all.filter(text => text.endsWith(" s")).slice(0, 3).join();
		})()`: "50 s,50.00005 s,50.0001 s",
		`size.left % 1 + "," + size.room % 1`: "0,0",
		`times(50e9 + 75e3, 50e9 + 150e3)`:    "50.000075 s to 50.00015 s (75 µs)",
	} {
		var got string
		if err := v.Eval(expression, &got); err != nil || got != want {
			t.Errorf("%s is %q, want %q (%v)", expression, got, want, err)
		}
	}
	var x, y float64
	v.do(v.Eval("plot.getBoundingClientRect().left + (visible[0].x1 + visible[0].x2) / 2", &x), v.Eval("plot.getBoundingClientRect().top + (visible[0].y1 + visible[0].y2) / 2", &y))
	v.do(v.Move(x, y), v.Await("document.getElementById('hover').textContent.endsWith('piece from rank 0 to rank 1: 1,234 bytes\\n50.00002 s to 50.00008 s (60 µs)')", time.Minute))
}

// A trace without spans has no page.
func TestPageNeedsSpans(t *testing.T) {
	if err := timeline.WritePage(new(bytes.Buffer), &trace.Trace{}); err == nil {
		t.Error("no error")
	}
}
