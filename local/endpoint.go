package local

import (
	"fmt"
	"runtime"
	"time"

	"treesplit/comm"
)

// An idle rank polls spins times in a row, then polls yields times and yields its core after each,
// then sleeps until it is woken. The third stage costs a few microseconds, and idle ranks in it take no
// time from busy ranks, however many there are.
//
// If each rank can have a core, the second stage lasts for the time longestYield: a busy rank polls every
// 75 µs, so that most answers arrive within this time. A rank that sleeps instead begins its new work some
// 70 µs later (16 ranks on 16 cores, docs/lab-notes.md).
const (
	spins  = 64
	yields = 32

	longestYield comm.Time = 100 * 1000
)

// Rank returns this rank's number.
func (e *Endpoint) Rank() int { return e.rank }

// Size returns the number of ranks.
func (e *Endpoint) Size() int { return len(e.world.ranks) }

// Now returns the time since New, the same on all ranks.
func (e *Endpoint) Now() comm.Time { return e.world.now() }

// Err returns the first error of the world, or nil.
func (e *Endpoint) Err() error { return e.world.Err() }

// Send puts m into the receiver's inbox, or on the emulated network. If the receiver does not exist, the world
// fails. Heartbeats take no time, so that a slow network does not delay the news of progress, and a watched run
// takes the same time. They may overtake other messages: no protocol depends on their order.
func (e *Endpoint) Send(m comm.Message) {
	w := e.world
	if uint(m.To) >= uint(len(w.ranks)) {
		w.FailAllRanks(fmt.Errorf("local: rank %d sends a %v to rank %d: there are %d ranks", e.rank, m.Kind, m.To, len(w.ranks)))
		return
	}
	m.From = int32(e.rank)
	// The message must be counted before it can be received. Otherwise Drain could miss it.
	if e.draining {
		w.outstanding.Add(1)
	} else {
		e.balance++
	}
	if w.wire != nil && m.To != m.From && !m.Kind.IsHeartbeat() {
		e.free = w.wire.launch(m, w.now(), e.free)
		return
	}
	w.deliver(m)
}

// deliver puts m into the receiver's inbox.
func (w *World) deliver(m comm.Message) {
	switch to := w.ranks[m.To]; to.inbox.putMessage(m, &w.woken) {
	case blocked:
		to.leaveWakeToken()
	case alarmed:
		to.alarm.set(0)
	}
}

// TryRecv returns the next message, if there is one. It yields its core if a message has woken a
// rank that waits for a core: the Go scheduler would let that rank wait for up to 10 ms if every
// core has a busy rank.
func (e *Endpoint) TryRecv() (m comm.Message, ok bool) {
	if e.inbox.hasNoMessage() {
		if e.world.woken.Load() > 0 {
			runtime.Gosched()
		}
		return m, false
	}
	e.balance--
	return e.inbox.takeMessage(), true
}

// Recv waits for the next message until the given moment, or until the world fails. It allocates at
// most once per endpoint.
func (e *Endpoint) Recv(until comm.Time) (m comm.Message, ok bool) {
	for looks := 0; ; looks++ {
		if !e.inbox.hasNoMessage() {
			e.balance--
			return e.inbox.takeMessage(), true
		}
		if e.world.Err() != nil || !e.restBetweenLooks(looks, until) {
			return m, false
		}
	}
}

// restBetweenLooks lets time pass after the given number of polls without success. It returns false
// when the moment until has come.
func (e *Endpoint) restBetweenLooks(looks int, until comm.Time) bool {
	switch {
	case looks > 0 && looks < spins && !e.world.calm:
		return true
	case until != comm.Never && e.Now() >= until:
		return false
	case !e.world.calm && e.mayYield(looks):
		runtime.Gosched()
	default:
		e.blockUntilWoken(until)
	}
	return true
}

// mayYield reports whether the second stage goes on after the given number of polls.
func (e *Endpoint) mayYield(looks int) bool {
	if looks < spins+yields {
		return true
	}
	if looks == spins+yields {
		e.yielded = e.Now()
	}
	return e.world.roomy && e.Now()-e.yielded < longestYield
}

// blockUntilWoken blocks until a message or a token is there or the moment has come.
func (e *Endpoint) blockUntilWoken(until comm.Time) {
	if !e.inbox.announceRest(blocked) {
		return
	}
	if until == comm.Never {
		<-e.wake
	} else {
		e.sleepUntil(until)
	}
	e.finishRest()
}

// finishRest ends a wait that a message may have ended.
func (e *Endpoint) finishRest() {
	if e.inbox.finishRest() {
		e.world.woken.Add(-1)
	}
}

// sleepUntil blocks until a token is there or the moment has come.
func (e *Endpoint) sleepUntil(until comm.Time) {
	left := (until - e.Now()).Duration()
	if e.timer == nil {
		e.timer = time.NewTimer(left)
	} else {
		e.timer.Reset(left)
	}
	select {
	case <-e.wake:
		e.timer.Stop()
	case <-e.timer.C:
	}
}
