package run

import (
	"errors"
	"fmt"
	"time"

	"treesplit/comm"
	"treesplit/mpi"
	"treesplit/spmd"
)

// RunUnderMPI runs the search with one rank in each process that the launcher has
// started. It must be called on the main goroutine of every one of them, and
// returns a Result on rank 0 alone. finish ends MPI; every process must call it
// last, when it has said what it has to say, because an MPI that has trouble with
// its network may not come back from it. Where the run cannot be ended in an
// orderly way RunUnderMPI ends all processes with exit status 1.
func RunUnderMPI(p Plan, w Workload, h Hooks) (r *Result, finish func() error, err error) {
	finish, err = runMPIRank(h, func(world *mpi.World, end func(error)) error {
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

// runMPIRank starts MPI and runs one rank, if all were started in the same way. An error of run
// that is no InputError ends all processes, as end does, which run may call from another goroutine.
func runMPIRank(h Hooks, run func(world *mpi.World, end func(error)) error) (finish func() error, err error) {
	world, err := mpi.Init()
	if err != nil {
		return func() error { return nil }, err
	}
	if size, _ := mpi.Launched(); size > 1 && world.Size() == 1 {
		return world.Finalize, InputError{fmt.Errorf(
			"a launcher has started %d ranks, but to %s each is alone: start the program by the launcher of the MPI that it was built with", size, mpi.Library())}
	}
	end := func(err error) {
		if h.Log != nil {
			h.Log(world.Rank(), err)
		}
		time.Sleep(grace) // the other ranks may have something to say too
		world.Abort(1)
	}
	if h.Started == nil {
		h.Started = NewStarted()
	}
	if err = h.Started.agreeOnStart(world); err == nil {
		err = run(world, end)
	}
	if err != nil && !errors.As(err, &InputError{}) { // which is known to all ranks, none of which is in a run
		end(err)
	}
	return world.Finalize, err
}

// RunOn is one rank's part of a run over a transport that is up already, so that
// several runs can be made on one. Every rank must call it with the same Plan and
// Workload; the Result is rank 0's and does not name the world. stuck is called,
// from another goroutine, for a rank that hangs and must end the run. An
// InputError is every rank's, and the transport can be used again after it.
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
	problem, err := bringProblem(t, p, w)
	if err != nil {
		return nil, err
	}
	logs, err := openSpool(problem, true)
	err = spmd.AgreeOnError(t, err)
	defer closeSpool(logs) // of this rank, also where another rank has none
	if err != nil {
		return nil, err
	}
	from, err := bringResumePoint(t, p, problem, logs)
	if err != nil {
		return nil, err
	}
	h.warnOfDamage(from)
	if t.Rank() == 0 {
		h.tellStart(p, from)
	}
	h = watchLogs(logs, h)
	r, err := runOneRank(t, p, problem, from, logs, h, stuck)
	if err != nil {
		return nil, err
	}
	return r, concludeOn(t, logs, w, r, h)
}

// grace is how long a rank waits before it ends all others after an error.
const grace = time.Second

// bringProblem reads the problem on rank 0 and brings it to all ranks. What is the fault
// of the plan or the input is an InputError on all of them.
func bringProblem(t comm.Transport, p Plan, w Workload) (Problem, error) {
	err := p.Check()
	var problem Problem
	var data []byte
	if err == nil && t.Rank() == 0 {
		if problem, err = w.Load(); err == nil {
			err = checkFacets(p, problem)
		}
		if err == nil {
			data, err = problem.Encode()
		}
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
			err = fmt.Errorf("rank %d: the problem from rank 0: %w", t.Rank(), err)
		}
	}
	return problem, spmd.AgreeOnError(t, err)
}
