package comm

import (
	"math"
	"math/rand/v2"
	"time"
)

// Time is a moment or a span in nanoseconds since the run began. It is wall-clock time under
// MPI and on goroutines, and virtual time in a simulation.
type Time int64

// Never is later than every moment of a run.
const Never Time = math.MaxInt64

// Duration returns t as a span of the standard library.
func (t Time) Duration() time.Duration { return time.Duration(t) }

// Env is the only connection of a protocol to its surroundings. Messages between two ranks
// arrive once and in the order in which they were sent. Heartbeats, which belong to no protocol,
// may overtake other messages.
type Env interface {
	// Rank returns the number of this rank, 0 ≤ Rank < Size.
	Rank() int
	// Size returns the number of ranks, P ≥ 1.
	Size() int
	// Now returns the present moment.
	Now() Time
	// Send hands m over for delivery. It never blocks and never calls back into the sender.
	// From then on m.Body belongs to the receiver. A message of a rank to itself is delivered
	// like any other.
	Send(m Message)
	// Alarm requests one call of Wake, at the moment at or later. Several alarms can be
	// pending at the same time; each of them causes one call.
	Alarm(at Time)
	// Rand returns the random stream of this rank: PCG(seed, rank).
	Rand() *rand.Rand
}

// Endpoint is one rank's end of a real transport. All of its methods are called from the
// goroutine of that rank.
type Endpoint interface {
	Rank() int
	Size() int
	// Now returns the time since the run began. The clocks of two ranks may differ by the
	// difference of their starting times.
	Now() Time
	// Send hands m over for delivery and returns at once; it never waits for the receiver. The
	// transport sets m.From. The caller must not change m.Body afterwards. The transport keeps
	// its first error, which the next Drain returns.
	Send(m Message)
	// TryRecv polls once. It returns the next message if one has arrived. It calls into C at
	// most once.
	TryRecv() (m Message, ok bool)
	// Recv waits for a message until the given moment. It first spins, then yields, then
	// sleeps, so that idle ranks do not starve busy ones. It returns ok = false when the
	// moment has passed, and at once after an error of the transport.
	Recv(until Time) (m Message, ok bool)
	// Drain is a barrier during which messages are still answered. It returns when every rank
	// has called it and every message sent by any rank has been received, including messages
	// that serve sends. Messages that arrive meanwhile are passed to serve. The endpoint can
	// be used again afterwards. The error is the transport's first one since the run began.
	Drain(serve func(m Message)) error
	// Err returns the first error of the transport, or nil.
	Err() error
}

// Sleeper is an Endpoint whose rank can wait without receiving messages, as a rank does that computes.
type Sleeper interface {
	// Sleep waits until the given moment. It does not use a core meanwhile. It returns later than
	// the moment by the granularity of the system's timers, and by the time for which the rank
	// waits for a core. It may return at once if the transport has failed before the call. A later error does
	// not end the wait, so a rank that must notice errors sleeps in short spans.
	Sleep(until Time)
}

// Awaiter is an Endpoint that can wait for a message without receiving it.
type Awaiter interface {
	// Await waits until TryRecv would return a message, or until the given moment. It may return earlier, and
	// ends late as Sleep does.
	Await(until Time)
}

// Collective holds the operations that all ranks of a transport perform together before and
// after a run. Every rank must make the same calls in the same order. None of them is allowed
// between a Send and the next Drain.
type Collective interface {
	// Broadcast returns root's data on every rank. The data of the other ranks are ignored.
	Broadcast(root int, data []byte) ([]byte, error)
	// Gather returns the data of all ranks, in rank order, at root, and nil on the other
	// ranks. Their lengths may differ.
	Gather(root int, data []byte) ([][]byte, error)
	// Sum adds the vectors of all ranks element by element and stores the result in v on every
	// rank. All vectors must have the same length.
	Sum(v []int64) error
	// Max is like Sum, with the maximum instead of the sum.
	Max(v []int64) error
	// ExclusiveScan replaces v by the sum of the vectors of all lower ranks. Rank 0 gets
	// zeros.
	ExclusiveScan(v []int64) error
	// AllToAll divides v into Size equal parts and sends part i to rank i. It returns the
	// parts that this rank has received, in rank order. len(v) must be a multiple of Size.
	AllToAll(v []int64) ([]int64, error)
}

// Transport is an Endpoint with collective operations.
type Transport interface {
	Endpoint
	Collective
}
