package experiment

import (
	"fmt"
	"time"

	"treesplit/mpi"
	"treesplit/spmd"
)

// RunMPI runs the search with one rank in each process that the launcher has
// started. It must be called on the main goroutine of every one of them, and
// returns a Result on rank 0 alone. Where the run cannot be ended in an orderly
// way it ends all processes with exit status 1.
func RunMPI(p Plan, w Workload, h Hooks) (*Result, error) {
	world, err := mpi.Init()
	if err != nil {
		return nil, err
	}
	p.Ranks = world.Size()
	problem, err := bring(world, p, w)
	if err != nil {
		return nil, finalize(world, err)
	}
	end := func(err error) {
		if h.Log != nil {
			h.Log(world.Rank(), err)
		}
		time.Sleep(grace) // the other ranks may have something to say too
		world.Abort(1)
	}
	result, err := runRank(world, p, problem, h, end)
	if err != nil {
		end(err)
		return nil, err
	}
	if result != nil {
		result.World, result.Library = "mpi", mpi.Library()
	}
	return result, finalize(world, nil)
}

// grace is how long a rank waits before it ends all others after an error.
const grace = time.Second

// finalize ends MPI and returns the first of the two errors.
func finalize(world *mpi.World, err error) error {
	if failed := world.Finalize(); err == nil {
		err = failed
	}
	return err
}

// bring reads the problem on rank 0 and brings it to all ranks. An error is the
// same on all of them: whatever fails here is the input's fault.
func bring(world *mpi.World, p Plan, w Workload) (Problem, error) {
	err := p.Check()
	var problem Problem
	var data []byte
	if err == nil && world.Rank() == 0 {
		if problem, err = w.Load(); err == nil {
			data, err = problem.Encode()
		}
	}
	if err := spmd.Agree(world, err); err != nil {
		return nil, InputError{err}
	}
	if data, err = world.Broadcast(0, data); err != nil {
		return nil, err
	}
	if world.Rank() != 0 {
		problem, err = w.Decode(data)
		if err != nil {
			err = fmt.Errorf("rank %d: the problem from rank 0: %w", world.Rank(), err)
		}
	}
	return problem, spmd.Agree(world, err)
}
