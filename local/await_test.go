package local

import (
	"sync"
	"testing"
	"time"

	"treesplit/comm"
)

// A rank that awaits a message wakes up when it arrives, and receives it afterwards.
func TestAwaitEndsWithAMessage(t *testing.T) {
	const messages = 300
	ends := New(2)
	var w sync.WaitGroup
	w.Go(func() {
		for i := range messages {
			for ends[1].inbox.hasNoMessage() {
				began := ends[1].Now()
				if ends[1].Await(began + 60e9); ends[1].Now()-began > 30e9 {
					t.Error("the rank was not woken")
				}
			}
			if m, ok := ends[1].TryRecv(); !ok || m.Arg != int64(i) {
				t.Errorf("received %v, %v: want message %d", m.Arg, ok, i)
			}
			ends[1].Send(comm.Message{To: 0})
		}
	})
	for i := range messages {
		if i%2 == 0 { // the other rank waits already, or it is about to wait
			time.Sleep(10 * time.Microsecond)
		}
		ends[0].Send(comm.Message{To: 1, Arg: int64(i)})
		if _, ok := ends[0].Recv(ends[0].Now() + 60e9); !ok {
			t.Error("no answer")
		}
	}
	w.Wait()
	if n := ends[0].world.woken.Load(); n != 0 {
		t.Errorf("%d ranks count as woken at the end", n)
	}
}

// Without a message the wait lasts until its moment. Signals of messages that were received before may end
// a wait early, but not a Sleep.
func TestAwaitAndSleepLast(t *testing.T) {
	e := New(1)[0]
	began := e.Now()
	if e.Await(began + 5e6); e.Now()-began < 5e6 {
		t.Errorf("the rank waits for %v, want 5 ms", (e.Now() - began).Duration())
	}
	began = e.Now()
	stop := make(chan struct{})
	var w sync.WaitGroup
	w.Go(func() { // a sender that is late
		for {
			select {
			case <-stop:
				return
			default:
				e.alarm.set(0)
			}
		}
	})
	if e.Sleep(began + 20e6); e.Now()-began < 20e6 {
		t.Errorf("the rank sleeps for %v, want 20 ms", (e.Now() - began).Duration())
	}
	close(stop)
	w.Wait()
	e.Send(comm.Message{})
	if e.Await(e.Now() + 60e9); e.Now()-began > 30e9 {
		t.Error("a message that is there does not end the wait")
	}
}
