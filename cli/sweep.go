package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"treesplit/run"
	"treesplit/study/sweep"
)

// sweepFlags are the flags of sweep.
type sweepFlags struct {
	plan                                    string // the input
	results, launcher, launcherArgs, binary string
	only                                    string
	retry, list                             bool
	stopAfter                               time.Duration
	progress                                string
	batch, out                              string
	submit                                  bool
}

func (a *app) sweepCommand() *cobra.Command {
	var f sweepFlags
	cmd := &cobra.Command{
		Use:   "sweep PLAN.yaml",
		Short: "Measure: worlds × ranks × schemes × detectors × instances × seeds × repeats",
		Long: `sweep makes all runs that a plan asks for, and one rank alone on each instance besides,
and appends one line of JSON a run to a file, with the machine, the versions and the
environment. A run that fails is recorded and does not end the sweep, whose status
is 1 then. What is in the file is not run again: after Ctrl-C, or a crash, the same
command goes on with the rest. treesplit report makes tables of the file.

The worlds of a plan are local (goroutine ranks), mpi (ranks started by --launcher)
and simulated machines. testdata/sweep.yaml is a plan to begin with, and docs/sweeps.md
says what can be in one.

--batch writes job scripts for a cluster's scheduler instead: an array for each number of
ranks, each job of which makes its part of the plan (--only-index) into a file of its
own. --submit submits them, each as many times in a row as the plan's batch.links
says, so that a later one goes on where the time of the one before was over.`,
		Example: `  treesplit sweep testdata/sweep.yaml --list
  treesplit sweep testdata/sweep.yaml --results example.jsonl
  treesplit sweep testdata/sweep.yaml --batch slurm --out jobs
  treesplit sweep testdata/sweep.yaml --batch lsf --out jobs`,
		Args: exactArguments(1, "one plan, a YAML file"),
		RunE: a.withOutcome(func(_ *cobra.Command, args []string) (outcome, error) { return a.runSweep(&f, args[0]) }),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.results, "results", "", "`file` of results to append to; default: the plan's name with .jsonl")
	flags.StringVar(&f.launcher, "launcher", "", "what starts the ranks of world mpi: local (nothing does, there is no such world), mpirun, srun, or a program of such a name; default: the plan's")
	flags.StringVar(&f.launcherArgs, "launcher-args", "", "more `arguments` of the launcher, with blanks between, in place of the plan's")
	flags.StringVar(&f.binary, "binary", "", "`program` to measure; default: this one")
	flags.StringVar(&f.only, "only-index", "", "make the run of that `index` alone, or A-B, as --list counts them from 0")
	flags.BoolVar(&f.retry, "retry", false, "make runs again that have failed")
	flags.BoolVar(&f.list, "list", false, "print the runs and make none")
	flags.DurationVar(&f.stopAfter, "stop-after", 0, "end as by Ctrl-C after this time; 0: never")
	flags.StringVar(&f.progress, "progress", "auto", "progress line: auto (on a terminal), on, off")
	flags.StringVar(&f.batch, "batch", "", "write job scripts for a `scheduler`: "+strings.Join(sweep.Schedulers, ", "))
	flags.StringVar(&f.out, "out", "jobs", "`directory` for job scripts and their results")
	flags.BoolVar(&f.submit, "submit", false, "submit the job scripts")
	return cmd
}

func (a *app) runSweep(f *sweepFlags, path string) (outcome, error) {
	if underLauncher() {
		return outcome{}, run.InputError{Err: errors.New("sweep starts launchers itself: start it without one")}
	}
	f.plan = path
	plan, err := sweep.ReadPlan(path)
	if err != nil {
		return outcome{}, run.InputError{Err: err}
	}
	launch, err := f.chooseLaunch(plan)
	if err != nil {
		return outcome{}, err
	}
	if f.batch != "" {
		return outcome{}, a.writeJobs(f, plan, launch, path)
	}
	if f.submit {
		return outcome{}, flagError("submit", errors.New("nothing to submit: expected --batch too"))
	}
	runs, err := f.chooseRuns(plan.ExpandRuns())
	if err != nil {
		return outcome{}, err
	}
	if f.list {
		return outcome{}, a.listRuns(runs, launch)
	}
	return a.makeRuns(f, plan, launch, runs)
}

