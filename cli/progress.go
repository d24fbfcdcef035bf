package cli

import (
	"fmt"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"treesplit/mpi"
)

// progress is a line on rank 0's terminal that says how far the search is.
type progress struct {
	on    bool
	lines *mpb.Progress
	bar   *mpb.Bar
}

// progress starts the line, if it is wanted: --progress on, or auto on a terminal.
func (a *app) progress(f *searchFlags) *progress {
	p := &progress{on: f.progress == "on"}
	if out, ok := file(a.stderr); ok && f.progress == "auto" {
		p.on = term.IsTerminal(int(out.Fd()))
	}
	if p.on = p.on && mpi.LaunchedRank() == 0; !p.on {
		return p
	}
	start := time.Now()
	p.lines = mpb.New(mpb.WithOutput(a.stderr), mpb.WithAutoRefresh(), mpb.WithRefreshRate(250*time.Millisecond))
	p.bar = p.lines.New(0, mpb.SpinnerStyle(), mpb.BarWidth(1), mpb.BarRemoveOnComplete(),
		mpb.AppendDecorators(decor.Any(func(s decor.Statistics) string {
			span := time.Since(start)
			return fmt.Sprintf("%d nodes, %.3g a second, %v", s.Current, float64(s.Current)/span.Seconds(), span.Round(time.Second))
		})))
	return p
}

// update sets the number of nodes expanded so far.
func (p *progress) update(expanded int64) { p.bar.SetCurrent(expanded) }

// end takes the line away.
func (p *progress) end() {
	if p.on {
		p.bar.Abort(true)
		p.lines.Wait()
	}
}
