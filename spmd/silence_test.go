package spmd_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"treesplit/comm"
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

// slow is a Work whose nodes take longer than several Beats. It gives no piece away.
type slow struct{ explore.Toy }

func (s *slow) Expand(n int) int {
	n = s.Toy.Expand(min(n, 1))
	time.Sleep(2 * time.Second)
	return n
}

func (s *slow) Split(dst []byte) ([]byte, bool) { return dst, false }

// A rank whose nodes take longer than several Beats notices soon that another rank is silent. If rank 0
// is silent, the ranks without work learn that this rank moves, and rank 0 misses no report. The clock is
// virtual.
func TestSilentRankBesideSlowRank(t *testing.T) {
	const (
		p     = 3
		stall = 60 * time.Second
		whole = 4 * stall
	)
	for missing, busy := range map[int]int{0: 1, 2: 0} {
		synctest.Test(t, func(t *testing.T) {
			wake := make(chan struct{})
			time.AfterFunc(whole, func() { close(wake) })
			start := time.Now()
			var warned time.Duration // of the busy rank
			var reported, taken [p]int
			ends := local.New(p)
			ends[0].World().CalmDown() // ranks that poll would stop the virtual clock
			var wg sync.WaitGroup
			for i, e := range ends {
				wg.Go(func() {
					var work search.Work = explore.NewToy(endless, false)
					c := spmd.Config{
						Stall: comm.Time(stall), Beat: 200e6, Progress: func(spmd.Progress) {},
						Halt:       func() (lb.Reason, bool) { return lb.Interrupted, time.Since(start) >= whole },
						Report:     func(dst []byte) []byte { reported[i]++; return append(dst, 1) },
						TakeReport: func(rank int, _ []byte) { taken[rank]++ },
					}
					switch i {
					case missing:
						work = &asleep{*explore.NewToy(endless, true), wake}
					case busy:
						work = &slow{*explore.NewToy(endless, true)}
						c.Silent = func(s spmd.Silence, again bool) {
							if s.Rank == missing && !again {
								warned = time.Since(start)
							}
						}
					}
					if _, err := spmd.DriveRank(e, keeper(t, work, i, p), c); err != nil {
						t.Errorf("rank %d is silent, and rank %d fails after %v: %v", missing, i, time.Since(start), err)
						e.World().FailAllRanks(err)
					}
				})
			}
			wg.Wait()
			if reported != taken {
				t.Errorf("rank %d is silent: the ranks have made %v reports, and rank 0 has taken %v", missing, reported, taken)
			}
			if warned == 0 || warned > stall*3/2 {
				t.Errorf("rank %d is silent, and rank %d has noticed it after %v: expected about %v", missing, busy, warned, stall)
			}
		})
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
