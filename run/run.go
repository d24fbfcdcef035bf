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

// DefaultPlan returns the default plan of the command line, without the watchdog (Plan.Stall): random
// polling on the given number of goroutine ranks.
func DefaultPlan(ranks int) Plan {
	return Plan{
		Ranks: ranks, Scheme: "rp", Termination: termination.DetectorNames()[0], Topology: topology.NetworkNames()[0], Seed: 1,
		Splitting: search.DefaultSplitting, Splits: lb.AutoSplits,
	}
}

// ErrWithoutMPI is the error of a rank that cannot learn what the other ranks do.
var ErrWithoutMPI = errors.New("built without MPI")

// LaunchedByMPI reports whether an MPI launcher has started this process and the program was built
// with MPI. It returns an InputError if a launcher has started several copies of a program that was
// built without MPI, because each copy would run the whole search alone.
func LaunchedByMPI() (underMPI bool, err error) {
	size, launched := mpi.Launched()
	if launched && !mpi.Built && size > 1 {
		return false, InputError{fmt.Errorf("started by an MPI launcher as one of %d ranks, but %w: build with CC=mpicc go build -tags mpi, or start it without the launcher and use -n %d", size, ErrWithoutMPI, size)}
	}
	return launched && mpi.Built, nil
}

// Run runs the search. If an MPI launcher has started this process, it uses the ranks of the
// launcher; otherwise it uses p.Ranks goroutines. It must be called on the main goroutine. Run calls
// report with the Result on one rank only. It then ends MPI, and the process must exit. An error in
// the input is returned on every rank. If the proof or a checkpoint cannot be written, Run still
// calls report, and then returns the error.
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
