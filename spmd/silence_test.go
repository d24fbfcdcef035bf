package spmd_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"treesplit/internal/explore"
	"treesplit/lb"
	"treesplit/local"
	"treesplit/search"
	"treesplit/spmd"
	"treesplit/termination"
	"treesplit/topology"
)

// asleep is a Work whose first node takes until the test wakes it, as does a node of a rank that is
// stopped meanwhile.
type asleep struct {
	explore.Toy
	wake <-chan struct{}
}

func (a *asleep) Expand(n int) int {
	<-a.wake
	return a.Toy.Expand(n)
}

// endless is a tree that no test searches to its end.
var endless = explore.Shape{Seed: 9, Depth: 60, Width: 4}

// keeper returns a rank that begins with the given work.
func keeper(t testing.TB, work search.Work, i, p int) lb.Balancer {
	t.Helper()
	d, err := termination.New("ring", i, p)
	if err != nil {
		t.Fatal(err)
	}
	b, err := lb.New("rp", lb.Options{
		Work: work, Kept: true, Detector: d, Network: topology.Hypercube{P: p}, Backoff: 20000,
		Fresh: func() search.Work { return explore.NewToy(shape, false) },
	}, i, p)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// stall is long enough for each rank to get a processor from time to time on a busy machine.
const stall = 1e9

// heard notes the calls of Silent: whether a rank was missed, and whether it has come back.
type heard struct{ missed, back chan struct{} }

func newHeard() *heard { return &heard{make(chan struct{}), make(chan struct{})} }

func (h *heard) silent(rank int) func(spmd.Silence, bool) {
	var once, twice sync.Once
	return func(s spmd.Silence, again bool) {
		switch {
		case s.Rank != rank || s.Time < stall:
		case again:
			twice.Do(func() { close(h.back) })
		default:
			once.Do(func() { close(h.missed) })
		}
	}
}

// A rank from which no message arrives while others work is named. When its messages arrive again,
// the run continues to its end. If the rank is rank 0, other ranks name it.
func TestSilentRank(t *testing.T) {
	t.Parallel()
	const p = 3
	for _, missing := range []int{0, 2} {
		h := newHeard()
		silent := h.silent(missing)
		var shown atomic.Bool
		reports := make([]spmd.Report, p)
		errs := make([]error, p)
		var wg sync.WaitGroup
		for i, e := range local.New(p) {
			wg.Go(func() {
				var work search.Work = explore.NewToy(endless, i == 1)
				if i == missing {
					work = &asleep{*explore.NewToy(endless, true), h.missed}
				}
				c := spmd.Config{Stall: stall, Silent: silent, Stuck: e.World().FailAllRanks, Halt: func() (lb.Reason, bool) {
					select {
					case <-h.back:
						return lb.Interrupted, true
					default:
						return 0, false
					}
				}, Progress: func(now spmd.Progress) {
					for _, s := range now.Silent {
						if s.Rank == missing {
							shown.Store(true)
						}
					}
				}}
				if reports[i], errs[i] = spmd.DriveRank(e, keeper(t, work, i, p), c); errs[i] != nil {
					e.World().FailAllRanks(errs[i])
				}
			})
		}
		wg.Wait()
		for i, err := range errs {
			if err != nil || i == missing && reports[i].Silent < stall*3/4 {
				t.Errorf("rank %d silent: rank %d was away for %v: %v", missing, i, reports[i].Silent, err)
			}
		}
		if missing > 0 && !shown.Load() {
			t.Errorf("rank %d silent: progress has not shown it", missing)
		}
	}
}

// If all ranks wait for a silent rank, the run ends and names it.
func TestAllWaitForSilentRank(t *testing.T) {
	t.Parallel()
	const p = 3
	for _, missing := range []int{0, 2} {
		wake := make(chan struct{})
		var once sync.Once
		ends := local.New(p)
		world := ends[0].World()
		var wg sync.WaitGroup
		for i, e := range ends {
			wg.Go(func() {
				var work search.Work = explore.NewToy(endless, false)
				if i == missing {
					work = &asleep{*explore.NewToy(endless, true), wake}
				}
				if _, err := spmd.DriveRank(e, keeper(t, work, i, p), spmd.Config{Stall: stall}); err != nil {
					world.FailAllRanks(err)
					if i != missing && strings.Contains(err.Error(), "no rank has moved") {
						once.Do(func() { close(wake) })
					}
				}
			})
		}
		wg.Wait()
		want := fmt.Sprintf("rank %d has not been heard from", missing)
		if err := world.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("rank %d silent: %v", missing, err)
		}
	}
}

// resampling is a rank whose nodes all belong to a sample of the tree.
type resampling struct{ lb.Balancer }

func (r resampling) Stats() lb.Stats {
	s := r.Balancer.Stats()
	s.Redundant, s.Expanded = s.Redundant+s.Expanded, 0
	return s
}

// A rank that samples the tree before a static start moves, also if the sample takes longer than Stall.
func TestSampleIsNoStandstill(t *testing.T) {
	const stall = 200e6
	start := time.Now()
	halt := func() (lb.Reason, bool) { return lb.Timeout, time.Since(start) > 3*stall }
	reports, err := run(t, 1, spmd.Config{Stall: stall, Halt: halt}, func(i int) lb.Balancer {
		return resampling{keeper(t, explore.NewToy(endless, true), i, 1)}
	})
	if err != nil || reports[0].Stats.Redundant == 0 {
		t.Errorf("%v, %d nodes: expected a sample of some nodes", err, reports[0].Stats.Redundant)
	}
}
