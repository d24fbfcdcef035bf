package trace

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"treesplit/comm"
	"treesplit/internal/wire"
)

// Recording is the bounded list of events of one rank. Consecutive quanta in one state become one
// span. Polls and messages shorter than the grain do not interrupt a span. When the list is full,
// the newest event replaces the oldest, which is counted as dropped: the end of a run is what
// most users look at.
//
// Spend, Sent and Received take O(1). They allocate memory while the list grows, and for the
// first piece to or from each rank.
type Recording struct {
	Rank    int
	Dropped int64

	limit    int
	grain    comm.Time
	current  event // a span that may still grow, if there is one
	open     bool
	events   []event // a ring buffer when it is full
	oldest   int
	sent     map[int32]int32 // number of pieces by receiver
	received map[int32]int32 // number of pieces by sender
}

// event is one entry of the list.
type event struct {
	from, to     comm.Time
	number       int64 // nodes of a span, bytes of a piece
	overhead     comm.Time
	peer, serial int32
	what         uint8 // a State, or one of the values below
	kind         comm.Kind
}

// The events that are not spans.
const (
	sending uint8 = uint8(States) + iota
	receiving
	ending
	whats
)

// New returns an empty recording of a rank with at most limit events (at least 1). Overhead
// shorter than grain becomes a part of the span before it.
func New(rank, limit int, grain comm.Time) *Recording {
	return &Recording{Rank: rank, limit: max(limit, 1), grain: grain, sent: map[int32]int32{}, received: map[int32]int32{}}
}

// RecordState notes that the rank was in a state from one time to another, and expanded the given
// number of nodes. Calls must be in order of time.
func (r *Recording) RecordState(s State, from, to comm.Time, nodes int64) {
	c := &r.current
	switch {
	case to <= from && nodes == 0:
	case r.open && c.what == uint8(s):
		c.to, c.number = to, c.number+nodes
	case r.open && s == Overhead && to-from < r.grain:
		c.to, c.number, c.overhead = to, c.number+nodes, c.overhead+to-from
	default:
		r.closeSpan()
		r.current, r.open = event{from: from, to: to, number: nodes, what: uint8(s)}, true
	}
}

// closeSpan ends the current span.
func (r *Recording) closeSpan() {
	if r.open {
		r.storeEvent(r.current)
		r.open = false
	}
}

// RecordSent notes the sending of a message, if it carries work.
func (r *Recording) RecordSent(at comm.Time, m comm.Message, bytes int64) {
	if CarriesWork(m) {
		r.storeEvent(event{from: at, to: at, number: bytes, peer: m.To, serial: r.sent[m.To], what: sending, kind: m.Kind})
		r.sent[m.To]++
	}
}

// RecordReceived notes the handling of a message, if it carries work.
func (r *Recording) RecordReceived(at comm.Time, m comm.Message) {
	if CarriesWork(m) {
		r.storeEvent(event{from: at, to: at, peer: m.From, serial: r.received[m.From], what: receiving, kind: m.Kind})
		r.received[m.From]++
	}
}

// CarriesWork reports whether a message brings a part of the search to its receiver.
func CarriesWork(m comm.Message) bool {
	return len(m.Body) > 0 && m.Kind.CarriesPiece()
}

// RecordStop notes the time at which the rank knows that a search is over.
func (r *Recording) RecordStop(at comm.Time) { r.storeEvent(event{from: at, to: at, what: ending}) }

// storeEvent stores an event.
func (r *Recording) storeEvent(e event) {
	if len(r.events) < r.limit {
		r.events = append(r.events, e)
		return
	}
	r.events[r.oldest] = e
	r.oldest = (r.oldest + 1) % r.limit
	r.Dropped++
}

// eventsInOrder returns the events in order of time.
func (r *Recording) eventsInOrder() []event {
	r.closeSpan()
	all := slices.Concat(r.events[r.oldest:], r.events[:r.oldest])
	slices.SortStableFunc(all, func(a, b event) int { return cmp.Compare(a.from, b.from) })
	return all
}

// AppendBinary appends the encoded recording, which is sent from rank to rank: the rank, the
// number of dropped events, then each event by its differences from the previous event. It closes
// the current span.
func (r *Recording) AppendBinary(dst []byte) ([]byte, error) {
	events := r.eventsInOrder()
	dst = binary.AppendUvarint(dst, uint64(r.Rank))
	dst = binary.AppendUvarint(dst, uint64(r.Dropped))
	dst = binary.AppendUvarint(dst, uint64(len(events)))
	last := comm.Time(0)
	for _, e := range events {
		dst = append(dst, e.what, byte(e.kind))
		for _, v := range [...]int64{int64(e.from - last), int64(e.to - e.from), e.number, int64(e.overhead), int64(e.peer), int64(e.serial)} {
			dst = binary.AppendVarint(dst, v)
		}
		last = e.from
	}
	return dst, nil
}

var errRecording = errors.New("the recording ends early or has a number that is too large")

// DecodeRecording reads the output of AppendBinary.
func DecodeRecording(data []byte) (*Recording, error) {
	in := wire.NewReader(data)
	rank, dropped, n := in.Uvarint(maxRank), in.Uvarint(1<<62), in.Uvarint(uint64(len(data)))
	if in.Err() != nil {
		return nil, errRecording
	}
	r := &Recording{Rank: int(rank), Dropped: int64(dropped), events: make([]event, n), limit: max(int(n), 1)}
	last := comm.Time(0)
	for i := range r.events {
		e := &r.events[i]
		e.what, e.kind = in.Byte(), comm.Kind(in.Byte())
		if e.what >= whats || e.kind >= comm.Kinds {
			return nil, fmt.Errorf("an event has the unknown kind %d, %d", e.what, e.kind)
		}
		var v [6]int64
		for j := range v {
			v[j] = in.Varint()
		}
		if in.Err() != nil {
			return nil, errRecording
		}
		last += comm.Time(v[0])
		e.from, e.to, e.number, e.overhead, e.peer, e.serial = last, last+comm.Time(v[1]), v[2], comm.Time(v[3]), int32(v[4]), int32(v[5])
	}
	if len(in.Rest()) > 0 {
		return nil, errRecording
	}
	return r, nil
}

// maxRank bounds the ranks in encoded recordings and traces.
const maxRank = 1 << 24
