package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"treesplit/mpi"
	"treesplit/run"
)

// job is the task described by the flags and arguments of a command. A command that searches has
// two steps: the first makes a job of the command line, the second runs the job and prints its
// result. Commands calibrate and predict use the first step of other commands.
type job struct {
	runOptions
	plan       run.Plan
	workload   run.Workload
	files      []place // files that the command itself reads and writes
	ranksGiven bool    // by --ranks; otherwise the number of ranks is the default
	saves      bool    // the command has --checkpoint
}

// withOutcome makes the function that cobra calls for a command that returns an outcome.
func (a *app) withOutcome(command func(cmd *cobra.Command, args []string) (outcome, error)) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) (err error) {
		a.outcome, err = command(cmd, args)
		return err
	}
}

// twoSteps makes the function that cobra calls for a command of two steps: parse makes a job of
// the flags and arguments, and execute runs the job and prints the result.
func twoSteps[J any](a *app, parse func(args []string) (J, error), execute func(J) (outcome, error)) func(*cobra.Command, []string) error {
	return a.withOutcome(func(_ *cobra.Command, args []string) (outcome, error) {
		j, err := parse(args)
		if err != nil {
			return outcome{}, err
		}
		return execute(j)
	})
}

// runOptions are the flags of a search that are not part of its plan.
type runOptions struct {
	machine      string // name or file of the machine to simulate; or ""
	json         bool
	perRank      bool
	stats        bool
	trace        string // file, or ""
	progress     string // auto, on or off
	progressFile string // file of JSON lines, or ""
	live         liveOptions
	logLevel     string
}

// fileOwner is a workload that keeps temporary files.
type fileOwner interface {
	Close()   // removes the files
	Abandon() // removes the files, at any time and from any goroutine
}

// close removes the temporary files of the workload.
func (j *job) close() {
	if k, ok := j.workload.(fileOwner); ok {
		k.Close()
	}
}

// abandon removes the temporary files before a process ends at once.
func (j *job) abandon() {
	if k, ok := j.workload.(fileOwner); ok {
		k.Abandon()
	}
}

// underMPI reports whether MPI runs the job. It returns an error for a job that is invalid under a
// launcher.
func (j *job) underMPI() (bool, error) {
	if j.machine != "" {
		return false, j.checkLaunchedAlone()
	}
	underMPI, err := launchedWorld(j.plan.Ranks, j.ranksGiven)
	if err == nil && underMPI {
		err = checkUnderMPI(j.plan)
	}
	return underMPI, err
}

// checkLaunchedAlone returns an error if a launcher has started several processes for a simulation.
func (j *job) checkLaunchedAlone() error {
	if size, _ := mpi.Launched(); size > 1 {
		return flagError("machine", fmt.Errorf("a machine is simulated by one process, but the MPI launcher has started %d: expected one", size))
	}
	return nil
}

// launchedWorld reports whether a launcher has started an MPI run. It returns an error for N copies
// of a build without MPI, and for a given number of ranks that contradicts the launcher.
func launchedWorld(ranks int, given bool) (underMPI bool, err error) {
	underMPI, err = run.LaunchedByMPI()
	if size, _ := mpi.Launched(); underMPI && given && ranks != size {
		return false, flagError("ranks", fmt.Errorf("%d, but the MPI launcher has started %d: leave -n out", ranks, size))
	}
	return underMPI, err
}

// launchedRanks returns the number of ranks that a launcher has started, if MPI runs the job of the flags.
func (o *runOptions) launchedRanks() (size int, underMPI bool) {
	if o.machine != "" {
		return 0, false
	}
	if underMPI, _ = run.LaunchedByMPI(); !underMPI { // an error is reported when the run begins
		return 0, false
	}
	return mpi.Launched()
}
