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

	"treesplit/cli/internal/units"
	"treesplit/mpi"
)

// progress is a line on rank 0's terminal that shows how much work is done.
type progress struct {
	on    bool
	out   *os.File // the file of the line; nil: none
	lines *mpb.Progress
	bar   *mpb.Bar
	total atomic.Int64                    // of the count; 0: unknown
	where atomic.Pointer[func() []column] // returns the columns before the count; nil: no columns
}

// startProgress starts the line if mode is on, or if mode is auto and standard error is a terminal.
// The noun names the counted things; it is empty if nothing is counted.
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
			return fitColumns(p.formatColumns(s.Current, noun, time.Since(start).Seconds()), s.AvailableWidth-spinnerWidth)
		})))
	return p
}

// spinnerWidth is the width of the spinner and the blanks beside it.
const spinnerWidth = 3

// formatColumns returns the columns of the line.
func (p *progress) formatColumns(count int64, noun string, seconds float64) []column {
	all := p.labelColumns()
	if noun == "" {
		return all
	}
	counted := units.Things(count, noun)
	if total := p.total.Load(); total > 0 {
		counted = fmt.Sprintf("%s of %s", units.Count(count), units.Things(total, noun))
	}
	return append(all, column{counted, worthCount}, column{units.Rate(float64(count) / seconds), worthRate}, column{units.Seconds(seconds) + " elapsed", worthElapsed})
}

// labelColumns returns the columns before the count.
func (p *progress) labelColumns() []column {
	if w := p.where.Load(); w != nil {
		return (*w)()
	}
	return nil
}

// setCount sets the count so far.
func (p *progress) setCount(count int64) { p.bar.SetCurrent(count) }

// setTotal sets the number that the count reaches.
func (p *progress) setTotal(total int64) { p.total.Store(total) }

// setLabel sets the text before the count.
func (p *progress) setLabel(label string) {
	p.setColumns(func() []column { return []column{{label, worthLabel}} })
}

// setColumns sets a function that returns the columns before the count whenever the line is drawn.
func (p *progress) setColumns(where func() []column) { p.where.Store(&where) }

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
