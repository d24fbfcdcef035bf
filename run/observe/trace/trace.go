// Package trace keeps what ranks did when: a track a rank with a span for every state,
// and an arrow for every piece of work that went from one to another. Recording is one
// rank's bounded notebook, Trace what all of them amount to; Write and Read turn a Trace
// into the Trace Event Format, which Chrome's and Perfetto's viewers read, and back.
//
// The format is described in "Trace Event Format" by the authors of Chrome's viewer
// (Nat Duca, Dan Sinclair). Of its events complete ones (X) are used for spans, flow
// events (s, f) for arrows, instants (i) for marks and metadata (M) for names.
package trace

import (
	"cmp"
	"fmt"
	"slices"

	"treesplit/comm"
)

// State is what a rank does for a while.
type State uint8

// The states. Those of package lb are here too, except for Waiting, which is divided.
const (
	Busy     State = iota // expands nodes, and polls between
	Seeking               // has no work and no donor to ask yet, or pauses
	Waiting               // has asked for work and not been answered
	Idle                  // has no work and has asked nobody
	Overhead              // handles messages, or begins and ends a search
	Done                  // knows that the search is over

	// States is the number of states.
	States
)

var stateNames = [States]string{"Busy", "Seeking", "Waiting", "Idle", "Overhead", "Done"}

// String names the state.
func (s State) String() string {
	if s < States {
		return stateNames[s]
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// parseState is String undone.
func parseState(name string) (State, bool) {
	i := slices.Index(stateNames[:], name)
	return State(max(i, 0)), i >= 0
}

// Span is a time that a rank spends in one state, From ≤ To.
type Span struct {
	From, To comm.Time
	State    State
	Nodes    int64     // expanded meanwhile
	Overhead comm.Time // of the time spent on polls and messages, where it is too short for spans of its own
}

// Mark is a moment that has a name.
type Mark struct {
	At   comm.Time
	Name string
}

// Track is what one rank did, in order of time. A rank does one thing at a time: each
// span begins where the one before it ends.
type Track struct {
	Rank    int
	Spans   []Span
	Marks   []Mark
	Dropped int64 // of the rank's events, the oldest ones, for which there was no room
}

// Arrow is a message with work in it.
type Arrow struct {
	From, To      int32     // ranks
	Left, Arrived comm.Time // when it was sent, and when its receiver took it up; Left ≤ Arrived
	Kind          comm.Kind // Grant, Deal or Move
	Bytes         int64     // of the work
}

// Note is something to know about a run.
type Note struct{ Key, Value string }

// Trace is what all ranks did. Time 0 is the beginning of the run.
type Trace struct {
	Title  string
	Notes  []Note  // in order
	Tracks []Track // by rank, ascending; not every rank need have one
	Arrows []Arrow // in the order in which they left
}

// TimeRange is the time from the beginning of the first span to the end of the last; 0, 0
// where there is none.
func (t *Trace) TimeRange() (from, to comm.Time) {
	first := true
	for _, track := range t.Tracks {
		for _, s := range track.Spans {
			if first || s.From < from {
				from = s.From
			}
			if first || s.To > to {
				to = s.To
			}
			first = false
		}
	}
	return from, to
}

// DroppedEvents is the number of events for which there was no room.
func (t *Trace) DroppedEvents() (n int64) {
	for _, track := range t.Tracks {
		n += track.Dropped
	}
	return n
}

// Clock says how far a rank's clock is ahead of rank 0's.
type Clock func(rank int) comm.Time

// JoinRecordings makes a Trace of the recordings of all ranks. The earliest moment becomes time 0.
// An arrow of which one end was dropped is left out; one that would arrive before it
// left, which clocks that do not quite agree can make of it, arrives at once. It takes
// O(n log n) for n events.
func JoinRecordings(title string, all []*Recording, ahead Clock) *Trace {
	t := &Trace{Title: title}
	var sent, received []end
	first, some := comm.Time(0), false
	for _, r := range all {
		shift := ahead(r.Rank)
		events := r.eventsInOrder()
		track := Track{Rank: r.Rank, Dropped: r.Dropped}
		for _, e := range events {
			from, to := e.from-shift, e.to-shift
			if !some || from < first {
				first, some = from, true
			}
			switch e.what {
			case sending:
				sent = append(sent, end{From: int32(r.Rank), To: e.peer, serial: e.serial, at: from, kind: e.kind, bytes: e.number})
			case receiving:
				received = append(received, end{From: e.peer, To: int32(r.Rank), serial: e.serial, at: from})
			case ending:
				track.Marks = append(track.Marks, Mark{from, stopName})
			default:
				track.Spans = append(track.Spans, Span{from, to, State(e.what), e.number, e.overhead})
			}
		}
		t.Tracks = append(t.Tracks, track)
	}
	t.Arrows = matchArrows(sent, received)
	t.shiftTimes(-first)
	slices.SortFunc(t.Tracks, func(a, b Track) int { return cmp.Compare(a.Rank, b.Rank) })
	return t
}

// stopName is the mark of the moment at which a rank knows that the search is over.
const stopName = "Stop"

// end is one end of an arrow.
type end struct {
	From, To, serial int32
	at               comm.Time
	kind             comm.Kind
	bytes            int64
}

func (e end) compareEnds(f end) int {
	return cmp.Or(cmp.Compare(e.From, f.From), cmp.Compare(e.To, f.To), cmp.Compare(e.serial, f.serial))
}

// matchArrows joins the ends of arrows. Messages between two ranks keep their order, so the
// n-th sent is the n-th received.
func matchArrows(sent, received []end) (arrows []Arrow) {
	slices.SortFunc(sent, end.compareEnds)
	slices.SortFunc(received, end.compareEnds)
	for len(sent) > 0 && len(received) > 0 {
		s, r := sent[0], received[0]
		switch c := s.compareEnds(r); {
		case c < 0:
			sent = sent[1:]
		case c > 0:
			received = received[1:]
		default:
			arrows = append(arrows, Arrow{s.From, s.To, s.at, max(s.at, r.at), s.kind, s.bytes})
			sent, received = sent[1:], received[1:]
		}
	}
	slices.SortFunc(arrows, func(a, b Arrow) int {
		return cmp.Or(cmp.Compare(a.Left, b.Left), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return arrows
}

// shiftTimes moves everything in time.
func (t *Trace) shiftTimes(by comm.Time) {
	for i := range t.Tracks {
		track := &t.Tracks[i]
		for j := range track.Spans {
			track.Spans[j].From += by
			track.Spans[j].To += by
		}
		for j := range track.Marks {
			track.Marks[j].At += by
		}
	}
	for i := range t.Arrows {
		t.Arrows[i].Left += by
		t.Arrows[i].Arrived += by
	}
}
