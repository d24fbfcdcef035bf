package cli

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"treesplit/mpi"
)

// progress is a line on rank 0's terminal that shows how much work is done.
type progress struct {
	on    bool
	out   *os.File // the file of the line; nil: none
	lines *mpb.Progress
	bar   *mpb.Bar
	where atomic.Pointer[func() string] // returns the text before the count; nil: no text
}

// startProgress starts the line if it is enabled: in mode on, or in mode auto on a terminal. noun
// is the noun of the count; it is empty if nothing is counted.
func (a *app) startProgress(mode, noun string) *progress {
	p := &progress{on: mode == "on"}
	p.out, _ = asFile(a.stderr)
	if p.out != nil && mode == "auto" {
		p.on = term.IsTerminal(int(p.out.Fd()))
	}
	if p.on = p.on && mpi.LaunchedRank() == 0; !p.on {
		return p
	}
	start := time.Now()
	p.lines = mpb.New(mpb.WithOutput(a.stderr), mpb.WithAutoRefresh(), mpb.WithRefreshRate(250*time.Millisecond))
	p.bar = p.lines.New(0, mpb.SpinnerStyle(), mpb.BarWidth(1), mpb.BarRemoveOnComplete(),
		mpb.AppendDecorators(decor.Any(func(s decor.Statistics) string {
			span := time.Since(start)
			where := ""
			if w := p.where.Load(); w != nil {
				where = (*w)()
			}
			if noun == "" {
				return where
			}
			return where + fmt.Sprintf("%d %s, %.3g a second, %v", s.Current, noun, float64(s.Current)/span.Seconds(), span.Round(time.Second))
		})))
	return p
}

// setCount sets the count so far.
func (p *progress) setCount(count int64) { p.bar.SetCurrent(count) }

// setPrefix sets the text before the count.
func (p *progress) setPrefix(where string) { p.setPrefixFunc(func() string { return where }) }

// setPrefixFunc sets a function that returns the text before the count. It is called whenever the
// line is drawn.
func (p *progress) setPrefixFunc(where func() string) { p.where.Store(&where) }

// linesWriter returns the writer for lines of standard output while the progress line is shown. If
// both are on one terminal, the progress line stays below the lines.
func (p *progress) linesWriter(stdout io.Writer) io.Writer {
	out, ok := asFile(stdout)
	if !p.on || !ok || !sameFile(out, p.out) {
		return stdout
	}
	return p.lines
}

// sameFile reports whether both are the same file or terminal.
func sameFile(a, b *os.File) bool {
	x, err := a.Stat()
	if err != nil || b == nil {
		return false
	}
	y, err := b.Stat()
	return err == nil && os.SameFile(x, y)
}

// removeLine removes the line from the terminal.
func (p *progress) removeLine() {
	if p.on {
		p.bar.Abort(true)
		p.lines.Wait()
	}
}
