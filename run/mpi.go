package run

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"treesplit/comm"
	"treesplit/mpi"
	"treesplit/spmd"
)

// RunUnderMPI runs the search with one rank in each process that the launcher has started. It
// must be called on the main goroutine of every process. It returns a Result on rank 0 and nil on
// the other ranks. finish ends MPI. Every process must call finish last, after all its output,
// because an MPI library with network trouble may never return from it. If the run cannot be
// ended in an orderly way, RunUnderMPI ends all processes with exit status 1.
func RunUnderMPI(p Plan, w Workload, h Hooks) (r *Result, finish func() error, err error) {
	if err := errEmulated(p, true, "MPI delivers messages in its own time: expected goroutine ranks"); err != nil {
		return nil, finishNothing, err
	}
	finish, err = runMPIRank(h, func(world *mpi.World, end func(error)) error {
		h.searching = new(atomic.Bool)
		defer watchWaits(world, p, h, end)()
		r, err = RunOn(world, p, w, h, end)
		return err
	})
	if err != nil {
		return nil, finish, err
	}
	if r != nil {
		r.World, r.Library = "mpi", mpi.Library()
	}
	return r, finish, nil
}

// runMPIRank starts MPI and runs one rank, if all ranks were started in the same way. An error of
// run that is not an InputError ends all processes. run may also call end, from any goroutine,
// which ends all processes too.
func runMPIRank(h Hooks, run func(world *mpi.World, end func(error)) error) (finish func() error, err error) {
	world, err := mpi.Init()
	if err != nil {
		return func() error { return nil }, err
	}
	if size, _ := mpi.Launched(); size > 1 && world.Size() == 1 {
		return world.Finalize, InputError{fmt.Errorf(
			"a launcher has started %d ranks, but to %s each is alone: start the program by the launcher of the MPI that it was built with", size, mpi.Library())}
	}
	var ended sync.Once // two watchdogs and the rank itself may end the run
	end := func(err error) {
		ended.Do(func() {
			if h.Log != nil {
				h.Log(world.Rank(), err)
			}
			time.Sleep(grace) // the other ranks may also have errors to print
			world.Abort(1)
		})
	}
	if h.Started == nil {
		h.Started = NewStarted()
	}
	if err = h.Started.agreeOnStart(world); err == nil {
		err = run(world, end)
	}
	if err != nil && !errors.As(err, &InputError{}) { // an InputError is known to all ranks, and no rank is in a run
		end(err)
	}
	return world.Finalize, err
}

// RunOn runs one rank's part of a run over an open transport. Several runs can use one transport,
// one after the other. Every rank must call RunOn with the same Plan and Workload. The Result is
// returned on rank 0 and does not name the world. stuck is called, from another goroutine, if a
// rank hangs; it must end the run. All ranks return the same InputError; the transport can be
// used again after it.
func RunOn(t comm.Transport, p Plan, w Workload, h Hooks, stuck func(error)) (*Result, error) {
	p.Ranks = t.Size()
	if err := h.callBegin(t); err != nil {
		return nil, err
	}
	release, err := reserveNameOn(t, p)
	if err != nil {
		return nil, err
	}
	defer release()
	problem, err := bringProblem(t, p, w, h)
	if err != nil {
		return nil, err
	}
	dropPauses(&p, problem, h, t.Rank())
	logs, err := openSpool(problem, true)
	err = spmd.AgreeOnError(t, err)
	defer closeSpool(logs) // of this rank, also if another rank has none
	if err != nil {
		return nil, err
	}
	from, err := bringResumePoint(t, p, problem, logs)
	if err != nil {
		return nil, err
	}
	if t.Rank() == 0 {
		h.warnOfResumed(from, logs)
		h.tellStart(p, problem, from)
	}
	h = watchLogs(logs, h)
	r, err := runOneRank(t, p, problem, from, logs, h, stuck)
	if err != nil {
		return nil, err
	}
	return r, concludeOn(t, logs, w, r, h)
}

// grace is the time that a rank waits after an error before it ends all other ranks.
const grace = time.Second

// bringProblem reads the problem on rank 0 and sends it to all ranks. Errors of the plan or the
// input are an InputError on all ranks.
func bringProblem(t comm.Transport, p Plan, w Workload, h Hooks) (problem Problem, err error) {
	if err := spmd.AgreeOnError(t, p.Check()); err != nil {
		return nil, InputError{err}
	}
	var data []byte
	if t.Rank() == 0 {
		problem, data, err = loadOnRankZero(t, p, w, newLoading(p, h))
	} else if helping, ok := w.(Helping); ok {
		err = helpRankZero(t, helping, newLoading(p, h))
	}
	if err := spmd.AgreeOnError(t, err); err != nil {
		return nil, InputError{err}
	}
	if data, err = t.Broadcast(0, data); err != nil {
		return nil, err
	}
	if t.Rank() != 0 {
		problem, err = w.Decode(data)
		if err != nil {
			err = fmt.Errorf("rank %d cannot decode the problem from rank 0: %w", t.Rank(), err)
		}
	}
	return problem, spmd.AgreeOnError(t, err)
}

// loadOnRankZero loads and encodes the problem, with the help of the other ranks.
func loadOnRankZero(t comm.Transport, p Plan, w Workload, l Loading) (problem Problem, data []byte, err error) {
	if _, ok := w.(Helping); ok && t.Size() > 1 {
		helpers := &rankHelpers{t: t}
		l.Helpers = helpers
		defer func() { err = errors.Join(err, helpers.end()) }()
	}
	if problem, err = loadProblem(w, l); err != nil {
		return nil, nil, err
	}
	if err = checkFacets(p, problem); err != nil {
		return nil, nil, err
	}
	data, err = problem.Encode()
	return problem, data, err
}
