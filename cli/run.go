package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"github.com/sirupsen/logrus"

	"treesplit/experiment"
	"treesplit/mpi"
	"treesplit/sim"
)

// maxPerRank is the number of ranks up to which the JSON lists each of them.
const maxPerRank = 4096

// run makes the search in the world that started this process. The Result is nil
// on all ranks but rank 0, and where another verb takes the search over.
func (a *app) run(f *searchFlags, w experiment.Workload) (*experiment.Result, error) {
	if err := f.finish(); err != nil {
		return nil, err
	}
	if a.take != nil {
		return nil, a.take(f, w)
	}
	log, err := a.logger(f.logLevel)
	if err != nil {
		return nil, err
	}
	underMPI, err := world(f)
	if err != nil {
		return nil, err
	}
	traced := experiment.NewTraceFile(f.trace)
	interrupted, ignore := interrupts(log, func() { a.abandon(); traced.Abandon() })
	defer ignore()
	hooks := experiment.Hooks{
		Started:     a.started(),
		Interrupted: interrupted,
		Log:         func(rank int, err error) { log.WithField("rank", rank).Error(err) },
		Warn:        func(rank int, text string) { log.WithField("rank", rank).Warn(text) },
	}
	show := a.runProgress(f.progress, f.progressFile)
	if show.wanted {
		hooks.Progress = show.update
	}
	if f.status != nil {
		show.ask(f.status)
	}
	if f.step != nil {
		hooks.Step = func(s experiment.Step) { f.step(show.progress, s) }
	}
	if f.trace != "" || f.progressFile != "" {
		hooks.Begin = func() error {
			if err := show.open(); err != nil || f.trace == "" {
				return err
			}
			return traced.Open()
		}
		defer traced.Close()
	}
	var r *experiment.Result
	switch {
	case f.machine != "":
		r, err = simulate(f, w, hooks)
	case underMPI:
		r, a.finish, err = experiment.RunMPI(f.plan, w, hooks)
	default:
		r, err = experiment.RunLocal(f.plan, w, hooks)
	}
	err = cmp.Or(err, show.finish(r, f.machine != ""))
	if r != nil {
		if s := r.Saved; s != nil && s.Final {
			log.WithField("rank", 0).Warnf("saved in %s: go on with --resume %s", s.File, s.File)
		}
		log.WithField("rank", 0).Infof("%d nodes on %d ranks, audit %s", r.Expanded, r.Ranks, r.Audit)
		if len(r.PerRank) > maxPerRank && !f.perRank {
			r.PerRank = nil
		}
		if r.Trace != nil && err == nil {
			err = traced.Write(r)
		}
	}
	return r, err
}

// simulate makes the search on a simulated machine.
func simulate(f *searchFlags, w experiment.Workload, h experiment.Hooks) (*experiment.Result, error) {
	m, err := sim.ParseMachine(f.machine)
	if err != nil {
		return nil, flagError("machine", err)
	}
	return experiment.RunSim(m, f.plan, w, h)
}

// world says whether the run is one of MPI, and refuses what cannot be meant:
// N lonely copies of a build without MPI, and a -n that contradicts the launcher.
func world(f *searchFlags) (underMPI bool, err error) {
	size, launched := mpi.Launched()
	if !launched {
		return false, nil
	}
	if f.machine != "" && size > 1 {
		return false, flagError("machine", fmt.Errorf("a machine is simulated by one process, but the MPI launcher has started %d", size))
	}
	if f.cmd.Flags().Changed("ranks") && f.plan.Ranks != size {
		return false, flagError("ranks", fmt.Errorf("%d, but the MPI launcher has started %d: leave -n out", f.plan.Ranks, size))
	}
	return experiment.Launched()
}

// logger writes to standard error, each line with its rank.
func (a *app) logger(level string) (*logrus.Logger, error) {
	l, err := logrus.ParseLevel(level)
	if err != nil {
		return nil, flagError("log-level", fmt.Errorf("%q: expected error, warning, info or debug", level))
	}
	log := logrus.New()
	log.SetOutput(a.stderr)
	log.SetLevel(l)
	return log, nil
}

// interrupts listens for Ctrl-C, SIGTERM, and SIGUSR1, which batch systems send when the time
// is nearly up: the first asks the run to end, the second calls abandon and ends the process,
// but for a SIGUSR1. ignore stops listening.
func interrupts(log *logrus.Logger, abandon func()) (interrupted func() bool, ignore func()) {
	var flag atomic.Bool
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGUSR1)
	go func() {
		for s := range signals {
			if flag.Swap(true) {
				if s == syscall.SIGUSR1 {
					continue
				}
				abandon()
				os.Exit(statusStopped)
			}
			log.WithField("rank", mpi.LaunchedRank()).Warnf("%v: ending the search; once more ends it at once", s)
		}
	}()
	return flag.Load, func() { signal.Stop(signals); close(signals) }
}

// print writes an object as one line of JSON.
func (a *app) print(v any) error {
	e := json.NewEncoder(a.stdout)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// summary describes a run in one line of text, and those of --stats.
func summary(r *experiment.Result) string {
	s := fmt.Sprintf("%d nodes in %.3f s (%.3g a second), %d ranks, %s, %s, %d requests, %d grants",
		r.Expanded, r.Seconds, r.NodesPerSecond, r.Ranks, r.Scheme, r.Termination, r.Requests, r.Grants)
	if r.Efficiency > 0 {
		s += fmt.Sprintf(", efficiency %.3f", r.Efficiency)
	}
	for _, silent := range r.Silent {
		s += fmt.Sprintf(", %v", silent)
	}
	s += ", audit " + r.Audit
	if r.Stats != nil {
		s += "\n" + statistics(r.Stats)
	}
	return s
}
