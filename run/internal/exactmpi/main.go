// Exactmpi is one rank of the suite of exactness over MPI. It makes all runs within one MPI_Init,
// because starting a world takes longer than a run. Its argument n means that it makes every n-th
// run; 1 means all runs. Rank 0 prints the library, the number of ranks, the runs and the pieces
// granted in them, and at the end "ok". An error ends all ranks with exit status 1.
package main

import (
	"fmt"
	"os"
	"strconv"

	"treesplit/mpi"
	"treesplit/run"
	"treesplit/run/internal/exact"
	"treesplit/run/workloads"
)

func main() {
	step, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	w, err := mpi.Init()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	totals, err := check(w, step)
	if err != nil {
		fail(w, err)
	}
	if err := w.Finalize(); err != nil {
		fmt.Fprintln(os.Stderr, "finalize:", err)
		os.Exit(1)
	}
	if w.Rank() == 0 {
		fmt.Printf("%s: %d ranks: %d runs: %d grants: idle %v: ok\n", mpi.Library(), w.Size(), totals.Runs, totals.Grants, totals.Idle)
	}
}

// check makes the runs. Only rank 0 knows the result of a run. It ends all ranks if a result is
// wrong.
func check(w *mpi.World, step int) (exact.Totals, error) {
	inputs, err := exact.Inputs()
	if err != nil {
		return exact.Totals{}, err
	}
	err = exact.Pairs(func(p *workloads.Pairs) (workloads.Paired, error) { return p.RunOn(w) })
	if err != nil {
		return exact.Totals{}, err
	}
	return exact.Each(inputs, step, w.Size(), func(p run.Plan, load run.Workload) (*run.Result, error) {
		return run.RunOn(w, p, load, run.Hooks{}, func(err error) { fail(w, err) })
	})
}

func fail(w *mpi.World, err error) {
	fmt.Fprintf(os.Stderr, "rank %d: %v\n", w.Rank(), err)
	w.Abort(1)
}
