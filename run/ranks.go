package run

import (
	"errors"
	"fmt"
	"sync"

	"treesplit/comm"
	"treesplit/local"
	"treesplit/mpi"
	"treesplit/search"
)

// Rest is the shortest pause of a requester in a run on real ranks.
const Rest = leastBackoff

// BringProblem reads a workload's problem on rank 0 and brings it to all ranks of a transport,
// which must all call it. What is the fault of the input is an InputError on all of them.
func BringProblem(t comm.Transport, p Plan, w Workload) (Problem, error) {
	p.Ranks = t.Size()
	return bringProblem(t, p, w)
}

// RunOnRanks lets body be each rank's part of something that is no search, on as many
// goroutine ranks or, under MPI, on those that the launcher has started, where it must be
// called on the main goroutine. library names the MPI, and finish ends it, as RunUnderMPI's
// does. An error of one rank ends all; an InputError must be every rank's.
func RunOnRanks(ranks int, underMPI bool, h Hooks, body func(t comm.Transport) error) (library string, finish func() error, err error) {
	if underMPI {
		finish, err = runMPIRank(h, func(world *mpi.World, _ func(error)) error { return body(world) })
		return mpi.Library(), finish, err
	}
	if ranks < 1 || ranks > MaxRanks {
		return "", finishNothing, FlagError("ranks", fmt.Errorf("%d: expected 1 to %d", ranks, MaxRanks))
	}
	ends := local.New(ranks)
	errs := make([]error, ranks)
	var wg sync.WaitGroup
	for i, e := range ends {
		wg.Go(func() {
			if errs[i] = body(e); errs[i] != nil {
				e.World().FailAllRanks(errs[i])
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if errors.As(err, &InputError{}) {
			return "", finishNothing, err
		}
	}
	return "", finishNothing, ends[0].World().Err()
}

func finishNothing() error { return nil }

// Made is work that is made by a function and counts nothing but its nodes: recorded
// trees and models of work. It is every process's own, so that it is brought to none.
type Made func(split search.Splitting, root bool) search.Work

// Load has nothing to load.
func (m Made) Load() (Problem, error) { return m, nil }

// Decode has nothing to decode.
func (m Made) Decode([]byte) (Problem, error) { return m, nil }

// Encode has nothing to encode.
func (m Made) Encode() ([]byte, error) { return nil, nil }

// Share makes a share.
func (m Made) Share(split search.Splitting, root bool) search.Work { return m(split, root) }

// Count counts nothing.
func (m Made) Count(search.Work) Counts { return Counts{} }

// Witness finds nothing.
func (m Made) Witness(search.Work) []byte { return nil }