// chooseLaunch decides which program is run and by which launcher.
func (f *sweepFlags) chooseLaunch(plan *sweep.Plan) (sweep.Launch, error) {
	wanted := f.launcher
	if wanted == "" && plan.Launcher == "" && plan.Worlds == nil && f.batch != "" {
		wanted = "mpirun" // jobs of a cluster are of ranks on several hosts
		if f.batch == "slurm" {
			wanted = "srun"
		}
	}
	if f.launcherArgs != "" {
		plan.LauncherArgs = strings.Fields(f.launcherArgs)
	}
	if err := plan.SettleLauncher(wanted); err != nil {
		return sweep.Launch{}, flagError("launcher", err)
	}
	if f.launcherArgs != "" && plan.Launcher == sweep.LocalLauncher { // the plan may say so, which is why needs does not know
		return sweep.Launch{}, flagError("launcher-args", errors.New("it has no effect here: expected a --launcher other than "+sweep.LocalLauncher))
	}
	launch := sweep.Launch{Binary: f.binary, Launcher: plan.Launcher, Args: plan.LauncherArgs}
	var err error
	if launch.Binary == "" {
		launch.Binary, err = os.Executable()
	} else {
		launch.Binary, err = filepath.Abs(launch.Binary)
	}
	if err != nil {
		return launch, flagError("binary", err)
	}
	if f.stopAfter < 0 {
		return launch, flagError("stop-after", fmt.Errorf("%v: expected a span above 0, or 0 for no end", f.stopAfter))
	}
	switch f.progress {
	case "auto", "on", "off":
		return launch, nil
	}
	return launch, flagError("progress", fmt.Errorf("%q: expected auto, on or off", f.progress))
}

// chooseRuns picks the runs of --only-index.
func (f *sweepFlags) chooseRuns(runs []sweep.Run) ([]sweep.Run, error) {
	if f.only == "" {
		return runs, nil
	}
	from, to, ranged := strings.Cut(f.only, "-")
	if !ranged {
		to = from
	}
	first, err := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	if err != nil || err2 != nil || first < 0 || last < first || last >= len(runs) {
		return nil, flagError("only-index", fmt.Errorf("%q: expected an index of 0 to %d, or two with - between", f.only, len(runs)-1))
	}
	return runs[first : last+1], nil
}

// listRuns prints one line per run.
func (a *app) listRuns(runs []sweep.Run, launch sweep.Launch) error {
	for _, r := range runs {
		if _, err := fmt.Fprintf(a.stdout, "%d  %s  %s\n", r.Index, r.Key, sweep.CommandLine(launch.CommandFor(r))); err != nil {
			return err
		}
	}
	return nil
}

// writeJobs writes the scripts for a scheduler, and submits them.
func (a *app) writeJobs(f *sweepFlags, plan *sweep.Plan, launch sweep.Launch, path string) error {
	text, err := sweep.ReadPlanText(path)
	if err != nil {
		return run.InputError{Err: err}
	}
	dir, err := filepath.Abs(f.out)
	if err != nil {
		return flagError("out", err)
	}
	workDir, err := os.Getwd()
	if err != nil {
		return err
	}
	jobs, err := plan.BuildJobs(f.batch, launch, dir, workDir)
	if err != nil {
		return flagError("batch", err)
	}
	if err := sweep.WriteJobs(f.batch, dir, text, jobs); err != nil {
		return flagError("out", err)
	}
	for _, j := range jobs {
		fmt.Fprintf(a.stdout, "job script %s makes the runs %d to %d in %d tasks of %d processes\n", j.File, j.First, j.Last, j.Count, j.Tasks)
	}
	if !f.submit {
		return nil
	}
	return sweep.SubmitJobs(context.Background(), f.batch, jobs, plan.Batch.Links, func(j sweep.Job, link int, id string) {
		fmt.Fprintf(a.stdout, "job %s is submitted as %s, link %d of %d\n", j.Name, id, link+1, plan.Batch.Links)
	})
}
