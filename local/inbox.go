package local

import (
	"sync"
	"sync/atomic"

	"treesplit/comm"
)

// inbox is a queue from many senders to one owner, in order of arrival. It is
// double-buffered: senders append to one slice under a lock while the owner
// reads the other without one, and the two are swapped when the owner has run
// out. So the lock is taken once a batch by the owner, a poll of an empty inbox
// is one atomic load, and once both slices have grown nothing is allocated.
type inbox struct {
	taken []comm.Message // the owner's; taken[head:] is still to be read
	head  int

	_       [64]byte // keeps the owner's line apart from the senders'
	pending atomic.Bool
	mu      sync.Mutex
	queue   []comm.Message // not yet taken; pending reports whether there are any
	waiting bool           // the owner sleeps and wants to be woken
	_       [64]byte
}

// putMessage appends m and reports whether the owner slept; it is then the caller's to
// wake. woken is raised for it before the owner can know.
func (b *inbox) putMessage(m comm.Message, woken *atomic.Int64) (slept bool) {
	b.mu.Lock()
	b.queue = append(b.queue, m)
	if len(b.queue) == 1 {
		b.pending.Store(true)
	}
	if slept = b.waiting; slept {
		b.waiting = false
		woken.Add(1)
	}
	b.mu.Unlock()
	return slept
}

// hasNoMessage reports whether no message is there. Only the owner calls it.
func (b *inbox) hasNoMessage() bool { return b.head == len(b.taken) && !b.pending.Load() }

// takeMessage removes the oldest message; the inbox must not be empty. Only the owner
// calls it. (It does not test for emptiness itself since returning a Message,
// too large for registers, costs several times what the test does.)
func (b *inbox) takeMessage() comm.Message {
	if b.head == len(b.taken) {
		b.swapBuffers()
	}
	slot := &b.taken[b.head]
	m := *slot
	slot.Body = nil // or the collector keeps it until the slot is used again
	b.head++
	return m
}

// swapBuffers exchanges the slices; the owner's must have been read to its end.
func (b *inbox) swapBuffers() {
	b.mu.Lock()
	b.taken, b.queue = b.queue, b.taken[:0]
	b.pending.Store(false)
	b.mu.Unlock()
	b.head = 0
}

// untakeMessage undoes the take that returned m, if nothing was taken since.
func (b *inbox) untakeMessage(m comm.Message) {
	b.head--
	b.taken[b.head] = m
}

// announceSleep announces that the owner is going to sleep. It does nothing and reports
// false if a message is there.
func (b *inbox) announceSleep() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting = len(b.queue) == 0
	return b.waiting
}

// finishSleep ends what wait began and reports whether a message had ended it before.
func (b *inbox) finishSleep() (woken bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	woken = !b.waiting
	b.waiting = false
	return woken
}
