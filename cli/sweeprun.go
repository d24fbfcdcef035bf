package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"treesplit/cli/internal/units"
	"treesplit/run"
	"treesplit/study/sweep"
)

// makeRuns makes the missing runs and prints how many runs were done and how many failed.
func (a *app) makeRuns(f *sweepFlags, plan *sweep.Plan, launch sweep.Launch, runs []sweep.Run) (outcome, error) {
	path := f.results
	if path == "" {
		path = plan.Name + ".jsonl"
	}
	facts, err := sweep.GatherFacts(launch.Binary)
	if err != nil {
		return outcome{}, flagError("binary", err)
	}
	if err := checkPlaces(append(a.streamPlaces(), input("", f.plan), input("binary", launch.Binary), output("results", path))...); err != nil {
		return outcome{}, err
	}
	log, err := sweep.OpenLog(path)
	if err != nil {
		return outcome{}, run.InputError{Err: err}
	}
	defer log.Close()
	if log.Torn > 0 {
		fmt.Fprintf(a.stderr, "treesplit: %s: the program removed the incomplete last line, %s\n", path, units.Bytes(int64(log.Torn)))
	}
	checkpoints := path + ".checkpoints"
	if plan.CheckpointEvery > 0 {
		if err := os.MkdirAll(checkpoints, 0o755); err != nil {
			return outcome{}, err
		}
	}
	ctx, stop := f.stopContext()
	defer stop()
	show := a.startProgress(f.progress, "")
	defer show.removeLine()
	s := sweep.Sweep{
		Plan: plan, Runs: runs, Launch: launch, Facts: facts, Log: log, Checkpoints: checkpoints, Retry: f.retry, Grace: f.grace,
		Progress: func(p sweep.Progress) { show.setColumns(func() []column { return sweepProgress(p) }) },
	}
	if !show.on {
		s.Progress = func(sweep.Progress) {}
	}
	p, err := s.RunMissing(ctx)
	show.removeLine()
	if err != nil {
		return outcome{}, err
	}
	fmt.Fprintf(a.stdout, "%d of %d runs done, %d failed; results in %s\n", p.Done, p.Total, p.Failed, path)
	switch {
	case p.Done < p.Total:
		fmt.Fprintf(a.stderr, "treesplit: the sweep was stopped early; the same command makes the remaining %s\n", units.Things(int64(p.Total-p.Done), "run"))
		return outcome{status: statusStopped}, nil
	case p.Failed > 0:
		return outcome{}, fmt.Errorf("%d of %d runs failed: %s has the error of each run, and --retry repeats them", p.Failed, p.Total, path)
	}
	return outcome{}, nil
}

// stopContext returns a context that ends with the first signal, or when the time of --stop-after
// is over. After the first signal, a second one ends the process.
func (f *sweepFlags) stopContext() (ctx context.Context, stop func()) {
	asked, ignore := signal.NotifyContext(context.Background(), sweep.EndSignals()...)
	context.AfterFunc(asked, ignore)
	if f.stopAfter == 0 {
		return asked, ignore
	}
	timed, cancel := context.WithTimeout(asked, f.stopAfter)
	return timed, func() {
		cancel()
		ignore()
	}
}

// sweepProgress returns the columns of the progress line.
func sweepProgress(p sweep.Progress) []column {
	all := []column{{fmt.Sprintf("%d of %d runs", p.Done, p.Total), worthDone}}
	if p.Failed > 0 {
		all = append(all, column{fmt.Sprintf("%d failed", p.Failed), worthCount})
	}
	if p.Left > 0 {
		all = append(all, column{"about " + units.Seconds(p.Left.Seconds()) + " left", keepAlways})
	}
	if p.Run != nil {
		all = append(all, column{"now " + p.Run.Key, worthDetail})
	}
	return all
}
