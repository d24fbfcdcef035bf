package local

import (
	"cmp"
	"container/heap"
	"math"
	"sync"

	"treesplit/comm"
)

// Network delays the messages between ranks, except heartbeats. The zero value delays none.
type Network struct {
	Latency   comm.Time // from the end of the sending to the arrival
	Bandwidth float64   // bytes per second of each rank's link to the network; 0: unlimited
	Header    int       // bytes of a message besides its body; 0: about the number under MPI
	Piece     int       // bytes for which a piece counts, whatever its length; 0: its length
}

// headerBytes is the length of a message without its body on the emulated link, unless the network names
// another: about the length under MPI.
const headerBytes = 32

// delays reports whether the network delays messages.
func (n Network) delays() bool { return n.Latency > 0 || n.Bandwidth > 0 }

// ArrivalTime returns the time that a message takes to arrive, if it waits for no earlier message.
func (n Network) ArrivalTime(m comm.Message) comm.Time { return n.Latency + n.linkTime(m) }

// linkTime returns the time for which a message occupies a link.
func (n Network) linkTime(m comm.Message) comm.Time {
	if n.Bandwidth == 0 {
		return 0
	}
	return comm.Time(math.Round(float64(n.countedBytes(m)) / n.Bandwidth * 1e9))
}

// countedBytes returns the length of a message on the emulated link.
func (n Network) countedBytes(m comm.Message) int {
	body := len(m.Body)
	if n.Piece > 0 && m.HasPiece() {
		body = n.Piece
	}
	return cmp.Or(n.Header, headerBytes) + body
}

// wire carries messages that take time. A message occupies its sender's link for its length divided by
// the bandwidth, after the messages sent before it, and arrives a latency later. So messages between
// two ranks arrive in the order of sending. Heartbeats do not come here. One goroutine delivers the messages of all ranks.
type wire struct {
	network Network
	world   *World
	alarm   alarm

	mu      sync.Mutex
	flights flights
	sent    int64 // messages so far, which orders messages with the same moment of arrival
}

// flight is a message in the network.
type flight struct {
	at    comm.Time
	order int64
	m     comm.Message
}

// newWire starts the goroutine that delivers messages. It runs until the world is closed.
func newWire(n Network, w *World) *wire {
	x := &wire{network: n, world: w, alarm: newAlarm()}
	go func() {
		for x.alarm.wait() {
			x.deliverDue()
		}
	}()
	return x
}

// launch sends a message of a rank whose link is free from the moment free on. It returns the moment
// at which the link is free again.
func (x *wire) launch(m comm.Message, now, free comm.Time) comm.Time {
	free = max(free, now) + x.network.linkTime(m)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.sent++
	heap.Push(&x.flights, flight{free + x.network.Latency, x.sent, m})
	if x.flights[0].order == x.sent {
		x.alarm.set((x.flights[0].at - now).Duration())
	}
	return free
}

// deliverDue delivers the messages that have arrived, and sets the alarm for the next one.
func (x *wire) deliverDue() {
	x.mu.Lock()
	defer x.mu.Unlock()
	for len(x.flights) > 0 {
		if left := x.flights[0].at - x.world.now(); left > 0 {
			x.alarm.set(left.Duration())
			return
		}
		x.world.deliver(heap.Pop(&x.flights).(flight).m)
	}
}

// flights is a heap of messages in the order of their arrival.
type flights []flight

func (f flights) Len() int { return len(f) }
func (f flights) Less(i, j int) bool {
	return f[i].at < f[j].at || f[i].at == f[j].at && f[i].order < f[j].order
}
func (f flights) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *flights) Push(x any)   { *f = append(*f, x.(flight)) }
func (f *flights) Pop() any {
	last := len(*f) - 1
	x := (*f)[last]
	(*f)[last] = flight{}
	*f = (*f)[:last]
	return x
}
