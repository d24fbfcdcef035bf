package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"treesplit/cli/internal/help"
	"treesplit/internal/outfile"
	"treesplit/run"
	"treesplit/study/sweep"
)

// sweepFlags are the flags of sweep.
type sweepFlags struct {
	plan                                    string // the input file
	results, launcher, launcherArgs, binary string
	only                                    string
	retry, list                             bool
	stopAfter, grace                        time.Duration
	progress                                string
	batch, out                              string
	submit                                  bool
}

func (a *app) sweepCommand() *cobra.Command {
	var f sweepFlags
	cmd := &cobra.Command{
		Use:   "sweep PLAN.yaml",
		Short: "Measure many runs of a plan",
		Long: `sweep makes all runs of a plan: all combinations of worlds, numbers of ranks, schemes, detectors,
instances, seeds and repeats. It also searches each instance on one rank.

It reads a plan in YAML format: testdata/sweep.yaml is an example, and docs/sweeps.md describes all
keys. The worlds of a plan are local (goroutine ranks), mpi (ranks started by --launcher) and
simulated machines.

It appends one line of JSON per run to the file of results, with the machine, the versions and the
environment. A failed run is recorded, and the sweep continues. A run that is in the file is not made
again: after Ctrl-C or a crash, the same command makes the remaining runs. treesplit report makes
tables of the file.

--batch writes job scripts for the scheduler of a cluster instead: one array of jobs for each world
and number of ranks. Each job makes a part of the runs (--only-index) and has its own file of results.
--submit submits the scripts, each batch.links times in a row as the plan sets it, so that a job
resumes where the job before it ran out of time.

--launcher local means that there is no launcher, and no world mpi.`,
		Example: `  treesplit sweep testdata/sweep.yaml --list
  treesplit sweep testdata/sweep.yaml --results example.jsonl
  treesplit sweep testdata/sweep.yaml --batch slurm --out jobs
  treesplit sweep testdata/sweep.yaml --batch lsf --out jobs`,
		Args: exactArguments(1, "one plan, a YAML file"),
		RunE: a.withOutcome(func(_ *cobra.Command, args []string) (outcome, error) { return a.runSweep(&f, args[0]) }),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.launcher, "launcher", "", "`program` that starts MPI ranks: mpirun, srun, local or another; default: the plan's")
	flags.StringVar(&f.launcherArgs, "launcher-args", "", "more `arguments` of the launcher, separated by spaces, instead of the plan's")
	flags.StringVar(&f.binary, "binary", "", "`program` to measure; default: this program")
	help.SetRest(flags, help.Ranks)
	flags.StringVar(&f.only, "only-index", "", "make only the run with this `index`, or the runs A-B; --list counts from 0")
	flags.BoolVar(&f.retry, "retry", false, "repeat runs that failed")
	flags.BoolVar(&f.list, "list", false, "list the runs and make none")
	flags.DurationVar(&f.stopAfter, "stop-after", 0, "`time` after which the sweep ends, as by Ctrl-C; 0: no limit")
	flags.DurationVar(&f.grace, "grace", sweep.DefaultGrace, "`time` that the current run has to save its search when the sweep ends")
	help.SetRest(flags, help.Run)
	flags.StringVar(&f.results, "results", "", "`file` of results to append to; default: the plan's name with .jsonl")
	flags.StringVar(&f.batch, "batch", "", "write job scripts for a `scheduler`: "+strings.Join(sweep.Schedulers, ", "))
	flags.StringVar(&f.out, "out", "jobs", "`directory` for job scripts and their results")
	flags.BoolVar(&f.submit, "submit", false, "submit the job scripts")
	flags.StringVar(&f.progress, "progress", "auto", lineHelp)
	help.SetRest(flags, help.Output)
	help.SetExit(cmd, help.Status{Code: statusDone, Meaning: "all runs are done, or job scripts are written"},
		help.Status{Code: statusFailed, Meaning: "a run failed, or the sweep failed"}, exitInput,
		help.Status{Code: statusStopped, Meaning: "stopped early, by --stop-after or a signal"})
	help.SetFiles(cmd, [2]string{"PLAN.yaml", "the plan"}, [2]string{"NAME.jsonl", "the results: one JSON object per run"}, [2]string{"jobs/", "job scripts of --batch and their results"})
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
		return outcome{}, a.writeJobs(f, plan, launch)
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

// chooseLaunch chooses the program and its launcher.
func (f *sweepFlags) chooseLaunch(plan *sweep.Plan) (sweep.Launch, error) {
	wanted := f.launcher
	needed := plan.Worlds == nil || slices.Contains(plan.Worlds, sweep.WorldMPI)
	if wanted == "" && plan.Launcher == "" && needed && f.batch != "" {
		wanted = "mpirun" // jobs of a cluster have ranks on several hosts
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
	if f.launcherArgs != "" && plan.Launcher == sweep.LocalLauncher { // the plan may name the launcher, which needs cannot check
		return sweep.Launch{}, flagError("launcher-args", errors.New("it has no effect here: expected a --launcher other than "+sweep.LocalLauncher))
	}
	launch := sweep.Launch{Binary: f.binary, Launcher: plan.Launcher, Args: plan.LauncherArgs}
	var err error
	if launch.Binary == "" {
		launch.Binary, err = os.Executable()
	} else {
		launch.Binary, err = outfile.Absolute(launch.Binary)
	}
	if err != nil {
		return launch, flagError("binary", err)
	}
	if f.stopAfter < 0 {
		return launch, flagError("stop-after", fmt.Errorf("%v: expected a span above 0, or 0 for no end", f.stopAfter))
	}
	if f.grace <= 0 {
		return launch, flagError("grace", fmt.Errorf("%v: expected a time above 0", f.grace))
	}
	switch f.progress {
	case "auto", "on", "off":
		return launch, nil
	}
	return launch, flagError("progress", fmt.Errorf("%q: expected auto, on or off", f.progress))
}

// chooseRuns selects the runs of --only-index.
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
func (a *app) writeJobs(f *sweepFlags, plan *sweep.Plan, launch sweep.Launch) error {
	dir, err := outfile.Absolute(f.out)
	if err != nil {
		return flagError("out", err)
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	workDir, err := os.Getwd()
	if err != nil {
		return err
	}
	jobs, err := plan.BuildJobs(f.batch, launch, sweep.Places{Program: program, Dir: dir, WorkDir: workDir})
	if err != nil {
		return flagError("batch", err)
	}
	if err := plan.WriteJobs(f.batch, dir, jobs); err != nil {
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
