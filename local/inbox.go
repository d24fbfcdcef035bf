package local

import (
	"sync"
	"sync/atomic"

	"treesplit/comm"
)

// inbox is a queue from many senders to one owner, in order of arrival. It is double-buffered:
// senders append to one slice under a lock while the owner reads the other slice without a lock.
// The two are swapped when the owner has read its slice to the end. The owner therefore takes the
// lock once per batch, a poll of an empty inbox is one atomic load, and nothing is allocated after
// both slices have grown.
type inbox struct {
	taken []comm.Message // owned by the owner; taken[head:] is still unread
	head  int

	_       [64]byte // keeps the owner's cache line apart from the senders'
	pending atomic.Bool
	mu      sync.Mutex
	queue   []comm.Message // not yet taken; pending reports whether there are any
	rest    rest           // whether and how the owner must be woken
	_       [64]byte
}

// rest is the way in which the owner of an inbox waits.
type rest uint8

const (
	awake   rest = iota
	blocked      // until there is a token
	alarmed      // until its alarm
)

// putMessage appends m and returns how the owner waited. The caller must wake the owner unless it was
// awake. putMessage increments woken before the owner can know.
func (b *inbox) putMessage(m comm.Message, woken *atomic.Int64) (was rest) {
	b.mu.Lock()
	b.queue = append(b.queue, m)
	if len(b.queue) == 1 {
		b.pending.Store(true)
	}
	if was = b.rest; was != awake {
		b.rest = awake
		woken.Add(1)
	}
	b.mu.Unlock()
	return was
}

// hasNoMessage reports whether the inbox is empty. Only the owner calls it.
func (b *inbox) hasNoMessage() bool { return b.head == len(b.taken) && !b.pending.Load() }

// takeMessage removes and returns the oldest message; the inbox must not be empty. Only the owner
// calls it. It does not test for emptiness itself, because to return a Message, which is too large
// for registers, takes several times as long as the test.
func (b *inbox) takeMessage() comm.Message {
	if b.head == len(b.taken) {
		b.swapBuffers()
	}
	slot := &b.taken[b.head]
	m := *slot
	slot.Body = nil // otherwise the garbage collector keeps it until the slot is used again
	b.head++
	return m
}

// swapBuffers exchanges the slices; the owner must have read its slice to the end.
func (b *inbox) swapBuffers() {
	b.mu.Lock()
	b.taken, b.queue = b.queue, b.taken[:0]
	b.pending.Store(false)
	b.mu.Unlock()
	b.head = 0
}

// untakeMessage undoes the take that returned m, if no message was taken since.
func (b *inbox) untakeMessage(m comm.Message) {
	b.head--
	b.taken[b.head] = m
}

// announceRest announces that the owner is going to wait. If a message is there, it does nothing
// and returns false.
func (b *inbox) announceRest(how rest) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.queue) > 0 {
		return false
	}
	b.rest = how
	return true
}

// finishRest ends the wait that announceRest began, and reports whether a message had ended it
// before.
func (b *inbox) finishRest() (woken bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	woken = b.rest == awake
	b.rest = awake
	return woken
}
