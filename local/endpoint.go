package local

import (
	"fmt"
	"runtime"
	"time"

	"treesplit/comm"
)

// An idle rank looks spins times in a row, then yields its core between looks
// yields times, then sleeps until it is woken. The answer of a rank that runs on
// another core comes within the first two; the third costs a few microseconds
// and keeps any number of idle ranks from taking time from the busy ones.
const (
	spins  = 64
	yields = 32
)

// Rank is this rank's number.
func (e *Endpoint) Rank() int { return e.rank }

// Size is the number of ranks.
func (e *Endpoint) Size() int { return len(e.world.ranks) }

// Now is the time since New, the same on all ranks.
func (e *Endpoint) Now() comm.Time { return comm.Time(time.Since(e.world.start)) }

// Err is the first error of the world, or nil.
func (e *Endpoint) Err() error { return e.world.Err() }

// Send puts m into the receiver's inbox. A receiver that does not exist fails
// the world.
func (e *Endpoint) Send(m comm.Message) {
	w := e.world
	if uint(m.To) >= uint(len(w.ranks)) {
		w.FailAllRanks(fmt.Errorf("local: rank %d sends a %v to rank %d: there are %d ranks", e.rank, m.Kind, m.To, len(w.ranks)))
		return
	}
	m.From = int32(e.rank)
	// Counted before it can be received, or Drain could miss it.
	if e.draining {
		w.outstanding.Add(1)
	} else {
		e.balance++
	}
	if to := w.ranks[m.To]; to.inbox.putMessage(m, &w.woken) {
		to.leaveWakeToken()
	}
}

// TryRecv takes the next message, if there is one. It yields its core to a rank
// that a message has woken and that waits for one: the Go scheduler would let it
// wait for up to 10 ms where every core has a busy rank.
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

// Recv waits for the next message until the given moment, or until the world
// fails. It allocates once per endpoint at most.
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

// restBetweenLooks lets time pass after the given number of looks without success. It reports false
// when the moment until has come.
func (e *Endpoint) restBetweenLooks(looks int, until comm.Time) bool {
	switch {
	case looks > 0 && looks < spins:
		return true
	case until != comm.Never && e.Now() >= until:
		return false
	case looks < spins+yields:
		runtime.Gosched()
	default:
		e.blockUntilWoken(until)
	}
	return true
}

// blockUntilWoken blocks until a message is there, a token is left or the moment has come.
func (e *Endpoint) blockUntilWoken(until comm.Time) {
	if !e.inbox.announceSleep() {
		return
	}
	if until == comm.Never {
		<-e.wake
	} else {
		e.sleepUntil(until)
	}
	if e.inbox.finishSleep() {
		e.world.woken.Add(-1)
	}
}

// sleepUntil blocks until a token is left or the moment has come.
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
