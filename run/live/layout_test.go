package live

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"treesplit/comm"
	"treesplit/internal/browser"
	"treesplit/run"
	"treesplit/run/observe/feed"
	"treesplit/run/observe/ledger"
)

// fullBoard returns a board of a million ranks with reports of some of them.
func fullBoard() *feed.Board {
	const ranks = 1_000_000
	b := new(feed.Board)
	b.BeginReal(ranks)
	for i := 1; i <= 60; i++ {
		for rank := ranks - 1; rank >= 0; rank -= ranks / 64 {
			r := feed.Report{Spent: feed.Times{1e8, 1e7 * comm.Time(i%9), 1e8, 1e6}, Sent: feed.Messages{Requests: 1e9, Grants: 1e6, Refusals: 1e5}}
			for to := range 24 {
				r.Transfers = append(r.Transfers, ledger.Transfer{To: int32(to * 40_000), Bytes: 1 << to})
			}
			b.TakeReport(rank, r.AppendBinary(nil), 2e8*comm.Time(i))
		}
		b.TakeReport(0, (&feed.Report{Spent: feed.Times{2e8}}).AppendBinary(nil), 2e8*comm.Time(i))
	}
	return b
}

// fillPage gives a page every part that it can show, with large numbers and long words.
func fillPage(s *Server) {
	done, left, best, word := 0.000001234, 3.5e8, int64(-1234567890123456), strings.Repeat("no_blank/", 25)
	s.SetProgress(run.Progress{
		Seconds: 123456, Expanded: 123456789012345, NodesPerSecond: 8.1e9, Done: &done, Estimate: true, SecondsLeft: &left, Open: 987654321012, Best: &best,
		Counts: map[string]int64{"cubes": 12345678901, "cubesSplit": 123456789, "refutedByLookahead": 9876543210},
	}, "board "+strings.Repeat("0", 60)+" of 10000000, bound 1234567")
	s.NoteSaved(run.Saved{Count: 12}, errors.New(word+": no space left on device"))
	for range maxWarnings + 5 {
		s.AddWarning("rank 999999: " + word)
	}
}

// outside is an expression for the elements that extend beyond the right edge, or whose text does not fit.
const outside = `[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 0.5 ||
	e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1).map(e => e.tagName + " " + e.id + " " + e.textContent.slice(0, 60)).join("\n")`

// setWriteTime sets the time for a write. A server that starts later ends before the old time is restored, because
// its streams read this time.
func setWriteTime(t *testing.T, d time.Duration) {
	before := writeTime
	t.Cleanup(func() { writeTime = before })
	writeTime = d
}

// openPage starts a server, prepares it, and opens its page in a browser.
func openPage(t *testing.T, o Options, prepare func(s *Server), window browser.Window) (*Server, *browser.Page) {
	t.Helper()
	if _, err := browser.Find(); err != nil {
		t.Skip(err)
	}
	setWriteTime(t, 2*time.Minute) // on a busy machine the browser reads late
	s := start(t, o)
	prepare(s)
	in, err := browser.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	p, err := in.Open(s.URL(), window)
	if err != nil {
		t.Fatal(err)
	}
	return s, p
}

// Nothing is wider than the page, and the page is not wider than its window, in narrow and wide windows, light
// and dark, during the search and at its end.
func TestPageFits(t *testing.T) {
	s, p := openPage(t, Options{Title: "treesplit run --live -- " + strings.Repeat("no_blank/", 30), Control: true, Saves: true, Board: fullBoard(), Pace: NewPace(math.Inf(1))},
		fillPage, browser.Window{Width: 380, Height: 800})
	check := func(reached string) {
		t.Helper()
		if err := p.Await(reached, 2*time.Minute); err != nil {
			t.Fatal(err)
		}
		for _, w := range []browser.Window{{Width: 320}, {Width: 380}, {Width: 380, Dark: true}, {Width: 1280}, {Width: 1280, Dark: true}} {
			w.Height = 800
			if err := errors.Join(p.Resize(w), p.Await(fmt.Sprintf("innerWidth === %d", w.Width), 2*time.Minute)); err != nil {
				t.Fatal(err)
			}
			var width int
			var wide string
			if err := errors.Join(p.Eval("document.documentElement.scrollWidth", &width), p.Eval(outside, &wide)); err != nil {
				t.Fatal(err)
			}
			if width > w.Width || wide != "" {
				t.Errorf("%+v, %s: the page is %d pixels wide, and these parts do not fit: %s", w, reached, width, wide)
			}
		}
	}
	check("columns.length > 2 && state && state.totals.pieceBytes.count && document.getElementById('at').textContent.includes('board')")
	line := s.currentView().Status
	s.SetFinal(line, Final{Requests: 1e12, Grants: 1e12, Rejects: 1e12, Expanded: 1e15, Efficiency: 0.123, Verdict: "UNSATISFIABLE"})
	s.SetFailed(errors.New(strings.Repeat("no_blank/", 25)))
	if err := p.Await("state.failed", 2*time.Minute); err != nil {
		t.Fatal(err)
	}
	s.Close()
	check("document.body.dataset.ended")
	if errs := p.Errors(); len(errs) > 0 {
		t.Errorf("errors of the page: %q", errs)
	}
}

