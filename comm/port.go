package comm

import (
	"math"
	"math/rand/v2"
	"time"
)

// Time is a moment or a span in nanoseconds since the run began: wall time
// under MPI and on goroutines, virtual time in a simulation.
type Time int64

// Never is later than every moment that occurs.
const Never Time = math.MaxInt64

// Duration returns t as a span of the standard library.
func (t Time) Duration() time.Duration { return time.Duration(t) }

// Env is everything a protocol may do to the world around it. Messages between
// two ranks arrive once and in the order sent.
type Env interface {
	// Rank is this rank's number, 0 ≤ Rank < Size.
	Rank() int
	// Size is the number of ranks, P ≥ 1.
	Size() int
	// Now is the present moment.
	Now() Time
	// Send hands m over for delivery. It never blocks and never calls back into
	// the sender; m.Body is the receiver's from then on. A message to the own
	// rank is delivered like any other.
	Send(m Message)
	// Alarm asks for one call of Wake at the moment at or later. Alarms that are
	// set while another is pending are kept apart: each of them rings.
	Alarm(at Time)
	// Rand is this rank's own stream: PCG(seed, rank).
	Rand() *rand.Rand
}

// Endpoint is one rank's end of a real transport. All of its methods are called
// from one goroutine, the rank's.
type Endpoint interface {
	Rank() int
	Size() int
	// Now is the time since the run began. Ranks may disagree by the skew of
	// their starts.
	Now() Time
	// Send hands m over for delivery and returns at once; it never waits for the
	// receiver. m.From is set by the transport; m.Body must not be changed after.
	// A transport's error is kept and returned by the next Drain.
	Send(m Message)
	// TryRecv is one poll: the next message, if one has arrived. At most one
	// crossing into C.
	TryRecv() (m Message, ok bool)
	// Recv waits for a message until the given moment: it spins, then yields, then
	// sleeps, so that idle ranks do not starve busy ones. ok is false once the
	// moment has passed; an error of the transport ends the wait at once.
	Recv(until Time) (m Message, ok bool)
	// Drain is a barrier that still answers messages. It returns when every rank
	// has called it and every message sent by any rank, those sent by serve
	// included, has been received; what arrives meanwhile is passed to serve.
	// The endpoint can be used again afterwards. The error is the first that the
	// transport met since the run began.
	Drain(serve func(m Message)) error
	// Err is the first error that the transport met, or nil.
	Err() error
}

// Collective is what the ranks of a transport do together before and after a
// run. Every rank must make the same calls in the same order, and none of them
// may be made between Send and the Drain that follows it.
type Collective interface {
	// Broadcast returns root's data on every rank; what the others pass is ignored.
	Broadcast(root int, data []byte) ([]byte, error)
	// Gather returns every rank's data, in rank order, at root, and nil elsewhere.
	// The lengths may differ.
	Gather(root int, data []byte) ([][]byte, error)
	// Sum adds the vectors of all ranks, element by element, in place on every rank.
	// All vectors must have the same length.
	Sum(v []int64) error
	// Max is Sum with the larger element in place of the sum.
	Max(v []int64) error
	// ExclusiveScan replaces v by the sum of the vectors of all lower ranks; rank 0
	// gets zeros.
	ExclusiveScan(v []int64) error
	// AllToAll sends the i-th of Size equal parts of v to rank i and returns what
	// each rank sent here, in rank order. len(v) must be a multiple of Size.
	AllToAll(v []int64) ([]int64, error)
}

// Transport is an Endpoint whose ranks can also act together.
type Transport interface {
	Endpoint
	Collective
}
