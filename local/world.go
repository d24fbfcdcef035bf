// Package local is the runtime of goroutine ranks: P ranks in one process, each driven by its own
// goroutine, with one inbox per rank. It implements comm.Transport and does not depend on the
// meaning of the messages.
//
// Memory grows with the number of ranks and with the number of waiting messages, never with P². A
// world of many thousands of ranks needs a few hundred bytes per rank.
package local

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"treesplit/comm"
)

// World is the state that the ranks of one process share.
type World struct {
	start time.Time // Now returns the time since start, the same on all ranks
	ranks []*Endpoint
	wire  *wire // delays messages; nil: they arrive at once
	calm  bool  // ranks without a message block at once
	roomy bool  // each rank can have a core

	failure atomic.Pointer[error] // the first error, or nil
	woken   atomic.Int64          // ranks that a message has woken and that have not run since then

	// The state of Drain; see drain.go.
	entered     atomic.Int64 // calls of Drain so far, over all ranks
	drained     atomic.Int64 // drains completed so far
	outstanding atomic.Int64 // messages sent and not yet served, by ranks inside Drain

	// The state of collectives; see collective.go.
	mu      sync.Mutex
	met     *sync.Cond // signals that a collective is done or the world has failed
	call    call       // the operation that the first rank to arrive has called
	arrived int        // ranks that wait in the current collective
	rounds  int64      // collectives completed so far
}

// Endpoint is one rank of a World. Its methods are called from one goroutine at a time; different
// endpoints are independent.
type Endpoint struct {
	world   *World
	rank    int
	inbox   inbox
	wake    chan struct{} // holds a token after the rank was woken
	timer   *time.Timer   // ends a Recv at its moment; created by the first Recv that sleeps
	alarm   alarm         // ends a Sleep at its moment; created by the first Sleep
	yielded comm.Time     // when the rank last began to yield its core for longer
	free    comm.Time     // from this moment on the rank's link to the network is free

	balance  int64 // messages sent minus messages received, since the last Drain
	drains   int64 // calls of Drain so far
	draining bool  // inside Drain: balance is kept in World.outstanding

	// The data that this rank brings to a collective and the data that it receives.
	bytes  []byte
	vector []int64
	parts  [][]byte
}

var _ comm.Transport = (*Endpoint)(nil)

// New returns the endpoints of a new world of size ranks (size ≥ 1), in rank order. The run begins
// with this call.
func New(size int) []*Endpoint { return NewOn(size, Network{}) }

// NewOn is New with a network that may delay messages. The world must be closed if it does.
func NewOn(size int, n Network) []*Endpoint {
	if size < 1 {
		panic("local: a world needs at least one rank")
	}
	w := &World{start: time.Now(), ranks: make([]*Endpoint, size), roomy: size <= runtime.GOMAXPROCS(0)}
	w.met = sync.NewCond(&w.mu)
	for r := range w.ranks {
		w.ranks[r] = &Endpoint{world: w, rank: r, wake: make(chan struct{}, 1)}
	}
	if n.delays() {
		w.wire = newWire(n, w)
	}
	return w.ranks
}

// CalmDown makes ranks without a message block at once, instead of polling for a while first. A world
// with many more ranks than cores, most of which sleep, needs less processor time then. It must be
// called before the ranks begin.
func (w *World) CalmDown() { w.calm = true }

// Close ends the goroutine and the alarms of the world, after all ranks have ended.
func (w *World) Close() {
	if w.wire != nil {
		w.wire.alarm.close()
	}
	for _, e := range w.ranks {
		if e.alarm != nil {
			e.alarm.close()
		}
	}
}

// now returns the time since New.
func (w *World) now() comm.Time { return comm.Time(time.Since(w.start)) }

// World returns the world to which the endpoint belongs.
func (e *Endpoint) World() *World { return e.world }

// FailAllRanks ends the world with err, which must not be nil. Every Recv, Drain and collective
// that waits or is called later returns at once, and Err returns err on every rank. Only the first
// call counts. Any goroutine may call it.
func (w *World) FailAllRanks(err error) {
	w.recordFailure(err)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.met.Broadcast()
}

// recordFailure fails all ranks except the ranks that wait in a collective.
func (w *World) recordFailure(err error) {
	if w.failure.CompareAndSwap(nil, &err) {
		w.wakeAllRanks()
	}
}

// Err returns the first error of the world, or nil. Any goroutine may call it.
func (w *World) Err() error {
	if err := w.failure.Load(); err != nil {
		return *err
	}
	return nil
}

// wakeAllRanks makes every sleeping rank check its inbox again. It takes O(P).
func (w *World) wakeAllRanks() {
	for _, e := range w.ranks {
		e.leaveWakeToken()
	}
}

// leaveWakeToken leaves a token for the rank. A surplus token causes one additional check.
func (e *Endpoint) leaveWakeToken() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}
