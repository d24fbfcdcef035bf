package ksbf

import "fmt"

// round decides when no rank has a task and no task is in flight. A token travels round the
// ring. Every rank holds it until the rank has nothing to execute, and then passes it on. The
// run is over if rank 0 has the token back and has received no task since it sent the token.
// One quiet round is sufficient, without the counts and colours of Safra's algorithm
// (termination.Ring). There are two reasons, which hold only on this ring: tasks travel in the
// direction of the token, and no message overtakes another.
//
// Proof. Let rank 0 send the token at a moment at which it has no task, and receive no task
// until the token is back. A rank stays quiet if it never has a task after it has passed the
// token on. Rank 0 stays quiet: it had no task and received none. Suppose that rank i−1 stays
// quiet. Then it sends no task after the token. The tasks that it sent before the token
// reached rank i before the token, and rank i had executed them when it passed the token on.
// No other rank sends to rank i. So rank i stays quiet. When rank 0 has the token back, every
// rank is quiet, and all tasks that rank p−1 sent arrived before the token. (A task of a grid
// that waits for a parent is not ready; its other parent would be a task of some rank.)
type round struct {
	held  bool // the token is at this rank
	out   bool // rank 0 has sent the token at least once
	tasks bool // a Grant has arrived since rank 0 last sent the token
}

// recordGrant records the arrival of a Grant.
func (r *round) recordGrant() { r.tasks = true }

// recordToken records the arrival of the token.
func (r *round) recordToken() { r.held = true }

// passToken reports whether an idle rank must pass the token on, and records that it does.
func (r *round) passToken() bool {
	pass := r.held
	r.held = false
	return pass
}

// isQuietRound reports, on an idle rank 0, whether a quiet round is complete.
func (r *round) isQuietRound() bool { return r.held && !r.tasks }

// beginRound reports whether an idle rank 0 must start a round, and records that it does.
func (r *round) beginRound() bool {
	if r.out && !r.held {
		return false
	}
	r.held, r.out, r.tasks = false, true, false
	return true
}

// String returns a description of the state.
func (r *round) String() string {
	return fmt.Sprintf("token here %v, sent %v, tasks since %v", r.held, r.out, r.tasks)
}
