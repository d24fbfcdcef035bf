package spmd_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
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

// run drives p goroutine ranks and returns their reports and the first error. An error of one rank
// ends the world for all ranks.
func run(t testing.TB, p int, c spmd.Config, make_ func(rank int) lb.Balancer) ([]spmd.Report, error) {
	t.Helper()
	ends := local.New(p)
	reports := make([]spmd.Report, p)
	var wg sync.WaitGroup
	for i, e := range ends {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c := c
			c.Stuck = e.World().FailAllRanks
			r, err := spmd.DriveRank(e, make_(i), c)
			if err == nil {
				err = spmd.AuditCredits(e, r.Audit)
			}
			if err != nil {
				e.World().FailAllRanks(err)
			}
			reports[i] = r
		}()
	}
	wg.Wait()
	return reports, ends[0].World().Err()
}

func rank(t testing.TB, scheme, detector string, work search.Work, i, p int) lb.Balancer {
	t.Helper()
	d, err := termination.New(detector, i, p)
	if err != nil {
		t.Fatal(err)
	}
	b, err := lb.New(scheme, lb.Options{
		Work: work, Detector: d, Network: topology.Hypercube{P: p}, Delay: 20000, Backoff: 20000,
		Cutoff: 4, Fresh: func() search.Work { return explore.NewToy(shape, false) },
	}, i, p)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var shape = explore.Shape{Seed: 9, Depth: 14, Width: 4}

// Every scheme with every detector expands exactly W nodes on goroutines.
func TestExact(t *testing.T) {
	want := int64(shape.CountNodes())
	if want < 5000 {
		t.Fatalf("the tree has only %d nodes", want)
	}
	sizes := []int{1, 2, 3, 4, 5, 7, 8, 13, 16}
	for _, scheme := range lb.SchemeNames() {
		for _, detector := range termination.DetectorNames() {
			t.Run(scheme+"/"+detector, func(t *testing.T) {
				for _, p := range sizes {
					reports, err := run(t, p, spmd.Config{Seed: 1, Stall: 20e9}, func(i int) lb.Balancer {
						return rank(t, scheme, detector, explore.NewToy(shape, i == 0), i, p)
					})
					if err != nil {
						t.Fatalf("P = %d: %v", p, err)
					}
					var w int64
					for _, r := range reports {
						w += r.Stats.Expanded
					}
					if w != want {
						t.Fatalf("P = %d: %d nodes, want %d", p, w, want)
					}
				}
			})
		}
	}
}

// deaf is a detector that never sees the end.
type deaf struct{ termination.Ring }

func (*deaf) Done() bool { return false }

// A run in which no rank moves ends with a dump of every rank's state.
func TestStall(t *testing.T) {
	const p = 3
	var mu sync.Mutex
	var dumps []string
	ends := local.New(p)
	var wg sync.WaitGroup
	for i, e := range ends {
		wg.Add(1)
		go func() {
			defer wg.Done()
			b := lb.NewReceiver(lb.Options{Work: explore.NewToy(shape, i == 0), Detector: &deaf{}, Backoff: 20000}, lb.RandomPolling{})
			_, err := spmd.DriveRank(e, b, spmd.Config{Stall: 200e6})
			mu.Lock()
			dumps = append(dumps, fmt.Sprint(err))
			mu.Unlock()
		}()
	}
	wg.Wait()
	for _, d := range dumps {
		for _, part := range []string{"no rank has moved for", "state", "stack", "ring: ", "last messages", "WorkRequest"} {
			if !strings.Contains(d, part) {
				t.Errorf("no %q in the dump %q", part, d)
			}
		}
	}
}

// hang is a Work that never returns from a node.
type hang struct {
	explore.Toy
	release chan struct{}
}

func (h *hang) Expand(int) int { <-h.release; return 0 }

// The goroutine beside a rank reports that the rank hangs inside a node.
func TestStuckInsideANode(t *testing.T) {
	h := &hang{*explore.NewToy(shape, true), make(chan struct{})}
	stuck := make(chan error, 1)
	go func() {
		b := lb.NewReceiver(lb.Options{Work: h, Detector: &termination.Ring{}}, lb.RandomPolling{})
		_, err := spmd.DriveRank(local.New(1)[0], b, spmd.Config{Stall: 50e6, Stuck: func(err error) { stuck <- err }, Halt: func() (lb.Reason, bool) { return lb.Interrupted, h.freed() }})
		stuck <- err
	}()
	select {
	case err := <-stuck:
		if !strings.Contains(err.Error(), "rank 0 has not moved") {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("nobody noticed")
	}
	close(h.release)
	<-stuck // the rank has come back, whatever it returns
}

func (h *hang) freed() bool {
	select {
	case <-h.release:
		return true
	default:
		return false
	}
}

// Halt ends a run early on all ranks, and the audits still pass.
func TestHalt(t *testing.T) {
	for _, p := range []int{1, 2, 5} {
		big := explore.Shape{Seed: 9, Depth: 60, Width: 4}
		start := time.Now()
		reports, err := run(t, p, spmd.Config{Halt: func() (lb.Reason, bool) { return lb.Timeout, time.Since(start) > 20*time.Millisecond }}, func(i int) lb.Balancer {
			return rank(t, "rp", "tree", explore.NewToy(big, i == 0), i, p)
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range reports {
			if r.Reason != lb.Timeout {
				t.Errorf("P = %d: rank %d ended because %v", p, i, r.Reason)
			}
		}
	}
}

// waiter notes whether a rank waits for a message.
type waiter struct {
	*local.Endpoint
	waited *bool
}

func (w waiter) Recv(t comm.Time) (comm.Message, bool) {
	*w.waited = true
	return w.Endpoint.Recv(t)
}

// A rank that has halted the run and is done waits for nothing.
func TestHaltedWaitsForNothing(t *testing.T) {
	waited, asked := false, 0
	w := waiter{local.New(1)[0], &waited}
	b := rank(t, "rp", "tree", explore.NewToy(explore.Shape{Seed: 9, Depth: 60, Width: 4}, true), 0, 1)
	r, err := spmd.DriveRank(w, b, spmd.Config{Halt: func() (lb.Reason, bool) { asked++; return lb.Timeout, asked > 5 }})
	if err != nil || r.Reason != lb.Timeout || waited {
		t.Errorf("%v, %v, waited %v", r.Reason, err, waited)
	}
}

// forger changes the kind of messages in flight, and counts the changed messages.
type forger struct {
	*local.Endpoint
	changed *atomic.Int32
}

func (f forger) TryRecv() (comm.Message, bool) { return f.alter(f.Endpoint.TryRecv()) }
func (f forger) Recv(t comm.Time) (comm.Message, bool) {
	return f.alter(f.Endpoint.Recv(t))
}
func (f forger) alter(m comm.Message, ok bool) (comm.Message, bool) {
	if ok && m.Kind == comm.Reject {
		m.Kind = comm.Beat
		f.changed.Add(1)
	}
	return m, ok
}

// The audit fails if the kind of a message changes in flight. The run goes on until a message has
// changed, however long that takes.
func TestAuditSeesAMessageChanged(t *testing.T) {
	const p = 2
	ends := local.New(p)
	errs := make([]error, p)
	var wg sync.WaitGroup
	var changed atomic.Int32
	for i, e := range ends {
		wg.Add(1)
		go func() {
			defer wg.Done()
			b := lb.NewReceiver(lb.Options{Work: explore.NewToy(shape, i == 0), Detector: &deaf{}}, lb.RandomPolling{})
			_, errs[i] = spmd.DriveRank(forger{e, &changed}, b, spmd.Config{Halt: func() (lb.Reason, bool) { return lb.Timeout, changed.Load() > 0 }})
		}()
	}
	wg.Wait()
	for i, err := range errs {
		if err == nil || !strings.Contains(err.Error(), "conservation audit") || !strings.Contains(err.Error(), "Reject") {
			t.Errorf("rank %d: %v", i, err)
		}
	}
}

// The audit fails on every rank if the credits do not add up to 1.
func TestAuditSeesALostCredit(t *testing.T) {
	ends := local.New(2)
	errs := make([]error, 2)
	var wg sync.WaitGroup
	for i, e := range ends {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var a lb.Audit
			if i == 0 {
				a.Recovered.AddCredit(1)
			} else {
				a.Recovered.AddCredit(2)
			}
			errs[i] = spmd.AuditCredits(e, a)
		}()
	}
	wg.Wait()
	for i, err := range errs {
		if err == nil || !strings.Contains(err.Error(), "0.75") {
			t.Errorf("rank %d: %v", i, err)
		}
	}
}

// An invalid piece ends the run with an error that names its sender.
func TestBadPiece(t *testing.T) {
	_, err := run(t, 2, spmd.Config{Stall: 10e9}, func(i int) lb.Balancer {
		return rank(t, "rp", "ring", &refuser{Toy: *explore.NewToy(shape, i == 0)}, i, 2)
	})
	if err == nil || !errors.Is(err, errBadPiece) || !strings.Contains(err.Error(), "from rank") {
		t.Errorf("got %v", err)
	}
}

var errBadPiece = errors.New("bad piece")

// refuser continues its work only after it has given some away, and accepts no piece.
type refuser struct {
	explore.Toy
	gave bool
}

func (r *refuser) Expand(limit int) int {
	if r.gave {
		return r.Toy.Expand(limit)
	}
	if r.Open() >= 2 {
		return 0
	}
	return r.Toy.Expand(1)
}

func (r *refuser) Split(dst []byte) (piece []byte, ok bool) {
	piece, ok = r.Toy.Split(dst)
	r.gave = r.gave || ok
	return piece, ok
}

func (*refuser) Accept([]byte) error { return errBadPiece }
