// Package ledger keeps what there is to tell of a run besides its results: where the time
// of every rank went, which messages were sent, how large the pieces were, how long
// requests took and, where that is wanted, a trace. The worlds tell it of what happens,
// package lb of the requests; a rank that nobody observes has no part in it.
package ledger

import (
	"treesplit/comm"
	"treesplit/internal/histogram"
	"treesplit/lb"
	"treesplit/run/observe/trace"
)

// Account is where the time of a rank went. The states add up to the time from Begin to
// the last thing told.
type Account [trace.States]comm.Time

// WorkingTime is time spent on nodes.
func (a *Account) WorkingTime() comm.Time { return a[trace.Busy] }

// SearchTime is time without work and with hope: the rank has a request out, or looks for
// somebody to ask, or pauses between two requests.
func (a *Account) SearchTime() comm.Time { return a[trace.Seeking] + a[trace.Waiting] }

// IdlingTime is time without work in which the rank has asked nobody: it waits to be told of
// the end, or of work that comes unasked.
func (a *Account) IdlingTime() comm.Time { return a[trace.Idle] + a[trace.Done] }

// OverheadTime is all other time: polls, messages, and what comes between searches.
func (a *Account) OverheadTime() comm.Time { return a[trace.Overhead] }

// TotalTime is all time.
func (a *Account) TotalTime() (sum comm.Time) {
	for _, t := range a {
		sum += t
	}
	return sum
}

// Counts are numbers that can be added up over ranks.
type Counts struct {
	Messages   [comm.Kinds]int64   // sent to other ranks
	Pieces     histogram.Histogram // bytes of the work in messages that hand some over
	Granted    histogram.Histogram // nanoseconds until a request was answered by a piece
	Refused    histogram.Histogram // nanoseconds until it was answered otherwise
	Unanswered int64               // requests that the end of the run has overtaken
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

// Rank is what observes one rank. It is told of everything in order of time. Its methods
// take O(1) and allocate nothing, except for a trace that grows.
type Rank struct {
	Account  Account
	Counts   *Counts          // of this rank, or of several of one goroutine
	Requests *lb.Requests     // of the current search
	Record   *trace.Recording // nil: no trace

	number int
	at     comm.Time // everything until then has been told
	pieces int64     // handed over in the current search, as of the last message
}

// New returns what observes a rank from the moment at on.
func New(rank int, counts *Counts, record *trace.Recording, at comm.Time) *Rank {
	return &Rank{number: rank, Counts: counts, Record: record, at: at}
}

// BeginSearch begins a search: lb is to note requests in what it returns.
func (r *Rank) BeginSearch() *lb.Requests {
	r.Requests = &lb.Requests{Granted: &r.Counts.Granted, Refused: &r.Counts.Refused}
	return r.Requests
}

// Begin notes that a rank which has handed over so many pieces before begins its search;
// what was before the moment at is overhead.
func (r *Rank) Begin(at comm.Time, pieces int64) {
	r.SpendTime(trace.Overhead, at, 0)
	r.pieces = pieces
}

// EndSearch ends a search.
func (r *Rank) EndSearch() {
	r.Counts.Unanswered += int64(r.Requests.Unanswered())
	r.Requests = nil
}

// AccountedUntil is the moment until which the time of the rank is accounted for.
func (r *Rank) AccountedUntil() comm.Time { return r.at }

// SpendTime notes that the rank was in state s until a moment and expanded so many nodes. A
// moment that is past already takes no time.
func (r *Rank) SpendTime(s trace.State, until comm.Time, nodes int64) {
	until = max(until, r.at)
	r.Account[s] += until - r.at
	if r.Record != nil {
		r.Record.RecordState(s, r.at, until, nodes)
	}
	r.at = until
}

// Worked notes that the rank has expanded the given number of nodes until a moment.
func (r *Rank) Worked(until comm.Time, nodes int64) { r.SpendTime(trace.Busy, until, nodes) }

// Handled notes that the rank has looked for messages and handled some until a moment.
func (r *Rank) Handled(until comm.Time) { r.SpendTime(trace.Overhead, until, 0) }

// Drained notes that until a moment the rank has waited for the last messages.
func (r *Rank) Drained(until comm.Time) { r.SpendTime(trace.Done, until, 0) }

// Waited notes that the rank, in a state of the protocol that is not Busy, had nothing to
// do until a moment.
func (r *Rank) Waited(state lb.State, until comm.Time) {
	r.SpendTime(r.StateWithoutWork(state), until, 0)
}

// StateWithoutWork is what a rank does that has no work and waits for messages: a rank that Waits
// but has asked nobody is Idle.
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

// Sent notes that a message leaves the rank. bytes is the length of its body as the world
// counts it, pieces how many the rank has handed over so far, with those in this message:
// a piece that is merely passed on is none.
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
}

// Received notes that a message is handled.
func (r *Rank) Received(at comm.Time, m comm.Message) {
	if r.Record != nil {
		r.Record.RecordReceived(at, m)
	}
}

// Stopped notes that the rank has learned of the end of the search.
func (r *Rank) Stopped(at comm.Time) {
	if r.Record != nil {
		r.Record.RecordStop(at)
	}
}
