package run

import (
	"errors"
	"fmt"
	"sync"

	"treesplit/comm"
	"treesplit/mpi"
	"treesplit/search"
)

// Rest is the shortest pause of a requester in a run on real ranks.
const Rest = leastBackoff

// BringProblem reads a workload's problem on rank 0 and sends it to all ranks of a transport. All
// ranks must call it. Errors of the input are an InputError on all ranks.
func BringProblem(t comm.Transport, p Plan, w Workload) (Problem, error) {
	p.Ranks = t.Size()
	return bringProblem(t, p, w, Hooks{})
}

// RunOnRanks calls body on every rank, for a computation that is not a search. It uses p.Ranks
// goroutine ranks on p.Network, which sleep more if p has a pace, or, if underMPI is set, the ranks
// that the launcher has started; it must then be called on the main goroutine. library names the MPI library. finish ends MPI, as
// the finish of RunUnderMPI does. An error of one rank ends all ranks. An InputError must be
// returned on all ranks.
func RunOnRanks(p Plan, underMPI bool, h Hooks, body func(t comm.Transport) error) (library string, finish func() error, err error) {
	if underMPI {
		finish, err = runMPIRank(h, func(world *mpi.World, _ func(error)) error { return body(world) })
		return mpi.Library(), finish, err
	}
	if p.Ranks < 1 || p.Ranks > MaxRanks {
		return "", finishNothing, FlagError("ranks", fmt.Errorf("%d: expected 1 to %d", p.Ranks, MaxRanks))
	}
	ends, world := openWorld(p)
	defer world.Close()
	errs := make([]error, p.Ranks)
	var wg sync.WaitGroup
	for i, e := range ends {
		wg.Go(func() {
			if errs[i] = body(e); errs[i] != nil {
				world.FailAllRanks(errs[i])
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if errors.As(err, &InputError{}) {
			return "", finishNothing, err
		}
	}
	return "", finishNothing, world.Err()
}

func finishNothing() error { return nil }

// Made is a workload whose work is made by a function. It counts only nodes. Recorded trees and
// models of work use it. Every process makes its own work, and no rank sends it.
type Made func(split search.Splitting, root bool) search.Work

// Load returns the workload itself.
func (m Made) Load() (Problem, error) { return m, nil }

// Decode returns the workload itself.
func (m Made) Decode([]byte) (Problem, error) { return m, nil }

// Encode returns no bytes.
func (m Made) Encode() ([]byte, error) { return nil, nil }

// Share returns a new share.
func (m Made) Share(split search.Splitting, root bool) search.Work { return m(split, root) }

// Count returns no counts.
func (m Made) Count(search.Work) Counts { return Counts{} }

// Witness returns nil.
func (m Made) Witness(search.Work) []byte { return nil }
