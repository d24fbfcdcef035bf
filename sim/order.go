package sim

import "treesplit/comm"

// All ranks need the same time per node, so that many events happen at the same moment. Each event has
// a cause, the event that scheduled it. Events of the same moment happen in the order of their causes,
// and the effects of one cause in the order in which it schedules them. If every poll is an event, they
// happen in the order in which they were scheduled, and a serial number is enough.
//
// If a rank coasts, its polls are no events, but the order must be the same. A poll between two quanta
// happens exactly one quantum after its cause, the poll before. Hence an event has a trail: the event,
// its cause, the cause of the cause, and so on, back to the first event that did not happen one quantum
// after its cause. An event extends the trail of its cause if it happens one quantum later, and is the
// first effect of its cause that does. All other events begin a trail and get a serial number. So a trail
// is known without its events: it consists of the serial number of its beginning and of its length.
//
// Two events of the same moment are compared at the beginning of the shorter of their trails:
//
//   - If both trails begin there, the serial numbers decide.
//   - Otherwise the longer trail has a cause there that is one quantum old. The cause of the shorter
//     trail is older and comes before it, or is younger and comes after it.
//   - If it is also one quantum old, because its first effect extends another trail, then the trails of
//     the two causes are compared. If the causes are the same event, its first effect comes first.

// event is something that happens to a rank at a moment.
type event struct {
	at    comm.Time
	begin uint64 // the beginning of its trail: serial number · 16 + age of the cause; and + its kind
	steps int32  // the length of its trail; always 0 if ranks do not coast
	item  int32  // of a message; the rank of another event
}

// The bits of event.begin below the serial number.
const (
	kindBits  = 1<<2 - 1
	ageBits   = 3 << 2
	younger   = 0 << 2 // the cause is less than a quantum old
	older     = 1 << 2
	sameAge   = 2 << 2 // the cause is one quantum old
	serialBit = 4
)

func newEvent(at comm.Time, t trail, k kind, item int32) event {
	return event{at: at, begin: t.begin&^kindBits | uint64(k), steps: t.steps, item: item}
}

func (e *event) eventKind() kind { return kind(e.begin & kindBits) }

func (e *event) trail() trail { return trail{e.begin, e.steps} }

// trail is the trail of an event; the kind in begin is of no meaning.
type trail struct {
	begin uint64
	steps int32
}

// maxSteps bounds the length of a trail. Its last event begins another one.
const maxSteps = 1 << 30

// noTrail is the trail of no event.
var noTrail trail

// isSame reports whether two trails are of the same event, if they are of events of the same moment.
func (a trail) isSame(b trail) bool {
	return a.begin>>serialBit == b.begin>>serialBit && a.steps == b.steps
}

// afterPolls returns the trail of a coasting rank's poll, a number of polls after the poll of trail a.
func (a trail) afterPolls(n int64) trail { return trail{a.begin, a.steps + int32(n)} }

// causes knows the trail of the present cause, and what is necessary to compare trails.
type causes struct {
	quantum  comm.Time // the time of a quantum and its poll; 0: ranks do not coast
	serial   uint64    // number of trails that have begun
	now      comm.Time // the moment of the present cause
	present  trail     // of the present cause
	extended bool      // an effect of the present cause extends its trail
	// later has the causes of the trails that begin with sameAge, by serial number. It is empty on machines
	// on which no message and no alarm takes exactly one quantum; otherwise each of them can add one entry.
	// Entries stay to the end of the run, because isFirst may follow causes back to the first event.
	later map[uint64]trail
}

// beginCause makes an event that happens the present cause.
func (c *causes) beginCause(e *event) {
	c.now, c.present, c.extended = e.at, e.trail(), false
}

// trailOf returns the trail of the next effect of the present cause, an event at a moment.
func (c *causes) trailOf(at comm.Time) trail {
	after := at - c.now
	oneQuantum := c.quantum > 0 && after == c.quantum
	if oneQuantum && !c.extended && c.present.steps < maxSteps {
		c.extended = true
		return c.present.afterPolls(1)
	}
	c.serial++
	t := trail{begin: c.serial << serialBit}
	switch {
	case oneQuantum:
		t.begin |= sameAge
		if c.later == nil {
			c.later = map[uint64]trail{}
		}
		c.later[c.serial] = c.present
	case after > c.quantum:
		t.begin |= older
	}
	return t
}

// comesBefore reports whether an event comes before another.
func (c *causes) comesBefore(e, f *event) bool {
	if e.at != f.at {
		return e.at < f.at
	}
	if e.steps == f.steps {
		return e.begin < f.begin
	}
	return c.isFirst(e.trail(), f.trail())
}

// isFirst reports whether the event of trail a comes before the event of trail b, which is another event
// of the same moment.
func (c *causes) isFirst(a, b trail) bool {
	switch {
	case a.steps > b.steps:
		return !c.isFirst(b, a)
	case a.steps == b.steps:
		return a.begin < b.begin
	case a.begin&ageBits != sameAge:
		return a.begin&ageBits == older
	}
	cause, other := c.later[a.begin>>serialBit], trail{b.begin, b.steps - a.steps - 1}
	return !cause.isSame(other) && c.isFirst(cause, other)
}
