package ksbf

import (
	"fmt"

	"treesplit/comm"
)

// Rank is one rank of a real run of KS-BF. It talks to its right neighbour alone: a
// Grant brings the right children of the tasks that it executed in one Step, a Token
// looks for the end (round.go), Stop and Found go on from neighbour to neighbour. Messages
// between two ranks must arrive in the order sent, as comm.Env promises.
//
// It departs from the paper where real ranks differ from those of the model: they do
// not keep step, and the right children of many tasks travel in one message. Where a
// task runs does not change by that, nor how many each rank executes.
//
// The driver calls Step only while the rank is Busy; no two calls overlap. After Done
// it must go on calling Deliver until no message is left.
type Rank struct {
	processor *Processor
	round     round
	out       []byte // right children since the last Grant
	halting   bool   // Halt has been called here or passed on
	done      bool
	reason    int64
	err       error

	grants, accepted, bytes int64
}

// NewRank returns a rank without tasks.
func NewRank(w Workload) *Rank { return &Rank{processor: NewProcessor(w)} }

// Start is the first call; rank 0 holds the root.
func (r *Rank) Start(env comm.Env) {
	if env.Rank() == 0 {
		r.processor.OfferTask(r.processor.work.Root())
	}
}

// Busy reports whether Step is to be called.
func (r *Rank) Busy() bool { return r.processor.ReadyCount() > 0 && !r.halting && !r.done }

// Done reports whether the rank knows that the run is over.
func (r *Rank) Done() bool { return r.done }

// Reason is what Halt was called with on some rank, the first that rank 0 heard of, or
// 0 where all tasks have been executed.
func (r *Rank) Reason() int64 { return r.reason }

// Step executes up to limit tasks and sends their right children on.
func (r *Rank) Step(env comm.Env, limit int) (executed int) {
	for executed < limit && r.processor.ReadyCount() > 0 {
		_, right, send := r.processor.Execute()
		executed++
		switch {
		case !send:
		case env.Size() == 1:
			r.processor.OfferTask(right)
		default:
			r.out = appendTask(r.out, &right)
		}
	}
	if len(r.out) > 0 {
		r.grants += int64(len(r.out) / taskBytes)
		r.bytes += int64(len(r.out))
		r.sendToNeighbour(env, comm.Message{Kind: comm.Grant, Arg: int64(len(r.out) / taskBytes), Body: r.out})
		r.out = nil
	}
	r.advanceRound(env)
	return executed
}

// sendToNeighbour sends a message to the right neighbour.
func (r *Rank) sendToNeighbour(env comm.Env, m comm.Message) {
	m.To = int32((env.Rank() + 1) % env.Size())
	env.Send(m)
}

// advanceRound lets the round go on where the rank has nothing to do.
func (r *Rank) advanceRound(env comm.Env) {
	if r.done || r.halting || r.processor.ReadyCount() > 0 {
		return
	}
	switch {
	case env.Rank() != 0:
		if r.round.passToken() {
			r.sendToNeighbour(env, comm.Message{Kind: comm.Token})
		}
	case env.Size() == 1 || r.round.isQuietRound():
		r.finishRun(env, 0)
	case r.round.beginRound():
		r.sendToNeighbour(env, comm.Message{Kind: comm.Token})
	}
}

// Deliver handles a message.
func (r *Rank) Deliver(env comm.Env, m comm.Message) {
	if left := (env.Rank() + env.Size() - 1) % env.Size(); int(m.From) != left {
		r.recordError(fmt.Errorf("%v from rank %d: expected messages from the left neighbour, rank %d, alone", m.Kind, m.From, left))
		return
	}
	switch m.Kind {
	case comm.Grant:
		r.round.recordGrant()
		r.accepted += int64(len(m.Body) / taskBytes)
		if err := r.processor.offerTasks(m.Body); err != nil {
			r.recordError(fmt.Errorf("tasks from rank %d: %w", m.From, err))
		}
	case comm.Token:
		r.round.recordToken()
	case comm.Found:
		r.Halt(env, m.Arg)
	case comm.Stop:
		r.finishRun(env, m.Arg)
	default:
		r.recordError(fmt.Errorf("unexpected message: %v from rank %d, tag %d, argument %d", m.Kind, m.From, m.Tag, m.Arg))
	}
	r.advanceRound(env)
}

// Halt asks for the end of the run before all tasks have been executed: it goes round
// to rank 0, which ends the run. reason is above 0.
func (r *Rank) Halt(env comm.Env, reason int64) {
	if r.done || r.halting {
		return
	}
	r.halting = true
	if env.Rank() == 0 {
		r.finishRun(env, reason)
		return
	}
	r.sendToNeighbour(env, comm.Message{Kind: comm.Found, Arg: reason})
}

// finishRun ends the run here and, one after the other, on the ranks to the right.
func (r *Rank) finishRun(env comm.Env, reason int64) {
	if r.done {
		return
	}
	r.done, r.reason = true, reason
	if env.Rank()+1 < env.Size() {
		r.sendToNeighbour(env, comm.Message{Kind: comm.Stop, Arg: reason})
	}
}

func (r *Rank) recordError(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Err is the first message that made no sense, or nil. The run cannot go on after it.
func (r *Rank) Err() error { return r.err }

// Processor is the rank's tasks, their tally and their credits.
func (r *Rank) Processor() *Processor { return r.processor }

// TrafficCounts is the number of tasks passed on and taken in, and of bytes passed on.
func (r *Rank) TrafficCounts() (sent, accepted, bytes int64) { return r.grants, r.accepted, r.bytes }

// String describes the rank for a person who wonders why a run does not end.
func (r *Rank) String() string {
	return fmt.Sprintf("%v, %d sent, %d accepted, %v, halting %v, done %v", r.processor, r.grants, r.accepted, &r.round, r.halting, r.done)
}
