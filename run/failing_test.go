package run_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"treesplit/lb"
	"treesplit/run"
	"treesplit/search"
	"treesplit/search/stack"
	"treesplit/sim"
)

// binary is a problem of binary trees of a depth, each node of which calls visit. If accepted is not nil,
// shares that have taken in a piece also call accepted once, and have then decided the search.
type binary struct {
	depth    int
	visit    func()
	accepted func()
}

func (b *binary) Root() int32 { return 0 }
func (b *binary) Visit(int32) { b.visit() }
func (b *binary) Children(dst []int32, n int32) []int32 {
	if int(n) < b.depth {
		dst = append(dst, n+1, n+1)
	}
	return dst
}
func (b *binary) Check(int32) error                  { return nil }
func (b *binary) Load() (run.Problem, error)         { return b, nil }
func (b *binary) Decode([]byte) (run.Problem, error) { return b, nil }
func (b *binary) Encode() ([]byte, error)            { return nil, nil }
func (b *binary) Count(search.Work) run.Counts       { return run.Counts{} }
func (b *binary) Witness(search.Work) []byte         { return nil }
func (b *binary) Share(split search.Splitting, root bool) search.Work {
	return &binaryShare{Share: stack.New(b, split, root), of: b}
}

type binaryShare struct {
	*stack.Share[int32]
	of      *binary
	taken   bool
	decided bool
}

func (s *binaryShare) Accept(piece []byte) error {
	s.taken = true
	return s.Share.Accept(piece)
}

func (s *binaryShare) Expand(limit int) int {
	n := s.Share.Expand(limit)
	if s.taken && s.of.accepted != nil {
		s.of.accepted()
		s.decided = true
	}
	return n
}

func (s *binaryShare) Decided() bool { return s.decided }

// A goroutine rank that hangs inside a node does not keep the run from ending.
func TestHangingGoroutineRank(t *testing.T) {
	for _, ranks := range []int{1, 3} {
		release := make(chan struct{})
		plan := run.DefaultPlan(ranks)
		plan.Stall = 50 * time.Millisecond
		ended := make(chan error, 1)
		go func() {
			_, err := run.RunOnGoroutines(plan, &binary{depth: 10, visit: func() { <-release }}, run.Hooks{})
			ended <- err
		}()
		select {
		case err := <-ended:
			if err == nil || !strings.Contains(err.Error(), "moved for") {
				t.Errorf("%d ranks: %v", ranks, err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%d ranks: the run does not end", ranks)
		}
		close(release)
	}
}

// A search that one rank decides while rank 0 ends the run is decided.
func TestDecidedWhileInterrupted(t *testing.T) {
	var interrupted atomic.Bool
	w := &binary{depth: 30, visit: func() {}, accepted: func() {
		interrupted.Store(true)
		time.Sleep(50 * time.Millisecond) // rank 0 is interrupted before it learns of the decision
	}}
	r, err := run.RunOnGoroutines(run.DefaultPlan(2), w, run.Hooks{Interrupted: interrupted.Load})
	if err != nil {
		t.Fatal(err)
	}
	if r.Why != lb.Decided {
		t.Errorf("the run ended as %v, expected %v", r.Why, lb.Decided)
	}
}

// A machine whose messages depend on the number of nodes of a piece is refused, because no search knows it.
func TestSquareRootIsRefused(t *testing.T) {
	machine, err := sim.FindMachine("ncube2")
	if err != nil {
		t.Fatal(err)
	}
	machine.Work = sim.WorkSize{Rule: sim.Sqrt, Bytes: 40}
	_, err = run.RunSimulation(machine, run.DefaultPlan(2), &binary{depth: 3, visit: func() {}}, run.Hooks{})
	if !errors.As(err, new(run.InputError)) || !strings.Contains(err.Error(), "work-bytes") {
		t.Errorf("%v: expected an error about work-bytes", err)
	}
}
