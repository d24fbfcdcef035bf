package sim

import (
	"math/rand/v2"

	"treesplit/comm"
	"treesplit/lb"
)

// rank is one simulated rank: the comm.Env of its Balancer. It holds nothing that grows with the
// number of ranks, and little else, because there can be a million ranks.
//
// A rank fills three cache lines. The first one has what every event needs, the last one what few need.
type rank struct {
	world    *world
	balancer lb.Balancer
	number   int32
	head     int32 // the inbox: messages that have arrived, oldest first
	tail     int32
	rings    int32 // alarms that are due and have not been handled
	slow     int32 // a factor of every cost that is charged to the rank
	awaited  bool  // a ready event for this rank is in the queue
	stepping bool  // inside Step
	started  bool  // stream is set up
	done     bool
	isLate   bool      // late is not empty
	state    lb.State  // the Balancer's state after its last call
	clock    comm.Time // the rank is occupied until then

	coasting   int64     // the largest number of quanta that the rank expands without a poll; 0: it polls
	firstSaved trail     // of the first poll of the coasting
	waking     trail     // of the rank's ready event; other ready events are void
	expanded   int64     // nodes that have been charged, redundant ones too
	busy       comm.Time // spent on nodes
	overhead   comm.Time // spent on everything else, until done
	messages   int64     // sent to other ranks
	bytes      int64     // of the pieces sent, as the machine counts them

	stream rand.Rand
	pcg    rand.PCG
	late   *[]late // long messages in flight; nil: there was none
	doneAt comm.Time
}

// late is a message in flight that a later message could overtake.
type late struct {
	to int32
	at comm.Time
}

// Rank returns this rank's number.
func (r *rank) Rank() int { return int(r.number) }

// Size returns the number of ranks.
func (r *rank) Size() int { return len(r.world.ranks) }

// Now returns the rank's clock. Within a Step it includes the nodes expanded so far.
func (r *rank) Now() comm.Time {
	r.chargeExpanded()
	return r.clock
}

// Rand returns this rank's own random stream, which is created at the first call.
func (r *rank) Rand() *rand.Rand {
	if !r.started {
		r.started = true
		r.pcg.Seed(r.world.seed, uint64(r.number))
		r.stream = *rand.New(&r.pcg)
	}
	return &r.stream
}

// Alarm requests an alarm at the moment at, or now if that moment is past.
func (r *rank) Alarm(at comm.Time) {
	r.chargeExpanded()
	r.world.agenda.scheduleItem(max(at, r.clock), ring, r.number)
}

// Send charges Startup, and Split for a piece, and sends the message.
func (r *rank) Send(m comm.Message) {
	r.chargeExpanded()
	m.From = r.number
	w := r.world
	bytes := int64(len(m.Body))
	if m.HasPiece() {
		bytes = w.machine.Work.bodyBytes(m.Body, w.options.LeftIn)
		r.bytes += bytes
	}
	w.sent[m.Kind]++
	if m.To != r.number {
		r.messages++
		r.chargeOverhead(w.machine.Startup)
		if m.HasPiece() {
			r.chargeOverhead(w.machine.Split)
		}
	}
	if w.options.Trace != nil {
		w.traceEntry(r, Entry{What: Sent, Message: m, Bytes: bytes})
	}
	if m.HasPiece() {
		w.check.countSent(m)
	}
	w.postMessage(r, m, bytes)
}

// chargeOverhead charges the rank for anything other than nodes.
func (r *rank) chargeOverhead(t comm.Time) {
	t *= comm.Time(r.slow)
	r.clock += t
	if !r.done {
		r.overhead += t
	}
}

// chargeExpanded charges, within a Step, the nodes that have been expanded since the Step began or
// since the last call. The next actions of the Balancer therefore happen after these nodes.
func (r *rank) chargeExpanded() {
	if r.stepping {
		s := r.balancer.Stats()
		r.chargeNodes(s.Expanded + s.Redundant)
	}
}

// chargeNodes charges the nodes up to the given total.
func (r *rank) chargeNodes(total int64) {
	if n := total - r.expanded; n > 0 {
		t := (multiplyPicos(r.world.nodeCost, total) - multiplyPicos(r.world.nodeCost, r.expanded)) * comm.Time(r.slow)
		r.expanded = total
		r.clock += t
		r.busy += t
		r.world.lastExpansion = max(r.world.lastExpansion, r.clock)
	}
}

// orderedArrival returns the moment at which a message arrives that leaves at depart and would
// arrive at at. It does not arrive before earlier messages to the same rank that are still in
// flight. Only messages that are longer than others to the same rank are remembered.
func (r *rank) orderedArrival(to int32, depart, at comm.Time, long bool) comm.Time {
	if r.late == nil {
		r.late = new([]late)
	}
	kept := (*r.late)[:0]
	for _, l := range *r.late {
		if l.at <= depart {
			continue
		}
		kept = append(kept, l)
		if l.to == to {
			at = max(at, l.at)
		}
	}
	if long {
		kept = append(kept, late{to, at})
	}
	*r.late, r.isLate = kept, len(kept) > 0
	return at
}
