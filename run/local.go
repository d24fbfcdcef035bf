package run

import (
	"errors"
	"runtime"
	"sync"
	"time"

	"treesplit/local"
	"treesplit/search"
)

// RunOnGoroutines runs the search on p.Ranks goroutines in this process and returns its Result.
// On an error the Result is nil.
func RunOnGoroutines(p Plan, w Workload, h Hooks) (*Result, error) {
	own, err := openProcess(&p, w, h, p.Ranks, func(problem Problem) Problem { return problem })
	if err != nil {
		return nil, err
	}
	defer own.closeProcess()
	ends, world := openWorld(p)
	defer world.Close()
	spareHeap()
	stuck := make(chan error, p.Ranks)
	var result *Result
	var wg sync.WaitGroup
	for _, e := range ends {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r, err := runOneRank(e, p, own.problem, own.from, own.logs, own.hooks, func(err error) {
				world.FailAllRanks(err)
				stuck <- err
			})
			if err != nil {
				if h.Log != nil && !isToldOnce(err) {
					h.Log(e.Rank(), err)
				}
				world.FailAllRanks(err)
			}
			if r != nil {
				result = r
			}
		}()
	}
	if !awaitRanks(&wg, stuck, w) {
		return nil, world.Err()
	}
	if err := world.Err(); err != nil {
		return nil, err
	}
	result.World = "local"
	conclude(own.logs, w, result, own.hooks)
	return result, nil
}

// Abandoner is a Workload that can give up a run from outside.
type Abandoner interface {
	Workload
	// Abandon ends nodes of this process that wait for other processes, and removes temporary files. Any
	// goroutine may call it.
	Abandon()
}

// awaitRanks waits until all ranks have ended, and reports whether they have. A rank that hangs inside a
// node does not learn that the run has failed. After a message on stuck, awaitRanks abandons the run if the
// workload can do this, and waits for a moment only.
func awaitRanks(ranks *sync.WaitGroup, stuck <-chan error, w Workload) bool {
	ended := make(chan struct{})
	go func() {
		ranks.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return true
	case <-stuck:
	}
	if a, ok := w.(Abandoner); ok {
		a.Abandon()
	}
	select {
	case <-ended:
		return true
	case <-time.After(grace):
		return false
	}
}

// openWorld makes the goroutine ranks of a plan. The world must be closed after all ranks have ended.
func openWorld(p Plan) ([]*local.Endpoint, *local.World) {
	ends := local.NewOn(p.Ranks, p.Network)
	world := ends[0].World()
	if p.Pace != nil {
		world.CalmDown()
	}
	return ends, world
}

// spareHeap returns memory that is never touched, and so takes no memory of the machine. As part of the heap it
// makes garbage collection as rare as in one process per core: a process does not begin its first collection
// before it has 4 MiB. Each collection stops all ranks.
var spareHeap = sync.OnceValue(func() []byte {
	const least = 4 << 20
	return make([]byte, runtime.GOMAXPROCS(0)*least)
})

// isToldOnce reports whether an error is complete for the user, so that the error of the run tells
// everything and no rank has to add its state.
func isToldOnce(err error) bool {
	return errors.As(err, &InputError{}) || errors.As(err, &search.Failure{})
}
