package sim

import (
	"math/bits"
	"slices"

	"treesplit/comm"
)

// kind is the kind of an event.
type kind uint8

const (
	ready  kind = iota // a rank has finished its operation and polls
	arrive             // a message arrives
	leave              // a message leaves for the bus, or reaches a link
	ring               // an alarm
)

// item is a message on its way or in an inbox. An item fills one cache line: with a million ranks
// each access to an item is a cache miss.
type item struct {
	next  int32 // the next item in an inbox or in the list of free items; see also crossLink
	to    int32 // the rank that receives it
	from  int32
	tag   int32
	arg   int64
	body  int32 // its index among the bodies, or none
	bytes int32 // size of the body, as the machine counts it
	kind  comm.Kind
	_     [31]byte
}

// agenda holds the future events. It is a calendar queue (Brown 1988) with two wheels: the future is
// divided into slots, an event is put into its slot unsorted, and only the events of the current slot are
// kept in order (near.go). Events beyond the slots are in the spans of the second wheel, each of which
// covers half of the slots. They move to their slots one span ahead of time. If events are spread over the
// slots, a push and a pop take O(1), whatever the number of ranks. Events beyond the last span, and
// events of a slot with very many events, take as long as in a heap or in sorting.
type agenda struct {
	shift   uint    // a slot is 2^shift ns long
	current int64   // the number of the current slot
	begun   bool    // a slot has begun since the last check
	near    near    // events of slots up to the current one
	slots   []int32 // the first chunk of each slot, or none
	waiting int     // events in slots

	spanShift uint    // a span is 2^spanShift slots long
	opened    int64   // the number of the last span whose events are in slots: the one after the current
	spans     []int32 // the first chunk of each span, or none
	distant   int     // events in spans
	far       heap    // events beyond the spans
	causes    causes

	chunks     []chunk
	freeChunks int32
	items      []item
	free       int32
}

// spansAhead is the number of spans.
const spansAhead = 1024

// chunk holds some of the events of a slot side by side. In a list of single events each event
// would be a cache miss.
type chunk struct {
	next, n int32
	events  [5]event
}

// none is no item.
const none = -1

// inSlot is the approximate number of events of a slot. The ranks of a slot's events are fetched
// from memory at the same time (world.preloadRanks), at the price of more events to sort.
const inSlot = 8

// newAgenda returns an agenda for p ranks, each of which has an event about twice in span. If
// ranks coast, quantum is the time of a quantum and its poll, otherwise 0.
func newAgenda(p int, span, quantum comm.Time) *agenda {
	width := max(inSlot*uint64(span)/uint64(2*p), 1)
	q := &agenda{shift: uint(bits.Len64(width) - 1), causes: causes{quantum: quantum}, free: none, freeChunks: none}
	slots := 64
	for slots < 1<<22 && int64(slots)<<q.shift < 4*int64(span) {
		slots *= 2
	}
	q.slots, q.spans = slices.Repeat([]int32{none}, slots), slices.Repeat([]int32{none}, spansAhead)
	q.spanShift, q.opened = uint(bits.Len(uint(slots)))-2, 1
	return q
}

// reserveItem returns a free item, which is not on the agenda.
func (q *agenda) reserveItem() int32 {
	i := q.free
	if i == none {
		q.items = append(q.items, item{})
		return int32(len(q.items) - 1)
	}
	q.free = q.items[i].next
	return i
}

// rankOf returns the rank to which an event happens.
func (q *agenda) rankOf(e *event) int32 {
	if k := e.eventKind(); k == ready || k == ring {
		return e.item
	}
	return q.items[e.item].to
}

// releaseItem makes an item free.
func (q *agenda) releaseItem(i int32) { q.items[i].next, q.free = q.free, i }

// scheduleItem schedules a message, or another event of a rank, at a moment, which is not before the
// event popped last.
func (q *agenda) scheduleItem(at comm.Time, k kind, i int32) {
	q.placeEvent(newEvent(at, q.causes.trailOf(at), k, i))
}

func (q *agenda) placeEvent(e event) {
	slot := int64(e.at) >> q.shift
	span := slot >> q.spanShift
	switch {
	case slot <= q.current:
		q.near.pushEvent(&q.causes, e)
	case span <= q.opened:
		q.addToSlot(&q.slots[slot&int64(len(q.slots)-1)], e)
		q.waiting++
	case span <= q.opened+spansAhead:
		q.addToSlot(&q.spans[span%spansAhead], e)
		q.distant++
	default:
		q.far.pushEvent(&q.causes, e)
	}
}

// addToSlot puts an event into a slot or a span.
func (q *agenda) addToSlot(head *int32, e event) {
	i := *head
	if i == none || int(q.chunks[i].n) == len(q.chunks[i].events) {
		if i = q.freeChunks; i == none {
			i = int32(len(q.chunks))
			q.chunks = append(q.chunks, chunk{})
		} else {
			q.freeChunks = q.chunks[i].next
		}
		q.chunks[i].next, q.chunks[i].n = *head, 0
		*head = i
	}
	c := &q.chunks[i]
	c.events[c.n] = e
	c.n++
}

// popNextEvent returns the next event. The item of a message stays reserved.
func (q *agenda) popNextEvent() (e event, ok bool) {
	for q.near.isEmpty() {
		if q.waiting == 0 && !q.skipEmptySlots() {
			return event{}, false
		}
		q.advanceSlot()
	}
	e = q.near.popEarliest(&q.causes)
	q.causes.beginCause(&e)
	return e, true
}

// advanceSlot begins the next slot.
func (q *agenda) advanceSlot() {
	q.current++
	q.begun = true
	q.openSpans()
	head := &q.slots[q.current&int64(len(q.slots)-1)]
	for i := *head; i != none; {
		c := &q.chunks[i]
		q.near.events = append(q.near.events, c.events[:c.n]...)
		q.waiting -= int(c.n)
		i, c.next, q.freeChunks = c.next, q.freeChunks, i
	}
	*head = none
	q.near.sortEvents(&q.causes)
}

// openSpans moves the events of spans to their slots, up to the span after the current one.
func (q *agenda) openSpans() {
	for next := q.current>>q.spanShift + 1; q.opened < next; {
		q.opened++
		head := &q.spans[q.opened%spansAhead]
		for i := *head; i != none; {
			c := q.chunks[i] // a copy, because chunks may move
			q.chunks[i].next, q.freeChunks = q.freeChunks, i
			q.distant -= int(c.n)
			for _, e := range c.events[:c.n] {
				q.placeEvent(e)
			}
			i = c.next
		}
		*head = none
		for len(q.far) > 0 && int64(q.far[0].at)>>q.shift>>q.spanShift <= q.opened+spansAhead {
			q.placeEvent(q.far.popEarliest(&q.causes))
		}
	}
}

// skipEmptySlots moves to the slot before the next event, if no event is in a slot. It reports whether there is an event.
func (q *agenda) skipEmptySlots() bool {
	first := comm.Never
	switch {
	case q.distant > 0:
		span := q.opened + 1
		for q.spans[span%spansAhead] == none {
			span++
		}
		for i := q.spans[span%spansAhead]; i != none; i = q.chunks[i].next {
			for _, e := range q.chunks[i].events[:q.chunks[i].n] {
				first = min(first, e.at)
			}
		}
	case len(q.far) > 0:
		first = q.far[0].at
	default:
		return false
	}
	q.current = int64(first)>>q.shift - 1
	q.opened = int64(first)>>q.shift>>q.spanShift - 1 // earlier spans are empty
	q.openSpans()
	return true
}
