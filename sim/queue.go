package sim

import (
	"math/bits"

	"treesplit/comm"
)

// event is something that is to happen. Events of the same moment happen in the
// order in which they were asked for.
type event struct {
	at    comm.Time
	order uint64 // serial number · 4 + kind
	who   int32  // a rank or, of a letter, its index
	next  int32  // in a slot's list
}

// kind is what happens.
type kind uint8

const (
	ready  kind = iota // a rank has done what it was at and looks for messages
	arrive             // a letter is there
	leave              // a letter leaves for the bus
	ring               // an alarm
)

func (e *event) kind() kind { return kind(e.order & 3) }

func (e *event) before(f *event) bool {
	return e.at < f.at || e.at == f.at && e.order < f.order
}

// queue is a calendar queue (Brown 1988): the time ahead is divided into slots, an
// event is put on the list of its slot unsorted, and only the events of the slot
// under way are kept sorted, in a small heap. Where events are spread over slots a
// push and a pop take O(1), whatever the number of ranks; events beyond the last
// slot, and a slot with very many, cost what a heap costs.
type queue struct {
	shift   uint  // a slot is 2^shift ns long
	current int64 // the number of the slot under way
	near    heap  // events of slots up to the one under way
	slots   []int32
	waiting int // events on the lists of slots
	far     heap
	serial  uint64

	nodes []event // what the lists link
	free  int32
}

// none ends a list.
const none = -1

// newQueue returns a queue for p ranks that have an event about once in span.
func newQueue(p int, span comm.Time) *queue {
	width := max(uint64(2*span)/uint64(p), 1)
	q := &queue{shift: uint(bits.Len64(width) - 1), free: none}
	slots := 64
	for slots < 1<<22 && int64(slots)<<q.shift < 4*int64(span) {
		slots *= 2
	}
	q.slots = make([]int32, slots)
	for i := range q.slots {
		q.slots[i] = none
	}
	return q
}

// push asks for an event; at is not before the event popped last.
func (q *queue) push(at comm.Time, k kind, who int32) {
	q.serial++
	q.put(event{at: at, order: q.serial<<2 | uint64(k), who: who})
}

func (q *queue) put(e event) {
	slot := int64(e.at) >> q.shift
	switch {
	case slot <= q.current:
		q.near.push(e)
	case slot-q.current < int64(len(q.slots)):
		head := &q.slots[slot&int64(len(q.slots)-1)]
		e.next = *head
		*head = q.keep(e)
		q.waiting++
	default:
		q.far.push(e)
	}
}

// keep stores an event for a list and returns its index.
func (q *queue) keep(e event) int32 {
	i := q.free
	if i == none {
		q.nodes = append(q.nodes, e)
		return int32(len(q.nodes) - 1)
	}
	q.free = q.nodes[i].next
	q.nodes[i] = e
	return i
}

// pop takes the next event.
func (q *queue) pop() (e event, ok bool) {
	for len(q.near) == 0 {
		if q.waiting == 0 {
			if len(q.far) == 0 {
				return event{}, false
			}
			q.current = int64(q.far[0].at)>>q.shift - 1 // nothing until then
		}
		q.advance()
	}
	return q.near.pop(), true
}

// advance begins the next slot.
func (q *queue) advance() {
	q.current++
	head := &q.slots[q.current&int64(len(q.slots)-1)]
	for i := *head; i != none; {
		e := &q.nodes[i]
		q.near.push(*e)
		q.waiting--
		i, e.next, q.free = e.next, q.free, i
	}
	*head = none
	for len(q.far) > 0 && int64(q.far[0].at)>>q.shift-q.current < int64(len(q.slots)) {
		q.put(q.far.pop())
	}
}

// heap is a 4-ary heap of events: half as deep as a binary one, and a node's
// children lie side by side.
type heap []event

func (h *heap) push(e event) {
	s := append(*h, e)
	i := len(s) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !e.before(&s[up]) {
			break
		}
		s[i] = s[up]
		i = up
	}
	s[i] = e
	*h = s
}

func (h *heap) pop() event {
	s := *h
	top, n := s[0], len(s)-1
	last := s[n]
	s = s[:n]
	*h = s
	if n == 0 {
		return top
	}
	i := 0
	for {
		least := 4*i + 1
		if least >= n {
			break
		}
		for c := least + 1; c < min(4*i+5, n); c++ {
			if s[c].before(&s[least]) {
				least = c
			}
		}
		if !s[least].before(&last) {
			break
		}
		s[i] = s[least]
		i = least
	}
	s[i] = last
	return top
}
