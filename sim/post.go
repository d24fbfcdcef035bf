package sim

import "treesplit/comm"

// letter is a message under way or in an inbox.
type letter struct {
	comm.Message
	bytes int64 // of the body, as the machine counts them
	next  int32 // in an inbox, or in the list of free ones
}

// office holds all letters; those that were handled are used again.
type office struct {
	letters []letter
	free    int32
}

func (o *office) take(m comm.Message, bytes int64) int32 {
	l := letter{Message: m, bytes: bytes, next: none}
	i := o.free
	if i == none {
		o.letters = append(o.letters, l)
		return int32(len(o.letters) - 1)
	}
	o.free = o.letters[i].next
	o.letters[i] = l
	return i
}

func (o *office) give(i int32) comm.Message {
	l := &o.letters[i]
	m := l.Message
	l.Body = nil
	l.next, o.free = o.free, i
	return m
}

// post puts a message on its way at the sender's clock.
func (w *world) post(r *rank, m comm.Message, bytes int64) {
	i := w.office.take(m, bytes)
	switch {
	case m.To == r.number:
		w.queue.push(r.clock, arrive, i)
	case w.bus:
		w.queue.push(r.clock, leave, i)
	default:
		w.carry(r, i, r.clock, r.clock)
	}
}

// board gives the bus to a letter when all that came before it are through.
func (w *world) board(i int32, now comm.Time) {
	r := &w.ranks[w.office.letters[i].From]
	from := max(now, w.busFree)
	w.busFree = from + w.way(i)
	w.carry(r, i, now, from)
}

// way is the time that a letter takes from rank to rank.
func (w *world) way(i int32) comm.Time {
	l := &w.office.letters[i]
	words := int64(w.machine.HeaderWords) + (l.bytes+3)/4
	hops := w.network.Distance(int(l.From), int(l.To))
	return comm.Time(words)*w.machine.PerWord + comm.Time(hops)*w.machine.PerHop
}

// carry lets a letter that left its rank at depart go through the network from the
// moment from on.
func (w *world) carry(r *rank, i int32, depart, from comm.Time) {
	l := &w.office.letters[i]
	at := from + w.way(i)
	jitter := w.options.Faults.Jitter
	if jitter > 0 {
		at += comm.Time(w.faults.Int64N(int64(jitter) + 1))
	}
	if l.bytes > 0 || jitter > 0 || len(r.late) > 0 {
		at = r.inOrder(l.To, depart, at, l.bytes > 0 || jitter > 0)
	}
	w.queue.push(at, arrive, i)
}

// put lays a letter that has arrived into the inbox.
func (w *world) put(r *rank, i int32) {
	if r.head == none {
		r.head = i
	} else {
		w.office.letters[r.tail].next = i
	}
	r.tail = i
}

// fetch takes the oldest letter out of the inbox.
func (w *world) fetch(r *rank) comm.Message {
	i := r.head
	if r.head = w.office.letters[i].next; r.head == none {
		r.tail = none
	}
	return w.office.give(i)
}
