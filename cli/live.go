package cli

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/spf13/pflag"

	"treesplit/run"
	"treesplit/run/live"
	"treesplit/run/observe"
	"treesplit/run/observe/feed"
)

// liveOptions are the flags of the live page.
type liveOptions struct {
	flag    *pflag.Flag // --live; or nil
	address string      // ""; or the address that --live names
	control bool
	speed   string // ""; or the speed of a simulation

	board *feed.Board // or nil
	pace  *live.Pace  // or nil
}

// addFlags defines the flags of the live page.
func (o *liveOptions) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.address, "live", "", "serve a page that shows the search, at an `address` with a port (127.0.0.1:8080); default: a free port")
	o.flag = flags.Lookup("live")
	o.flag.NoOptDefVal = live.DefaultAddress
	flags.BoolVar(&o.control, "live-control", false, "give the page of --live buttons that stop the search and save it")
	flags.StringVar(&o.speed, "live-speed", "", "play a simulation on the page of --live at a `speed`: virtual seconds per second (0.01x, 1x), or max")
}

// isGiven reports whether the page was requested.
func (o *liveOptions) isGiven() bool { return o.flag != nil && o.flag.Changed }

// prepare lets the ranks of a plan report to the page.
func (o *liveOptions) prepare(p *run.Plan) error {
	if !o.isGiven() {
		return nil
	}
	var err error
	if o.address, err = live.ParseAddress(o.address); err != nil {
		return flagError("live", err)
	}
	o.board = new(feed.Board)
	observer, _ := p.Observer.(observe.Observer)
	observer.Board = o.board
	if o.speed != "" {
		speed, err := live.ParseSpeed(o.speed)
		if err != nil {
			return flagError("live-speed", err)
		}
		o.pace = live.NewPace(speed)
		observer.Pace = o.pace.Wait
	}
	p.Observer = observer
	return nil
}

// livePage is the live page of a run, on rank 0. Without --live, and on other ranks, it does nothing.
type livePage struct {
	*live.Server
	stopped atomic.Bool // the user has stopped the search on the page
	verdict func(r *run.Result) string
}

// open begins to serve the page and prints its address. It is called on rank 0 before the run. The
// error is an InputError.
func (p *livePage) open(a *app, j *job) (err error) {
	if !j.live.isGiven() {
		return nil
	}
	p.Server, err = live.Start(live.Options{
		Address: j.live.address, Title: a.commandLine(), Control: j.live.control, Saves: j.plan.Checkpoint != "",
		Stop: func() { p.stopped.Store(true) }, Board: j.live.board, Pace: j.live.pace,
	})
	if err != nil {
		return flagError("live", err)
	}
	fmt.Fprintf(a.stderr, "treesplit: live page at %s\n", p.URL())
	if j.live.pace != nil {
		fmt.Fprintln(a.stderr, "treesplit: the simulation begins when the page is open")
	}
	return nil
}

// connect connects the hooks of a run with the page.
func (p *livePage) connect(j *job, h *run.Hooks) {
	if !j.live.isGiven() {
		return
	}
	warn, log, interrupted := h.Warn, h.Log, h.Interrupted
	h.Warn = func(rank int, text string) { warn(rank, text); p.AddWarning(text) }
	h.Log = func(rank int, err error) { log(rank, err); p.AddWarning(fmt.Sprintf("rank %d: %v", rank, err)) }
	h.Saved = func(s run.Saved, err error) { p.NoteSaved(s, err) }
	h.SavesLose = func(why string) { p.RefuseSaves(why) }
	h.Resumed = func(t run.Totals) {
		j.live.board.NoteEarlierRuns(feed.Messages{Requests: t.Requests, Grants: t.Grants, Refusals: t.Rejects})
	}
	if j.live.control {
		h.Interrupted = func() bool { return interrupted() || p.stopped.Load() }
		h.SaveNow = func() bool { return p.Server != nil && p.SaveNow() }
	}
}

// showFinal shows the last progress and the result.
func (p *livePage) showFinal(line live.Line, r *run.Result) {
	verdict := r.Reason
	if p.verdict != nil {
		verdict = p.verdict(r)
	}
	p.SetFinal(line, live.Final{
		Requests: r.Requests, Grants: r.Grants, Rejects: r.Rejects, Expanded: r.Expanded,
		Seconds: r.Seconds, Efficiency: r.Efficiency, Verdict: verdict,
	})
}

// end sends the final state to the clients and ends the page. err is the error of the run, or nil.
func (p *livePage) end(err error) {
	if err != nil {
		p.SetFailed(err)
	}
	p.Close()
}

// commandLine returns the command line, as in a shell.
func (a *app) commandLine() string {
	words := []string{"treesplit"}
	for _, arg := range a.args {
		words = append(words, shellWord(arg))
	}
	return strings.Join(words, " ")
}
