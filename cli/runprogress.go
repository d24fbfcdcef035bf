package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"treesplit/cli/internal/units"
	"treesplit/internal/outfile"
	"treesplit/lb"
	"treesplit/mpi"
	"treesplit/run"
	"treesplit/run/live"
)

// Without a terminal, plainEvery seconds pass between two lines of progress. --progress on adds a
// line at the beginning, unless the run takes less than earliest seconds. It also adds a line when
// a new bound or board is searched, at least labelEvery seconds after the last line.
const (
	plainEvery = 10
	labelEvery = 1
	earliest   = 0.1
)

// runProgress reports on rank 0 the progress of a search: by a bar on a terminal, otherwise by a
// line from time to time, and in a file of JSON lines. Lines and file do not use the bar's
// goroutine, so that no line is lost.
type runProgress struct {
	*progress           // the bar; disabled without a terminal
	wanted    bool      // by any rank: all ranks agree on it
	plain     io.Writer // writer for lines; or nil
	eager     bool      // --progress on
	said      float64   // seconds at the last line, or negative
	saidLabel string

	page  livePage
	path  string // name of the file, or ""
	file  *outfile.Lines
	begun time.Time
	last  atomic.Pointer[run.Progress]
}

// progressLine is a line of the file.
type progressLine = live.Line

// startRunProgress starts progress reports. Mode off leaves only the file, if path names one, and the
// live page, if paged is set.
func (a *app) startRunProgress(mode, path string, paged bool) *runProgress {
	p := &runProgress{progress: new(progress), wanted: mode != "off" || path != "" || paged, path: path, eager: mode == "on", said: -1, begun: time.Now()}
	if mode == "off" || mpi.LaunchedRank() != 0 {
		return p
	}
	out, ok := asFile(a.stderr)
	if !ok || !term.IsTerminal(int(out.Fd())) {
		p.plain = a.stderr
		return p
	}
	p.on, p.out = true, out
	p.lines = mpb.New(mpb.WithOutput(a.stderr), mpb.WithAutoRefresh(), mpb.WithRefreshRate(250*time.Millisecond))
	p.addBar()
	return p
}

// addBar adds the bar and its text to the lines.
func (p *runProgress) addBar() {
	p.bar = p.lines.MustAdd(barSteps, p.barFiller(), mpb.BarWidth(wideBar), mpb.BarFillerTrim(), mpb.BarRemoveOnComplete(),
		mpb.AppendDecorators(decor.Any(func(s decor.Statistics) string {
			return " " + fitColumns(p.formatColumns(), textWidth(s.AvailableWidth))
		})))
}

// Terminals of fewer columns than narrow have a shorter bar.
const (
	narrow      = 80
	wideBar     = 20
	shortestBar = 10
)

// textWidth returns the width of the text beside the bar and a blank on a terminal.
func textWidth(terminal int) int {
	if terminal < narrow {
		return max(terminal-shortestBar-1, 1)
	}
	return terminal - wideBar - 1
}

// barSteps is the length of the bar. Its last step is never reached: a full bar has ended, and IDA*
// begins another one.
const barSteps = 1000

// barFiller draws a bar, or a spinner if the completed share of the search is unknown.
func (p *runProgress) barFiller() mpb.BarFiller {
	bar, spinner := mpb.BarStyle().Build(), mpb.SpinnerStyle().Build()
	return mpb.BarFillerFunc(func(w io.Writer, s decor.Statistics) error {
		if last := p.last.Load(); last != nil && last.Done != nil {
			return bar.Fill(w, s)
		}
		s.RequestedWidth = 1
		return spinner.Fill(w, s)
	})
}

// openFile creates the file, on rank 0. The error is an InputError.
func (p *runProgress) openFile() (err error) {
	if p.path == "" {
		return nil
	}
	if p.file, err = outfile.OpenLines(p.path); err != nil {
		return flagError("progress-file", err)
	}
	return nil
}

// recordProgress records the progress of the run.
func (p *runProgress) recordProgress(now run.Progress) {
	p.last.Store(&now)
	p.page.SetProgress(now, p.searchLabel())
	if p.on && now.Done != nil {
		p.bar.SetCurrent(min(int64(*now.Done*barSteps), barSteps-1))
	}
	label := p.searchLabel()
	p.writeLine(progressLine{Progress: now, At: label})
	fresh := p.eager && now.Expanded > 0 && now.Seconds >= earliest && (p.said < 0 || label != p.saidLabel && now.Seconds-p.said >= labelEvery)
	if p.plain != nil && (fresh || now.Seconds-max(p.said, 0) >= plainEvery) {
		p.said, p.saidLabel = now.Seconds, label
		fmt.Fprintf(p.plain, "treesplit: %s\n", p.formatText())
	}
}