// The page shows no number for a value that is unknown: before the first progress and the first report,
// and at the end of a search that was stopped before both.
func TestUnknownValues(t *testing.T) {
	s, p := openPage(t, Options{}, func(*Server) {}, browser.Window{Width: 1280, Height: 800})
	check := func(reached string, want string) {
		t.Helper()
		var got string
		err := errors.Join(p.Await(reached, 2*time.Minute),
			p.Eval(`["elapsed", "left", "nodes", "rate", "working", "open", "requests", "grants", "refusals"].map(id => document.getElementById(id).textContent).join(" ")`, &got))
		if err != nil || got != want {
			t.Errorf("%s: the numbers are %q, want %q (%v)", reached, got, want, err)
		}
	}
	check("state", "– – – – – – – – –")
	s.SetProgress(run.Progress{Seconds: 2, Expanded: 50, NodesPerSecond: 25}, "")
	check("state.status.seconds === 2", "2.00\u00a0s – 50 25 – – – – –")
	s.options.Board.TakeReport(0, (&feed.Report{Spent: feed.Times{100}}).AppendBinary(nil), 100)
	check("state.totals.working === 1", "2.00\u00a0s – 50 25 100\u00a0% – 0 0 0")
	s.SetFinal(Line{Progress: run.Progress{Seconds: 3, Expanded: 60, NodesPerSecond: 20}, Reason: "timeout"}, Final{Requests: 7, Grants: 6, Rejects: 1, Expanded: 60, Verdict: "timeout"})
	check("state.final", "3.00\u00a0s – 60 20 100\u00a0% – 7 6 1")
	done := 1.0
	s.SetFinal(Line{Progress: run.Progress{Seconds: 4, Expanded: 60, NodesPerSecond: 15, Done: &done}}, Final{Requests: 7, Grants: 6, Rejects: 1, Expanded: 60, Verdict: "done"})
	check("state.final && state.status.done", "4.00\u00a0s 0\u00a0s 60 15 100\u00a0% 0 7 6 1")
}

// texts is a function of JavaScript that returns the texts that another function draws.
const texts = `(draw => {
	const all = [], kept = CanvasRenderingContext2D.prototype.fillText;
	CanvasRenderingContext2D.prototype.fillText = (text, x) => all.push(text);
	try { draw(); } finally { CanvasRenderingContext2D.prototype.fillText = kept; }
	return all;
})`

// Times on the page differ if the times differ, also late in a long run. A share is not rounded up to 100 %.
// The page shows refused actions and the number of silent ranks, and removes the values of another run.
func TestPageTexts(t *testing.T) {
	setStreams := func(s *Server, n int) {
		s.state.Lock()
		defer s.state.Unlock()
		s.state.streams = n
	}
	s, p := openPage(t, Options{Control: true}, func(s *Server) { setStreams(s, maxStreams) }, browser.Window{Width: 1280, Height: 800})
	if err := p.Await(`document.getElementById("status").textContent === "not connected: the search may have ended"`, 2*time.Minute); err != nil {
		t.Fatal(err)
	}
	setStreams(s, 0)
	best := int64(5)
	s.SetProgress(run.Progress{Seconds: 2, Best: &best}, "")
	if err := p.Await("state && state.status.best && document.getElementById('status').textContent === 'running'", 2*time.Minute); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ expression, want string }{
		{`[0, 0.00042, 0.98996, 1 - 1e-9, 1].map(portion).join()`, "0.000\u00a0%,0.042\u00a0%,98.9\u00a0%,99.999\u00a0%,100.0\u00a0%"},
		{`[0.99951, 9.996, 0.00099951].map(span).join()`, "1.00\u00a0s,10.0\u00a0s,1.00\u00a0ms"},
		{`[clock(100000.4, 0.2), clock(100000.6, 0.2), clock(0.0123, 0.0005), clock(7200, 60)].join()`, "1\u00a0d 3\u00a0h 46\u00a0min 40.4\u00a0s,1\u00a0d 3\u00a0h 46\u00a0min 40.6\u00a0s,12.3\u00a0ms,2\u00a0h"},
		{`[[80, 9.8], [30, 3], [99, 3.3], [0.08, 9.8], [7000, 9], [4e6, 9]].map(a => niceStep(...a)).join()`, "10,10,30,0.01,1200,864000"},
		{texts + `(() => { run = { rows: 1, group: 1, ranks: 1 }; columns = Array.from({ length: 400 }, (_, i) => ({ from: 1e5 + i / 5, until: 1e5 + (i + 1) / 5, requests: 1, grants: 9, refusals: 0, pairs: [[0, 0, 2]], cells: new Uint8Array(4) })); drawRanks(); }).slice(1).join()`, "−70\u00a0s,−60\u00a0s,−50\u00a0s,−40\u00a0s,−30\u00a0s,−20\u00a0s,−10\u00a0s,now"},
		{`drawMatrix(), document.getElementById("pairs").textContent`, "225 pieces in the last 5.00\u00a0s (50 shown); most: rank 0 to rank 0 (50)"},
		{`state.final = null, state.totals.quiet = [{ rank: 3, seconds: 5 }], state.totals.silentCount = 49, listEvents(), document.getElementById("events").innerText`, "Rank 3 is silent: no report for 5.00\u00a0s\nand 48 more silent ranks"},
		{`order("save").then(() => document.getElementById("problem").textContent)`, "The action was refused: " + notPermitted},
		{`source.dispatchEvent(new MessageEvent("hello", { data: JSON.stringify(run) })), ["elapsed", "best"].map(id => document.getElementById(id).textContent + document.getElementById(id).parentNode.hidden).join()`, "–false,–true"},
	} {
		var got string
		if err := p.Eval(c.expression, &got); err != nil || got != c.want {
			t.Errorf("%s is %q, want %q (%v)", c.expression, got, c.want, err)
		}
	}
}
