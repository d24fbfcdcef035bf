package sim

import (
	"fmt"

	"treesplit/comm"
)

// bodies holds the bodies of messages in flight; few messages have one.
type bodies struct {
	all  [][]byte
	free []int32
}

func (b *bodies) storeBody(body []byte) int32 {
	if body == nil {
		return none
	}
	if n := len(b.free); n > 0 {
		i := b.free[n-1]
		b.free = b.free[:n-1]
		b.all[i] = body
		return i
	}
	b.all = append(b.all, body)
	return int32(len(b.all) - 1)
}

func (b *bodies) releaseBody(i int32) (body []byte) {
	if i == none {
		return nil
	}
	body, b.all[i] = b.all[i], nil
	b.free = append(b.free, i)
	return body
}

// postMessage sends a message at the sender's clock.
func (w *world) postMessage(r *rank, m comm.Message, bytes int64) {
	if bytes > w.mostBytes {
		if w.err == nil {
			w.err = fmt.Errorf("rank %d at %v sends a message of %d bytes: expected at most %d", r.number, r.clock.Duration(), bytes, w.mostBytes)
		}
		bytes = w.mostBytes
	}
	i := w.agenda.reserveItem()
	it := &w.agenda.items[i]
	it.from, it.to, it.kind, it.tag, it.arg = m.From, m.To, m.Kind, m.Tag, m.Arg
	it.body, it.bytes = w.bodies.storeBody(m.Body), int32(bytes)
	switch {
	case m.To == r.number:
		w.agenda.scheduleItem(r.clock, arrive, i)
	case w.shared:
		it.next = 0
		w.agenda.scheduleItem(r.clock, leave, i)
	default:
		w.arriveInOrder(r, i, r.clock, r.clock+w.travelTime(i))
	}
}

// enterNetwork lets a message use a shared medium: the bus, or the next link of its route.
func (w *world) enterNetwork(i int32, now comm.Time) {
	if w.links != nil {
		w.crossLink(i, now)
	} else {
		w.occupyBus(i, now)
	}
}

// occupyBus gives the bus to a message when all earlier messages have passed.
func (w *world) occupyBus(i int32, now comm.Time) {
	r := &w.ranks[w.agenda.items[i].from]
	w.busFree = max(now, w.busFree) + w.travelTime(i)
	w.arriveInOrder(r, i, now, w.busFree)
}

// travelTime returns the time that a message takes from rank to rank.
func (w *world) travelTime(i int32) comm.Time {
	it := &w.agenda.items[i]
	hops := w.network.Distance(int(it.from), int(it.to))
	return w.wordTime(i) + comm.Time(hops)*w.machine.PerHop
}

// wordTime returns the time that the words of a message take on a link.
func (w *world) wordTime(i int32) comm.Time {
	words := int64(w.machine.HeaderWords) + (int64(w.agenda.items[i].bytes)+3)/4
	return comm.Time(words) * w.machine.PerWord
}

// arriveInOrder schedules the arrival of a message that left its rank, or reached the last link of
// its route, at depart. It arrives at at, or later if there is jitter or if it would overtake an
// earlier message.
func (w *world) arriveInOrder(r *rank, i int32, depart, at comm.Time) {
	it := &w.agenda.items[i]
	jitter := w.options.Faults.Jitter
	if jitter > 0 {
		at += comm.Time(w.faults.Int64N(int64(jitter) + 1))
	}
	if it.bytes > 0 || jitter > 0 || r.isLate {
		at = r.orderedArrival(it.to, depart, at, it.bytes > 0 || jitter > 0)
	}
	w.agenda.scheduleItem(at, arrive, i)
}

// addToInbox adds a message that has arrived to the inbox.
func (w *world) addToInbox(r *rank, i int32) {
	w.agenda.items[i].next = none
	if r.head == none {
		r.head = i
	} else {
		w.agenda.items[r.tail].next = i
	}
	r.tail = i
}

// fetchMessage removes the oldest message from the inbox and returns it.
func (w *world) fetchMessage(r *rank) comm.Message {
	i := r.head
	it := &w.agenda.items[i]
	if r.head = it.next; r.head == none {
		r.tail = none
	}
	m := comm.Message{From: it.from, To: it.to, Kind: it.kind, Tag: it.tag, Arg: it.arg, Body: w.bodies.releaseBody(it.body)}
	w.agenda.releaseItem(i)
	return m
}
