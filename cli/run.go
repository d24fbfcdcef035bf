package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/sirupsen/logrus"

	"treesplit/lb"
	"treesplit/run"
	"treesplit/run/observe"
	"treesplit/sim/machinefile"
)

// maxPerRank is the number of ranks up to which the JSON lists each of them.
const maxPerRank = 4096

// follower follows a run in progress, on rank 0. Its functions may be nil.
type follower struct {
	verdict func(r *run.Result) string       // returns the answer for the live page; nil: the reason of the end
	step    func(show *progress, s run.Step) // called after each step of the run
	status  func() []column                  // returns the columns before the count in the progress line
}

// runSearch runs the search of a job on the runtime that started this process. The Result is nil on
// all ranks except rank 0.
func (a *app) runSearch(j *job, f follower) (r *run.Result, o outcome, err error) {
	log, err := a.newLogger(j.logLevel)
	if err != nil {
		return nil, o, err
	}
	underMPI, err := j.underMPI()
	if err != nil {
		return nil, o, err
	}
	traced := observe.NewTraceFile(j.trace)
	interrupted, ignore := listenForSignals(log, func() { j.abandon(); traced.Abandon() })
	defer ignore()
	a.interrupted = interrupted
	hooks := run.Hooks{
		Started:     a.startedAs(),
		Interrupted: interrupted,
		Log:         func(rank int, err error) { log.WithField("rank", rank).Error(err) },
		Warn:        func(rank int, text string) { log.WithField("rank", rank).Warn(text) },
		Note:        func(text string) { fmt.Fprintf(a.stderr, "treesplit: %s\n", text) },
	}
	show := a.startRunProgress(j.progress, j.progressFile, j.live.isGiven())
	show.page.verdict = f.verdict
	defer func() { show.page.end(err) }()
	if show.wanted {
		hooks.Progress = show.recordProgress
	}
	if f.status != nil {
		show.setColumns(f.status)
	}
	if f.step != nil {
		hooks.Step = func(s run.Step) { f.step(show.progress, s) }
	}
	hooks.Begin = func() error { return j.openOutputs(a, show, traced) }
	show.page.connect(j, &hooks)
	defer traced.Close()
	switch {
	case j.machine != "":
		r, err = j.runSimulated(hooks)
	case underMPI:
		r, o.endMPI, err = run.RunUnderMPI(j.plan, j.workload, hooks)
	default:
		r, err = run.RunOnGoroutines(j.plan, j.workload, hooks)
	}
	told := show.reportFinal(r, j.machine != "")
	if r == nil {
		return nil, o, cmp.Or(err, told)
	}
	if err == nil {
		a.printSaved(j, r)
		log.WithField("rank", 0).Info("the search ended: " + summaryLine(r))
		if len(r.PerRank) > maxPerRank && !j.perRank {
			r.PerRank = nil
		}
		if r.Trace != nil {
			told = errors.Join(told, traced.WriteTrace(r))
		}
		o.status, o.trouble = statusOf(r), joinErrors(r.Trouble, told)
	}
	return r, o, err
}

// openOutputs opens the outputs of a run, on rank 0 before the run. The error is an InputError.
func (j *job) openOutputs(a *app, show *runProgress, traced *observe.TraceFile) error {
	if err := checkPlaces(j.places(a)...); err != nil {
		return err
	}
	if err := show.openFile(); err != nil {
		return err
	}
	if j.trace != "" {
		if err := traced.CreateFile(); err != nil {
			return err
		}
	}
	return show.page.open(a, j)
}

// printSaved reports the checkpoint of a search that ended early, or that there is none.
func (a *app) printSaved(j *job, r *run.Result) {
	switch s := r.Saved; {
	case s != nil && s.Final:
		instead := ""
		if j.plan.Restart {
			instead = " instead of --restart"
		}
		fmt.Fprintf(a.stderr, "treesplit: search saved in %s; to resume it, run the same command with --resume %s%s\n", s.File, shellWord(s.File), instead)
	case r.Why == lb.Interrupted && j.plan.Checkpoint == "" && j.saves:
		fmt.Fprintln(a.stderr, "treesplit: the search was not saved; with --checkpoint FILE, a search that is ended early is saved and can be resumed")
	}
}

// shellWord writes a text as one word of a shell.
func shellWord(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_@%+=:,./-", r)
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// joinErrors puts errors on one line, each different text once.
func joinErrors(errs ...error) error {
	var texts []string
	for _, err := range errs {
		if err == nil {
			continue
		}
		for line := range strings.SplitSeq(err.Error(), "\n") {
			if !slices.Contains(texts, line) {
				texts = append(texts, line)
			}
		}
	}
	if texts == nil {
		return nil
	}
	return errors.New(strings.Join(texts, "; "))
}

// runSimulated runs the search on a simulated machine.
func (j *job) runSimulated(h run.Hooks) (*run.Result, error) {
	m, err := machinefile.ParseMachine(j.machine)
	if err != nil {
		return nil, flagError("machine", err)
	}
	return run.RunSimulation(m, j.plan, j.workload, h)
}

// newLogger returns a logger that writes to standard error.
func (a *app) newLogger(level string) (*logrus.Logger, error) {
	l, err := logrus.ParseLevel(level)
	if err != nil {
		return nil, flagError("log-level", fmt.Errorf("%q: expected error, warning, info or debug", level))
	}
	log := logrus.New()
	log.SetOutput(a.stderr)
	log.SetLevel(l)
	log.SetFormatter(logLine{})
	return log, nil
}

// logLine writes a message as one line: "treesplit: warning: the message (rank 0, 2026-11-22 16:43:54)".
type logLine struct{}

// Format returns the line of an entry.
func (logLine) Format(e *logrus.Entry) ([]byte, error) {
	place := e.Time.Format(time.DateTime)
	if rank, ok := e.Data["rank"]; ok {
		place = fmt.Sprintf("rank %v, %s", rank, place)
	}
	return fmt.Appendf(nil, "treesplit: %v: %s (%s)\n", e.Level, e.Message, place), nil
}
