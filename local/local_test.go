package local

import (
	"errors"
	"sync"
	"testing"

	"treesplit/comm"
)

// each runs body on every rank of a new world and waits for all of them.
func each(size int, body func(e *Endpoint)) {
	var all sync.WaitGroup
	for _, e := range New(size) {
		all.Go(func() { body(e) })
	}
	all.Wait()
}

// A rank that fails wakes all others, in whichever operation they wait.
func TestFailWakesAll(t *testing.T) {
	broken := errors.New("rank 0 is out of luck")
	for name, wait := range map[string]func(e *Endpoint) error{
		"Recv": func(e *Endpoint) error {
			if _, ok := e.Recv(comm.Never); ok {
				return errors.New("received something")
			}
			return e.Err()
		},
		"Drain": func(e *Endpoint) error { return e.Drain(func(comm.Message) {}) },
		"Sum":   func(e *Endpoint) error { return e.Sum(make([]int64, 3)) },
		"Gather": func(e *Endpoint) error {
			_, err := e.Gather(0, []byte("x"))
			return err
		},
	} {
		each(5, func(e *Endpoint) {
			if e.Rank() == 0 {
				e.World().FailAllRanks(broken)
				e.World().FailAllRanks(errors.New("too late"))
			}
			if err := wait(e); !errors.Is(err, broken) {
				t.Errorf("%s on rank %d: %v, want %v", name, e.Rank(), err, broken)
			}
		})
	}
}

// Ranks that call different collectives get an error, and none gets the data of another.
func TestCollectivesDisagree(t *testing.T) {
	for name, wrong := range map[string]func(e *Endpoint) error{
		"another length":   func(e *Endpoint) error { return e.Sum(make([]int64, 4)) },
		"another function": func(e *Endpoint) error { return e.Max(make([]int64, 3)) },
		"no multiple":      func(e *Endpoint) error { _, err := e.AllToAll(make([]int64, 4)); return err },
		"root out of range": func(e *Endpoint) error {
			_, err := e.Broadcast(3, nil)
			return err
		},
	} {
		each(3, func(e *Endpoint) {
			err := error(nil)
			if e.Rank() == 1 {
				err = wrong(e)
			} else {
				err = e.Sum(make([]int64, 3))
			}
			if err == nil {
				t.Errorf("%s: rank %d got no error", name, e.Rank())
			}
		})
	}
}

// A drain does not serve a message that was sent after it. The sender of the message may be a whole
// drain ahead.
func TestDrainKeepsLaterMessages(t *testing.T) {
	const rounds = 2000
	each(3, func(e *Endpoint) {
		next := int32((e.Rank() + 1) % 3)
		for i := range int64(rounds) {
			e.Send(comm.Message{To: next, Arg: i})
			if m, ok := e.Recv(comm.Never); !ok || m.Arg != i {
				t.Errorf("round %d: received %v, %v", i, m.Arg, ok)
			}
			if err := e.Drain(func(m comm.Message) { t.Errorf("round %d: drain served %v", i, m.Arg) }); err != nil {
				t.Error(err)
			}
		}
	})
}

// The same, if the drain ends between a rank's check and its receipt of the message. No schedule
// can be forced from outside to produce this case.
func TestServeOneLeavesLaterMessage(t *testing.T) {
	e := New(1)[0]
	e.Send(comm.Message{Arg: 7})
	e.world.drained.Store(1)
	if e.serveNextMessage(0, func(m comm.Message) { t.Error("served") }) {
		t.Error("reported as served")
	}
	if m, ok := e.TryRecv(); !ok || m.Arg != 7 {
		t.Errorf("received %v, %v afterwards", m.Arg, ok)
	}
}

// A steady exchange allocates nothing.
func TestSteadyStateDoesNotAllocate(t *testing.T) {
	e := New(1)[0]
	exchange := func() {
		for range 100 {
			e.Send(comm.Message{})
		}
		for range 100 {
			if _, ok := e.TryRecv(); !ok {
				t.Fatal("lost a message")
			}
		}
		e.Recv(e.Now() + 1)
	}
	for range 3 {
		exchange()
	}
	if n := testing.AllocsPerRun(100, exchange); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkEmptyPoll(b *testing.B) {
	e := New(2)[0]
	for b.Loop() {
		e.TryRecv()
	}
}

func BenchmarkSelfSend(b *testing.B) {
	e := New(1)[0]
	for b.Loop() {
		e.Send(comm.Message{})
		e.TryRecv()
	}
}

func BenchmarkPingPong(b *testing.B) {
	ranks := New(2)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			m, _ := ranks[1].Recv(comm.Never)
			if m.Arg < 0 {
				return
			}
			ranks[1].Send(comm.Message{To: 0})
		}
	}()
	for b.Loop() {
		ranks[0].Send(comm.Message{To: 1})
		ranks[0].Recv(comm.Never)
	}
	ranks[0].Send(comm.Message{To: 1, Arg: -1})
	<-done
}

func BenchmarkDrain16(b *testing.B) {
	each(16, func(e *Endpoint) {
		for range b.N {
			e.Drain(nil)
		}
	})
}
