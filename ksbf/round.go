package ksbf

import "fmt"

// round decides when no rank has a task and none is in flight. A token goes round the
// ring; every rank holds it until it has nothing to execute, and then passes it on.
// The run is over once rank 0 has the token back and has received no task since it
// sent it. That one quiet round is enough, without the counts and colours of Safra's
// algorithm (termination.Ring), for two reasons that hold on this ring alone: tasks
// travel in the token's direction only, and no message overtakes another.
//
// Proof. Let rank 0 send the token at a moment at which it has no task, and receive
// none until the token is back. Say that rank i stays quiet if after it has passed the
// token on it never has a task. Rank 0 stays quiet: it had no task, and got none. If
// rank i−1 stays quiet it sends no task after the token; what it sent before it came
// to rank i before the token, and rank i had executed that when it passed the token
// on; nobody else sends to rank i; so rank i stays quiet. When rank 0 has the token back
// every rank is quiet, and whatever rank p−1 sent came before it. (A task of a grid that
// waits for a parent is not ready; its other parent would be a task that some rank has.)
type round struct {
	held  bool // the token is here
	out   bool // rank 0 has sent the token at least once
	tasks bool // a Grant has arrived since rank 0 last sent the token
}

// recordGrant notes a Grant.
func (r *round) recordGrant() { r.tasks = true }

// recordToken notes the token.
func (r *round) recordToken() { r.held = true }

// passToken reports whether an idle rank is to pass the token on, and notes that it does.
func (r *round) passToken() bool {
	pass := r.held
	r.held = false
	return pass
}

// isQuietRound says, on an idle rank 0, that a quiet round has been made.
func (r *round) isQuietRound() bool { return r.held && !r.tasks }

// beginRound reports whether an idle rank 0 is to start a round, and notes that it does.
func (r *round) beginRound() bool {
	if r.out && !r.held {
		return false
	}
	r.held, r.out, r.tasks = false, true, false
	return true
}

// String describes the state.
func (r *round) String() string {
	return fmt.Sprintf("token here %v, sent %v, tasks since %v", r.held, r.out, r.tasks)
}
