package local

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"treesplit/comm"
	"treesplit/comm/commtest"
)

// A world whose network delays messages has all properties of a transport.
func TestConformanceWithDelays(t *testing.T) {
	const messages = 500 // a delayed message takes longer
	for _, size := range []int{1, 3, 7} {
		for _, c := range commtest.Cases {
			t.Run(fmt.Sprintf("%s/%d", c.Name, size), func(t *testing.T) {
				ranks := NewOn(size, Network{Latency: 20_000, Bandwidth: 10e9})
				world := ranks[0].World()
				world.CalmDown()
				defer world.Close()
				var all sync.WaitGroup
				for _, e := range ranks {
					all.Go(func() {
						if err := c.Check(e, messages); err != nil {
							t.Errorf("rank %d: %v", e.Rank(), err)
							world.FailAllRanks(err)
						}
					})
				}
				all.Wait()
			})
		}
	}
}

// A message arrives after its length divided by the bandwidth, plus the latency. It waits for the
// messages that its sender has sent before, and no message of another rank.
func TestWireTimes(t *testing.T) {
	const latency = 30e6
	ends := NewOn(3, Network{Latency: latency, Bandwidth: 1e6}) // 1 µs per byte
	defer ends[0].World().Close()
	from, other, to := ends[0], ends[1], ends[2]
	body := make([]byte, 20_000-headerBytes) // 20 ms
	start := from.Now()
	from.Send(comm.Message{To: 2, Tag: 1, Body: body})
	from.Send(comm.Message{To: 2, Tag: 2, Body: body})
	other.Send(comm.Message{To: 2, Tag: 3})
	sent := other.Now() - start
	if sent > 5e6 {
		t.Skip("the sender had no core for 5 ms")
	}
	if _, ok := to.TryRecv(); ok && to.Now()-start < latency {
		t.Error("a message arrives at once")
	}
	for _, want := range []struct {
		tag   int32
		after comm.Time
	}{{3, latency}, {1, latency + 20e6}, {2, latency + 40e6}} {
		m, ok := to.Recv(start + 60e9)
		if passed := to.Now() - start; !ok || m.Tag != want.tag || passed < want.after {
			t.Errorf("message %d arrives after %v, want message %d after at least %v", m.Tag, passed.Duration(), want.tag, want.after.Duration())
		}
	}
}

// Heartbeats arrive at once and do not occupy the link of their sender: a watched run takes the same time. The
// other message of the sender arrives as if there were no heartbeats.
func TestHeartbeatsTakeNoTime(t *testing.T) {
	const minute = 60e9
	ends := NewOn(2, Network{Latency: minute, Bandwidth: 1}) // a heartbeat would occupy the link for 32 s
	defer ends[0].World().Close()
	for _, kind := range []comm.Kind{comm.Beat, comm.Pulse} {
		ends[0].Send(comm.Message{To: 1, Kind: kind, Body: make([]byte, 1000)})
		if m, ok := ends[1].TryRecv(); !ok || m.Kind != kind || m.From != 0 {
			t.Errorf("a %v has not arrived", kind)
		}
	}
	if ends[0].free != 0 {
		t.Errorf("heartbeats occupy the link until %v", ends[0].free.Duration())
	}
	before := ends[0].Now()
	ends[0].Send(comm.Message{To: 1, Kind: comm.Reject})
	if occupied := ends[0].free - before; occupied < headerBytes*1e9 || occupied > headerBytes*1e9+minute {
		t.Errorf("the next message occupies the link for %v, want %d s", occupied.Duration(), headerBytes)
	}
}

// A rank sleeps until its moment, and not after the world has failed.
func TestSleep(t *testing.T) {
	for name, a := range map[string]alarm{"of this system": newAlarm(), "of Go": newClockAlarm()} {
		t.Run(name, func(t *testing.T) {
			e := New(1)[0]
			e.alarm = a
			for range 3 {
				until := e.Now() + 3e6
				if e.Sleep(until); e.Now() < until {
					t.Errorf("the sleep ends %v early", (until - e.Now()).Duration())
				}
			}
			e.Sleep(e.Now() - 1)
			e.World().FailAllRanks(errSleep)
			before := e.Now()
			if e.Sleep(before + 60e9); e.Now()-before > 30e9 {
				t.Error("a rank of a failed world sleeps")
			}
			e.World().Close()
			if a.wait() {
				t.Error("a closed alarm wakes")
			}
		})
	}
}

// An alarm that is set again while a goroutine waits for it ends at the later setting.
func TestAlarmMoves(t *testing.T) {
	for name, a := range map[string]alarm{"of this system": newAlarm(), "of Go": newClockAlarm()} {
		a.set(time.Hour)
		woken := make(chan bool)
		go func() { woken <- a.wait() }()
		a.set(time.Millisecond)
		select {
		case ok := <-woken:
			if !ok {
				t.Errorf("%s: the alarm was closed", name)
			}
		case <-time.After(time.Minute):
			t.Errorf("%s: the alarm does not wake", name)
		}
		a.close()
	}
}

var errSleep = errors.New("failed for a test")

// The length of a header and of a piece can be set, for networks that count other lengths. Bodies that are
// no pieces keep their length.
func TestCountedLengths(t *testing.T) {
	grant := comm.Message{Kind: comm.Grant, Body: make([]byte, 10)}
	lessons := comm.Message{Kind: comm.Lessons, Body: make([]byte, 10)}
	for _, c := range []struct {
		n                       Network
		request, grant, lessons comm.Time
	}{
		{Network{Bandwidth: 1e9, Latency: 7}, headerBytes + 7, headerBytes + 17, headerBytes + 17},
		{Network{Bandwidth: 1e9, Latency: 7, Header: 4}, 11, 21, 21},
		{Network{Bandwidth: 1e9, Piece: 500}, headerBytes, headerBytes + 500, headerBytes + 10},
		{Network{Header: 4, Piece: 500}, 0, 0, 0},
	} {
		if got := [...]comm.Time{c.n.ArrivalTime(comm.Message{Kind: comm.Reject}), c.n.ArrivalTime(grant), c.n.ArrivalTime(lessons)}; got != [...]comm.Time{c.request, c.grant, c.lessons} {
			t.Errorf("%+v: %v, want %v, %v and %v", c.n, got, c.request, c.grant, c.lessons)
		}
	}
}

// A piece occupies its sender's link for the time of the counted length.
func TestCountedPieceOccupiesLink(t *testing.T) {
	ends := NewOn(2, Network{Bandwidth: 1e6, Header: 1000, Piece: 30_000}) // 1 µs per byte
	defer ends[0].World().Close()
	start := ends[0].Now()
	ends[0].Send(comm.Message{To: 1, Kind: comm.Grant, Body: []byte{1}})
	ends[0].Send(comm.Message{To: 1, Kind: comm.Reject})
	for _, after := range []comm.Time{31e6, 32e6} {
		if _, ok := ends[1].Recv(start + 60e9); !ok || ends[1].Now()-start < after {
			t.Errorf("a message arrives after %v, want at least %v", (ends[1].Now() - start).Duration(), after.Duration())
		}
	}
}
