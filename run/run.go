package run

import (
	"errors"
	"fmt"

	"treesplit/lb"
	"treesplit/mpi"
	"treesplit/search"
	"treesplit/termination"
	"treesplit/topology"
)

// DefaultPlan is the plan of a run that nobody has said anything about, as the command line
// has it except for the watchdog: random polling on so many goroutine ranks.
func DefaultPlan(ranks int) Plan {
	return Plan{
		Ranks: ranks, Scheme: "rp", Termination: termination.DetectorNames()[0], Topology: topology.NetworkNames()[0], Seed: 1,
		Splitting: search.DefaultSplitting, Splits: lb.AutoSplits,
	}
}

// LaunchedByMPI reports whether this process is one of those that an MPI launcher has started. It
// refuses what cannot be meant, N lonely copies of a program that was built without MPI; the
// error is an InputError.
func LaunchedByMPI() (underMPI bool, err error) {
	size, launched := mpi.Launched()
	if launched && !mpi.Built && size > 1 {
		return false, InputError{fmt.Errorf("started by an MPI launcher as one of %d ranks, but built without MPI: build with CC=mpicc go build -tags mpi, or start it without the launcher and use -n %d", size, size)}
	}
	return launched && mpi.Built, nil
}

// Run makes the search in the world that this process was started in: on the ranks of an MPI
// launcher, or else on p.Ranks goroutines. It must be called on the main goroutine. report
// is called with the Result, on one rank alone; then MPI is ended, so that nothing but the
// end of the process can follow. An error of the input is every rank's; what went wrong with a
// file beside the result comes after the report.
func Run(p Plan, w Workload, h Hooks, report func(*Result) error) error {
	underMPI, err := LaunchedByMPI()
	if err != nil {
		return err
	}
	var r *Result
	finish := finishNothing
	if underMPI {
		r, finish, err = RunUnderMPI(p, w, h)
	} else {
		r, err = RunOnGoroutines(p, w, h)
	}
	if r != nil && err == nil {
		err = errors.Join(report(r), r.Trouble)
	}
	return errors.Join(err, finish())
}
