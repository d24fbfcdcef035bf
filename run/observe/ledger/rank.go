// Package ledger records a run: how every rank spends its time, which messages it sends, the
// sizes of pieces, the times of requests and, if requested, a trace. The worlds report events to
// it; package lb reports the requests. Ranks without an observer do not use it.
package ledger

import (
	"treesplit/comm"
	"treesplit/internal/histogram"
	"treesplit/lb"
	"treesplit/run/observe/trace"
)

// Account is how a rank has spent its time. The states add up to the time from Begin to the last
// reported event.
type Account [trace.States]comm.Time

// WorkingTime returns the time spent on nodes.
func (a *Account) WorkingTime() comm.Time { return a[trace.Busy] }

// SearchTime returns the time without work in which the rank looks for work: its request is in
// flight, it looks for a donor, or it pauses between two requests.
func (a *Account) SearchTime() comm.Time { return a[trace.Seeking] + a[trace.Waiting] }

// IdlingTime returns the time without work and without a request: the rank waits for the end of
// the search or for work that comes without a request.
func (a *Account) IdlingTime() comm.Time { return a[trace.Idle] + a[trace.Done] }

// OverheadTime returns all other time: polls, messages, and the time between searches.
func (a *Account) OverheadTime() comm.Time { return a[trace.Overhead] }

// TotalTime returns the sum of all times.
func (a *Account) TotalTime() (sum comm.Time) {
	for _, t := range a {
		sum += t
	}
	return sum
}

// Counts are numbers that add up over ranks.
type Counts struct {
	Messages   [comm.Kinds]int64   // sent to other ranks
	Pieces     histogram.Histogram // bytes of the work in messages that carry some
	Granted    histogram.Histogram // nanoseconds from a request to an answer with a piece
	Refused    histogram.Histogram // nanoseconds from a request to another answer
	Unanswered int64               // requests without an answer at the end of the run
}

// MergeFrom adds the counts of other ranks.
func (c *Counts) MergeFrom(o *Counts) {
	for k, n := range o.Messages {
		c.Messages[k] += n
	}
	c.Pieces.MergeFrom(&o.Pieces)
	c.Granted.MergeFrom(&o.Granted)
	c.Refused.MergeFrom(&o.Refused)
	c.Unanswered += o.Unanswered
}

// Rank observes one rank. Its methods must be called in order of time. They take O(1) and
// allocate no memory, except for a growing trace.
type Rank struct {
	Account  Account
	Counts   *Counts          // of this rank, or of several ranks on one goroutine
	Requests *lb.Requests     // of the current search
	Record   *trace.Recording // nil: no trace
	Given    *Transfers       // nil: no list

	number int
	at     comm.Time // all events until then are recorded
	pieces int64     // pieces handed over in the current search, up to the last message
}

// New returns a Rank that observes from the time at.
func New(rank int, counts *Counts, record *trace.Recording, at comm.Time) *Rank {
	return &Rank{number: rank, Counts: counts, Record: record, at: at}
}

// BeginSearch begins a search. Package lb notes requests in the returned record.
func (r *Rank) BeginSearch() *lb.Requests {
	r.Requests = &lb.Requests{Granted: &r.Counts.Granted, Refused: &r.Counts.Refused}
	return r.Requests
}

// Begin notes that a rank begins its search. pieces is the number of pieces that the rank has
// handed over before. The time before at is overhead.
func (r *Rank) Begin(at comm.Time, pieces int64) {
	r.SpendTime(trace.Overhead, at, 0)
	r.pieces = pieces
}

// EndSearch ends a search.
func (r *Rank) EndSearch() {
	r.Counts.Unanswered += int64(r.Requests.Unanswered())
	r.Requests = nil
}

// AccountedUntil returns the time until which the rank's time is accounted for.
func (r *Rank) AccountedUntil() comm.Time { return r.at }

// SpendTime notes that the rank was in state s until a time and expanded the given number of
// nodes. A time in the past counts as now.
func (r *Rank) SpendTime(s trace.State, until comm.Time, nodes int64) {
	until = max(until, r.at)
	r.Account[s] += until - r.at
	if r.Record != nil {
		r.Record.RecordState(s, r.at, until, nodes)
	}
	r.at = until
}

// Worked notes that the rank has expanded the given number of nodes until a time.
func (r *Rank) Worked(until comm.Time, nodes int64) { r.SpendTime(trace.Busy, until, nodes) }

// Handled notes that the rank has polled and handled messages until a time.
func (r *Rank) Handled(until comm.Time) { r.SpendTime(trace.Overhead, until, 0) }

// Drained notes that the rank has waited for the last messages until a time.
func (r *Rank) Drained(until comm.Time) { r.SpendTime(trace.Done, until, 0) }

// Waited notes that the rank, in a state of the protocol other than Busy, had nothing to do until
// a time.
func (r *Rank) Waited(state lb.State, until comm.Time) {
	r.SpendTime(r.StateWithoutWork(state), until, 0)
}

// StateWithoutWork returns the trace state of a rank that has no work and waits for messages. A
// rank that Waits without a request is Idle.
func (r *Rank) StateWithoutWork(state lb.State) trace.State {
	switch {
	case state == lb.Seeking:
		return trace.Seeking
	case state == lb.Done:
		return trace.Done
	case r.Requests.Unanswered() > 0:
		return trace.Waiting
	}
	return trace.Idle
}

// Sent notes that a message leaves the rank. bytes is the length of its body as the world counts
// it. pieces is the number of pieces that the rank has handed over so far, including this
// message; a forwarded piece does not count.
func (r *Rank) Sent(at comm.Time, m comm.Message, bytes, pieces int64) {
	if int(m.To) != r.number && m.Kind < comm.Kinds {
		r.Counts.Messages[m.Kind]++
	}
	if pieces != r.pieces {
		r.pieces = pieces
		r.Counts.Pieces.AddNumber(bytes)
	}
	if r.Record != nil {
		r.Record.RecordSent(at, m, bytes)
	}
	if r.Given != nil && trace.CarriesWork(m) {
		r.Given.addTransfer(Transfer{int32(r.number), m.To, bytes})
	}
}

// Received notes that a message is handled.
func (r *Rank) Received(at comm.Time, m comm.Message) {
	if r.Record != nil {
		r.Record.RecordReceived(at, m)
	}
}

// Stopped notes that the rank knows of the end of the search.
func (r *Rank) Stopped(at comm.Time) {
	if r.Record != nil {
		r.Record.RecordStop(at)
	}
}
