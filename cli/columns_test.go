package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/vbauerster/mpb/v8"

	"treesplit/run"
)

// longProgress is a line with all columns, which takes 115 characters.
func longProgress() *runProgress {
	p := &runProgress{progress: new(progress)}
	p.setLabel("bound 52")
	done, left := 0.286, 3723.0
	p.last.Store(&run.Progress{Seconds: 1490, Expanded: 123456789, NodesPerSecond: 22e6, Done: &done, Estimate: true, SecondsLeft: &left, Open: 12345, IdleShare: 0.12})
	return p
}

// A narrow terminal keeps the time left, and loses the columns with the least worth first.
func TestFitColumns(t *testing.T) {
	for width, want := range map[int]string{
		40:  "about 1 h 02 min left",
		60:  "about 28.6 % done, about 1 h 02 min left",
		79:  "bound 52, about 28.6 % done, about 1 h 02 min left",
		80:  "bound 52, about 28.6 % done, about 1 h 02 min left",
		100: "bound 52, 123,456,789 nodes, 22.0 M/s, about 28.6 % done, about 1 h 02 min left",
		200: "bound 52, 123,456,789 nodes, 22.0 M/s, about 28.6 % done, 12 % idle, 12,345 open, 24 min 50 s elapsed, about 1 h 02 min left",
	} {
		got := fitColumns(longProgress().formatColumns(), textWidth(width))
		if got != want {
			t.Errorf("%d columns: %q, want %q", width, got, want)
		}
		if utf8.RuneCountInString(got) > textWidth(width) {
			t.Errorf("%d columns: %q is too long", width, got)
		}
	}
	if got := fitColumns(longProgress().formatColumns(), 5); got != "about 1 h 02 min left" {
		t.Errorf("5 characters: %q", got)
	}
}

// The bar and the time left are drawn whole on narrow terminals.
func TestNarrowBar(t *testing.T) {
	for _, width := range []int{40, 60, 79} {
		var out bytes.Buffer
		p := longProgress()
		p.lines = mpb.New(mpb.WithOutput(&out), mpb.WithWidth(width), mpb.WithAutoRefresh(), mpb.WithRefreshRate(5*time.Millisecond))
		p.addBar()
		p.bar.SetCurrent(286)
		p.bar.EnableTriggerComplete()
		p.bar.SetCurrent(barSteps)
		p.lines.Wait() // until the bar is drawn
		first, _, _ := strings.Cut(out.String(), "\n")
		if !strings.HasPrefix(first, "[") || !strings.Contains(first, "] ") || !strings.HasSuffix(first, "about 1 h 02 min left") || utf8.RuneCountInString(first) > width {
			t.Errorf("%d columns: %q", width, first)
		}
	}
}

// The line of counted things fits, too.
func TestNarrowCount(t *testing.T) {
	p := new(progress)
	p.setLabel("simulating")
	p.setTotal(1234)
	for width, want := range map[int]string{
		20: "simulating",
		40: "simulating, 567 of 1234 simulations",
		79: "simulating, 567 of 1234 simulations, 5.67/s, 1 min 40 s elapsed",
	} {
		if got := fitColumns(p.formatColumns(567, "simulation", 100), width); got != want {
			t.Errorf("%d columns: %q, want %q", width, got, want)
		}
	}
}
