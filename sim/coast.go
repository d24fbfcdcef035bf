package sim

import (
	"errors"

	"treesplit/comm"
	"treesplit/lb"
)

// A Busy rank that polls after every node causes most events of a simulation, and nearly all its
// polls find no message. With Options.Coast such a rank coasts: it expands all quanta until the next
// message or alarm in one event. The rank can coast only as far as its Balancer knows that Step just
// expands nodes (lb.Steady). A message that arrives earlier ends the coasting at the poll that follows
// the arrival, as without Coast.
//
// The run is the same as without Coast except for the order of events of the same moment: a message
// that arrives at the moment of a poll is found by this poll.

// checkCoast returns an error if a run that coasts is observed event by event, or has faults.
func (o *Options) checkCoast() error {
	if o.Coast && (o.Trace != nil || o.Left != nil || o.Faults != Faults{}) {
		return errors.New("a run that coasts has no single steps: expected no trace, no check after every event and no faults")
	}
	return nil
}

// beginCoasting makes a Busy rank without messages coast, if this saves events. The rank wakes up
// when its steady nodes are expanded.
func (w *world) beginCoasting(r *rank) bool {
	if !w.options.Coast || r.head != none || r.rings > 0 {
		return false
	}
	steady, ok := r.balancer.(lb.Steady)
	if !ok {
		return false
	}
	quanta := steady.SteadyNodes() / int64(w.machine.Quantum)
	if quanta < 2 {
		return false
	}
	r.coasting, r.awaited = quanta, true
	w.scheduleWaking(r, r.clock+w.coastingTime(r, quanta))
	return true
}

// coastingTime returns the time of a number of quanta and their polls.
func (w *world) coastingTime(r *rank, quanta int64) comm.Time {
	nodes := quanta * int64(w.machine.Quantum)
	return multiplyPicos(w.nodeCost, r.expanded+nodes) - multiplyPicos(w.nodeCost, r.expanded) + comm.Time(quanta)*w.machine.Poll
}

// stopCoasting ends the coasting of a rank at its first poll at or after a moment, and schedules the
// rank for this poll.
func (w *world) stopCoasting(r *rank, now comm.Time) {
	quanta := max(1, w.quantaBefore(r, now))
	r.turn++ // the event at the end of the coasting is void
	w.expandCoasted(r, quanta)
	w.awaitFree(r)
}

// quantaBefore returns the number of quanta after which a coasting rank's first poll at or after now
// follows.
func (w *world) quantaBefore(r *rank, now comm.Time) int64 {
	quanta := int64(max(now-r.clock, 0) / max(w.coastingTime(r, 1), 1))
	for quanta > 0 && r.clock+w.coastingTime(r, quanta) >= now {
		quanta--
	}
	for r.clock+w.coastingTime(r, quanta) < now {
		quanta++
	}
	return min(quanta, r.coasting)
}

// expandCoasted expands the quanta of a rank that stops coasting.
func (w *world) expandCoasted(r *rank, quanta int64) {
	r.coasting = 0
	r.chargeOverhead(comm.Time(quanta-1) * w.machine.Poll)
	w.steps += quanta - 1
	w.expandNodes(r, int(quanta)*w.machine.Quantum)
	r.chargeOverhead(w.machine.Poll)
}
