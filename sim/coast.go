package sim

import (
	"treesplit/comm"
	"treesplit/lb"
)

// A Busy rank that polls after every node causes most events of a simulation, and nearly all its
// polls find no message. Unless the run is observed step by step, such a rank coasts: it expands all
// quanta until the next message or alarm in one event. The rank can coast only as far as its Balancer
// knows that Step just expands nodes (lb.Steady): the last Step must end, before its poll, before the moment at
// which the Balancer acts. A message that arrives earlier ends the coasting at
// the poll that follows the arrival, as without coasting.
//
// The run is the same as without coasting, because the order of events of the same moment does not
// depend on it (order.go).

// canCoast reports whether the run is not observed step by step, is not stopped at a moment, and has no
// faults.
func (o *Options) canCoast() bool {
	return !o.EveryPoll && o.Trace == nil && o.Left == nil && o.Look == nil && o.PauseAt == 0 && o.Faults == Faults{}
}

// coastingQuantum returns the time of a quantum and its poll if ranks coast, otherwise 0. All quanta must
// take the same time, a whole number of nanoseconds: the order of events relies on it.
func (m *Machine) coastingQuantum(p int, o *Options) comm.Time {
	if !o.canCoast() || m.NodeCostPicos(p)*int64(m.Quantum)%picosPerNano != 0 {
		return 0
	}
	return m.TimeOfNodes(int64(m.Quantum), p) + m.Poll
}

// beginCoasting makes a Busy rank without messages coast, if this saves events. The rank wakes up
// when its steady nodes are expanded.
func (w *world) beginCoasting(r *rank) bool {
	quantum := w.agenda.causes.quantum
	if quantum == 0 || r.head != none || r.rings > 0 {
		return false
	}
	steady, ok := r.balancer.(lb.Steady)
	if !ok {
		return false
	}
	nodes, until := steady.SteadyNodes(true)
	quanta := min(nodes/int64(w.machine.Quantum), maxSteps/2)
	if until < comm.Never { // Step number i ends at clock + i·quantum − Poll
		quanta = min(quanta, int64((until-r.clock+w.machine.Poll-1)/quantum))
	}
	if quanta < 2 {
		return false
	}
	r.coasting, r.awaited = quanta, true
	r.firstSaved = w.agenda.causes.trailOf(r.clock + quantum)
	w.scheduleWaking(r, r.clock+comm.Time(quanta)*quantum, r.firstSaved.afterPolls(quanta-1))
	return true
}

// stopCoasting ends the coasting of a rank after a number of quanta, and schedules the rank for the poll
// that follows.
func (w *world) stopCoasting(r *rank, quanta int64) {
	w.expandCoasted(r, quanta)
	w.scheduleWaking(r, r.clock, r.firstSaved.afterPolls(quanta-1)) // the event at the end of the coasting is void
}

// firstPoll returns the number of quanta after which a coasting rank finds the message or the alarm of an
// event.
func (w *world) firstPoll(r *rank, e *event) int64 {
	quanta := w.pollsBefore(r, e.at) + 1
	poll := newEvent(r.clock+comm.Time(quanta)*w.agenda.causes.quantum, r.firstSaved.afterPolls(quanta-1), ready, none)
	if w.agenda.causes.comesBefore(&poll, e) {
		quanta++
	}
	return quanta
}

// pollsBefore returns the number of a coasting rank's polls before a moment.
func (w *world) pollsBefore(r *rank, now comm.Time) int64 {
	return min(int64(max(now-r.clock-1, 0)/w.agenda.causes.quantum), r.coasting-1)
}

// expandCoasted expands the quanta of a rank that stops coasting.
func (w *world) expandCoasted(r *rank, quanta int64) {
	r.coasting = 0
	r.chargeOverhead(comm.Time(quanta-1) * w.machine.Poll)
	w.steps += quanta - 1
	w.expandNodes(r, int(quanta)*w.machine.Quantum)
	r.chargeOverhead(w.machine.Poll)
}
