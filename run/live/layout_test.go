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

// Nothing is wider than the page, and the page is not wider than its window, in narrow and wide windows, light
// and dark, during the search and at its end.
func TestPageFits(t *testing.T) {
	if _, err := browser.Find(); err != nil {
		t.Skip(err)
	}
	defer func(before time.Duration) { writeTime = before }(writeTime)
	writeTime = 2 * time.Minute // on a busy machine the browser reads late
	in, err := browser.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	s := start(t, Options{Title: "treesplit run --live -- " + strings.Repeat("no_blank/", 30), Control: true, Saves: true, Board: fullBoard(), Pace: NewPace(math.Inf(1))})
	fillPage(s)
	p, err := in.Open(s.URL(), browser.Window{Width: 380, Height: 800})
	if err != nil {
		t.Fatal(err)
	}
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
	if _, err := browser.Find(); err != nil {
		t.Skip(err)
	}
	defer func(before time.Duration) { writeTime = before }(writeTime)
	writeTime = 2 * time.Minute // on a busy machine the browser reads late
	in, err := browser.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	s := start(t, Options{})
	p, err := in.Open(s.URL(), browser.Window{Width: 1280, Height: 800})
	if err != nil {
		t.Fatal(err)
	}
	check := func(reached string, want string) {
		t.Helper()
		var got string
		err := errors.Join(p.Await(reached, 2*time.Minute),
			p.Eval(`["elapsed", "nodes", "rate", "working", "open", "requests", "grants", "refusals"].map(id => document.getElementById(id).textContent).join(" ")`, &got))
		if err != nil || got != want {
			t.Errorf("%s: the numbers are %q, want %q (%v)", reached, got, want, err)
		}
	}
	check("state", "– – – – – – – –")
	s.SetProgress(run.Progress{Seconds: 2, Expanded: 50, NodesPerSecond: 25}, "")
	check("state.status.seconds === 2", "2.00\u00a0s 50 25 – – – – –")
	s.options.Board.TakeReport(0, (&feed.Report{Spent: feed.Times{100}}).AppendBinary(nil), 100)
	check("state.totals.working === 1", "2.00\u00a0s 50 25 100\u00a0% – 0 0 0")
	s.SetFinal(Line{Progress: run.Progress{Seconds: 3, Expanded: 60, NodesPerSecond: 20}, Reason: "timeout"}, Final{Requests: 7, Grants: 6, Rejects: 1, Expanded: 60, Verdict: "timeout"})
	check("state.final", "3.00\u00a0s 60 20 100\u00a0% – 7 6 1")
}
