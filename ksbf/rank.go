package ksbf

import (
	"fmt"

	"treesplit/comm"
)

// Rank is one rank of a real run of KS-BF. It sends messages only to its right neighbour. A
// Grant carries the right children of the tasks that were executed in one Step. A Token
// detects the end (round.go). Stop and Found are forwarded from neighbour to neighbour.
// Messages between two ranks must arrive in the order in which they were sent, as comm.Env
// promises.
//
// Departures from the paper, because real ranks differ from the ranks of the model: they do
// not run in lockstep, and the right children of many tasks are sent in one message. These do
// not change the rank on which a task runs, nor the number of tasks of each rank.
//
// The driver calls Step only while the rank is Busy; no two calls overlap. After Done it must
// call Deliver until no message is left.
type Rank struct {
	processor *Processor
	round     round
	out       []byte // right children since the last Grant
	halting   bool   // Halt was called on this rank or forwarded
	done      bool
	reason    int64
	err       error

	grants, accepted, bytes int64
}

// NewRank returns a rank without tasks.
func NewRank(w Workload) *Rank { return &Rank{processor: NewProcessor(w)} }

// Start is the first call. Rank 0 holds the root.
func (r *Rank) Start(env comm.Env) {
	if env.Rank() == 0 {
		r.processor.OfferTask(r.processor.work.Root())
	}
}

// Busy reports whether the driver must call Step.
func (r *Rank) Busy() bool { return r.processor.ReadyCount() > 0 && !r.halting && !r.done }

// Done reports whether the run is over for this rank.
func (r *Rank) Done() bool { return r.done }

// Reason returns the argument of the first Halt that reached rank 0, or 0 if all tasks have
// been executed.
func (r *Rank) Reason() int64 { return r.reason }

// Step executes up to limit tasks and sends their right children to the neighbour.
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

// advanceRound advances the detection of the end if the rank has nothing to execute.
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
		r.recordError(fmt.Errorf("rank %[2]d sent a %[1]v: expected messages only from the left neighbour, rank %[3]d", m.Kind, m.From, left))
		return
	}
	switch m.Kind {
	case comm.Grant:
		r.round.recordGrant()
		r.accepted += int64(len(m.Body) / taskBytes)
		if err := r.processor.offerTasks(m.Body); err != nil {
			r.recordError(fmt.Errorf("the tasks from rank %d are invalid: %w", m.From, err))
		}
	case comm.Token:
		r.round.recordToken()
	case comm.Found:
		r.Halt(env, m.Arg)
	case comm.Stop:
		r.finishRun(env, m.Arg)
	default:
		r.recordError(fmt.Errorf("rank %[2]d sent an unexpected message: %[1]v with tag %[3]d, argument %[4]d", m.Kind, m.From, m.Tag, m.Arg))
	}
	r.advanceRound(env)
}

// Halt requests the end of the run before all tasks have been executed. The request travels
// round the ring to rank 0, which ends the run. reason must be above 0.
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

// finishRun ends the run on this rank and, one after the other, on the ranks to the right.
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

// Err returns an error for the first invalid message, or nil. The run cannot continue after an
// error.
func (r *Rank) Err() error { return r.err }

// Processor returns the rank's tasks with their tally and credits.
func (r *Rank) Processor() *Processor { return r.processor }

// TrafficCounts returns the numbers of tasks sent and accepted, and of bytes sent.
func (r *Rank) TrafficCounts() (sent, accepted, bytes int64) { return r.grants, r.accepted, r.bytes }

// String describes the rank, for a user who wants to know why a run does not end.
func (r *Rank) String() string {
	return fmt.Sprintf("%v, %d sent, %d accepted, %v, halting %v, done %v", r.processor, r.grants, r.accepted, &r.round, r.halting, r.done)
}