// searchLabel returns the name of the current search: a bound or a board.
func (p *runProgress) searchLabel() string { return joinColumns(p.labelColumns()) }

// formatText describes the progress of the run for people.
func (p *runProgress) formatText() string { return joinColumns(p.formatColumns()) }

// formatColumns returns the columns of the progress line.
func (p *runProgress) formatColumns() []column {
	all, now := p.labelColumns(), p.last.Load()
	if now == nil {
		return append(all, column{units.Things(0, "node"), worthCount})
	}
	all = append(all, column{units.Things(now.Expanded, "node"), worthCount}, column{units.Rate(now.NodesPerSecond), worthRate})
	about := ""
	if now.Estimate {
		about = "about "
	}
	if now.Done != nil {
		all = append(all, column{about + formatPortion(*now.Done) + " done", worthDone})
	}
	all = append(all, column{fmt.Sprintf("%.0f %% idle", 100*now.IdleShare), worthDetail})
	if now.Done != nil || now.Open > 0 { // else the ranks do not know their open nodes
		all = append(all, column{units.Count(now.Open) + " open", worthDetail})
	}
	all = append(all, column{units.Seconds(now.Seconds) + " elapsed", worthElapsed})
	for _, silent := range now.Silent {
		all = append(all, column{silentText(silent), worthLabel})
	}
	switch {
	case now.Done == nil:
	case slices.ContainsFunc(all, func(c column) bool { return c.worth == keepAlways }): // the time until a limit
	case now.SecondsLeft == nil:
		all = append(all, column{"time left unknown", worthElapsed})
	default:
		all = append(all, column{about + units.Seconds(*now.SecondsLeft) + " left", keepAlways})
	}
	return all
}

// formatPortion writes a fraction as a percentage, rounded down, with more digits if it is close to
// 0 or 1.
func formatPortion(share float64) string {
	digits, scale := 1, 1e3
	if share < 0.01 || share > 0.99 && share < 1 {
		digits, scale = 3, 1e5
	}
	return fmt.Sprintf("%.*f %%", digits, math.Floor(share*scale)/(scale/100))
}

// writeLine appends a line to the file.
func (p *runProgress) writeLine(line progressLine) {
	if p.file != nil {
		_ = json.NewEncoder(p.file).Encode(line) // Close returns the first error
	}
}

// reportFinal reports the progress at the end of the run: everything is done, unless the run ended
// early. r is nil if the run has failed or belongs to another rank.
func (p *runProgress) reportFinal(r *run.Result, simulated bool) error {
	p.removeLine()
	if r != nil {
		line := progressLine{Progress: p.finalProgress(r, simulated), At: p.searchLabel(), Reason: r.Reason}
		p.writeLine(line)
		p.page.showFinal(line, r)
		p.last.Store(&line.Progress)
		if p.plain != nil && (p.eager || p.said >= 0) {
			fmt.Fprintf(p.plain, "treesplit: %s\n", p.formatText())
		}
	}
	if p.file == nil {
		return nil
	}
	if err := p.file.Close(); err != nil {
		return fmt.Errorf("--progress-file: %w", err)
	}
	return nil
}

// resumedNodes returns the number of nodes that earlier runs have expanded.
func resumedNodes(r *run.Result) int64 {
	if r.Resumed == nil {
		return 0
	}
	return r.Resumed.Expanded
}

// finalProgress returns the progress at the end of a run.
func (p *runProgress) finalProgress(r *run.Result, simulated bool) run.Progress {
	now := run.Progress{Search: len(r.Steps)}
	if last := p.last.Load(); last != nil {
		now = *last
	}
	now.Expanded, now.Search, now.Silent, now.Counts = r.Expanded, len(r.Steps), r.Silent, r.Watched
	now.Seconds = max(now.Seconds, r.Seconds)
	if simulated { // r.Seconds is virtual time
		now.Seconds = time.Since(p.begun).Seconds()
	}
	if now.NodesPerSecond == 0 && now.Seconds > 0 {
		now.NodesPerSecond = float64(now.Expanded-resumedNodes(r)) / now.Seconds
	}
	if simulated {
		now.VirtualSeconds = r.Seconds
	}
	if isStoppedEarly(r.Why) {
		return now
	}
	done, left := 1.0, 0.0
	now.Done, now.Estimate, now.SecondsLeft = &done, false, &left
	if r.Why == lb.Exhausted {
		now.Open = 0
	}
	return now
}
