// Package trace records what ranks did and when. A trace has one track per rank with a span for
// every state, and an arrow for every piece of work sent between ranks. Recording is one rank's
// bounded list of events. Trace combines the recordings of all ranks. Write converts a Trace to
// the Trace Event Format, which the viewers of Chrome and Perfetto read, and Read converts it
// back.
//
// The source of the format is "Trace Event Format" by the authors of Chrome's viewer, Nat Duca
// and Dan Sinclair. Spans are complete events (X), arrows are flow events (s, f), marks are
// instants (i), and names are metadata (M).
package trace

import (
	"cmp"
	"fmt"
	"slices"

	"treesplit/comm"
)

// State is the activity of a rank during a time.
type State uint8

// The states. They include the states of package lb, except that Waiting is divided in two.
const (
	Busy     State = iota // expands nodes, with polls between quanta
	Seeking               // has no work and looks for a donor, or pauses
	Waiting               // has sent a request and waits for the answer
	Idle                  // has no work and no request in flight
	Overhead              // handles messages, or begins and ends a search
	Done                  // knows that the search is over

	// States is the number of states.
	States
)

var stateNames = [States]string{"Busy", "Seeking", "Waiting", "Idle", "Overhead", "Done"}

// String returns the name of the state.
func (s State) String() string {
	if s < States {
		return stateNames[s]
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// parseState is the inverse of String.
func parseState(name string) (State, bool) {
	i := slices.Index(stateNames[:], name)
	return State(max(i, 0)), i >= 0
}

// Span is a time that a rank spends in one state, From ≤ To.
type Span struct {
	From, To comm.Time
	State    State
	Nodes    int64     // expanded during the span
	Overhead comm.Time // part of the time spent on polls and messages that are too short for spans of their own
}

// Mark is a named point in time.
type Mark struct {
	At   comm.Time
	Name string
}

// Track is the activity of one rank, in order of time. Each span begins where the previous span
// ends.
type Track struct {
	Rank    int
	Spans   []Span
	Marks   []Mark
	Dropped int64 // number of the rank's oldest events that were dropped because the list was full
}

// Arrow is a message that carries work.
type Arrow struct {
	From, To      int32     // ranks
	Left, Arrived comm.Time // when it was sent, and when its receiver handled it; Left ≤ Arrived
	Kind          comm.Kind // Grant, Deal or Move
	Bytes         int64     // of the work
}

// Note is a fact about a run.
type Note struct{ Key, Value string }

// Trace is the activity of all ranks. Time 0 is the beginning of the run.
type Trace struct {
	Title  string
	Notes  []Note  // in order
	Tracks []Track // by rank, ascending; a rank may have none
	Arrows []Arrow // in the order in which they were sent
}

// TimeRange returns the time from the beginning of the first span to the end of the last, or 0, 0
// without spans.
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

// DroppedEvents returns the number of events that were dropped because lists were full.
func (t *Trace) DroppedEvents() (n int64) {
	for _, track := range t.Tracks {
		n += track.Dropped
	}
	return n
}

// Clock returns the offset of a rank's clock from the clock of rank 0.
type Clock func(rank int) comm.Time

// JoinRecordings combines the recordings of all ranks into a Trace. The earliest time becomes
// time 0. An arrow with one dropped end is left out. If an arrow would arrive before it was sent,
// because clocks do not agree exactly, it arrives at the time when it was sent. JoinRecordings
// takes O(n log n) for n events.
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

// stopName is the mark of the time at which a rank knows that the search is over.
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

// matchArrows joins the ends of arrows. Messages between two ranks keep their order, so the n-th
// message sent is the n-th received.
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
	sortArrows(arrows)
	return arrows
}

// sortArrows sorts arrows by the time when they were sent.
func sortArrows(all []Arrow) {
	slices.SortStableFunc(all, func(a, b Arrow) int {
		return cmp.Or(cmp.Compare(a.Left, b.Left), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
}

// shiftTimes adds by to all times.
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
