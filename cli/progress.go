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
	out   *os.File // that it is on; nil: no file
	lines *mpb.Progress
	bar   *mpb.Bar
	where atomic.Pointer[func() string] // returns the text before the count; nil: no text
}

// startProgress starts the line, if it is wanted: mode on, or auto on a terminal. The
// noun says what is counted; it is empty where nothing is.
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

// setPrefixFunc sets a function that returns the text before the count whenever the line is drawn.
func (p *progress) setPrefixFunc(where func() string) { p.where.Store(&where) }

// linesWriter is where to write lines of standard output to while the progress line is there,
// which stays below them if both are on one terminal.
func (p *progress) linesWriter(stdout io.Writer) io.Writer {
	out, ok := asFile(stdout)
	if !p.on || !ok || !sameFile(out, p.out) {
		return stdout
	}
	return p.lines
}

// sameFile reports whether both are one file or terminal.
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
