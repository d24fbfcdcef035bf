package lb

import (
	"fmt"

	"treesplit/comm"
)

// Selector chooses the next donor of a requester. The receiver-initiated schemes differ only
// in their Selectors. ok is false if the answer is not known yet. A Selector may return its
// own rank, which counts as a refusal. It is never called if P = 1.
type Selector interface {
	// Next is called when the rank needs a donor.
	Next(env comm.Env) (donor int, ok bool)
	// Receive handles FetchAdd and FetchAddReply. The returned donor is the answer to a Next
	// that returned !ok.
	Receive(env comm.Env, m comm.Message) (donor int, ok bool)
	// Wake is called after the moment of an Alarm. It may return the answer to a Next that
	// returned !ok.
	Wake(env comm.Env) (donor int, ok bool)
}

// local is embedded by Selectors that need no messages.
type local struct{}

func (local) Receive(comm.Env, comm.Message) (int, bool) { return 0, false }
func (local) Wake(comm.Env) (int, bool)                  { return 0, false }

// Receiver is the state diagram of a receiver-initiated scheme (Kumar et al., figure 1). A
// rank works until it has no work left. Then it chooses a donor, asks it and waits. If the
// donor refuses, the rank chooses another; if the donor grants a piece, the rank works again.
// A donor splits its work, or refuses if it has too little.
//
// Departure from the paper: a requester that has been refused P times in a row may pause
// before its next request (Options.Backoff), so that ranks without work do not take processor
// time from ranks with work. On the papers' machines every rank has its own processor. A
// simulation has no pauses unless its machine specifies them.
type Receiver struct {
	rank
	selector Selector
	choosing bool // the Selector has not returned the requested donor yet
	backoff  backoff
}

// NewReceiver returns a rank that asks the donors that selector chooses.
func NewReceiver(o Options, selector Selector) *Receiver {
	return &Receiver{rank: newRank(o), selector: selector, backoff: backoff{least: o.Backoff}}
}

// Start begins the search; a rank without work seeks a donor.
func (r *Receiver) Start(env comm.Env) {
	r.beginSearch(env)
	r.seekDonor(env)
}

// Step expands nodes, and seeks a donor when none are left.
func (r *Receiver) Step(env comm.Env, limit int) int {
	n := r.expandNodes(env, limit)
	r.seekDonor(env)
	return n
}

// seekDonor chooses a donor if the rank needs one.
func (r *Receiver) seekDonor(env comm.Env) {
	for r.state == Seeking && !r.choosing && env.Size() > 1 && !r.backoff.isPausing(env) {
		donor, ok := r.selector.Next(env)
		r.choosing = !ok
		if ok {
			r.sendRequest(env, donor)
		}
	}
}

// sendRequest sends the request. If the donor is this rank itself, this counts as a refusal.
func (r *Receiver) sendRequest(env comm.Env, donor int) {
	if r.state != Seeking {
		return
	}
	if donor == env.Rank() {
		r.backoff.noteRefusal(env)
		return
	}
	r.state = Waiting
	r.noteRequest(env, soleRequest)
	env.Send(comm.Message{To: int32(donor), Kind: comm.WorkRequest})
}

// askChosenDonor asks a donor that the Selector has chosen, and seeks the next one if the
// donor was this rank itself.
func (r *Receiver) askChosenDonor(env comm.Env, donor int, ok bool) {
	if ok {
		r.choosing = false
		r.sendRequest(env, donor)
		r.seekDonor(env)
	}
}

// Deliver handles a message.
func (r *Receiver) Deliver(env comm.Env, m comm.Message) {
	if r.handleControl(env, m) {
		return
	}
	switch m.Kind {
	case comm.WorkRequest:
		if !r.grantPiece(env, int(m.From), 0) {
			r.stats.Rejects++
			env.Send(comm.Message{To: m.From, Kind: comm.Reject})
		}
	case comm.Grant:
		r.noteAnswer(env, soleRequest, true)
		r.backoff.noteGrant()
		r.takeGrant(m)
	case comm.Reject:
		r.noteAnswer(env, soleRequest, false)
		r.handleReject(env)
	case comm.FetchAdd, comm.FetchAddReply:
		donor, ok := r.selector.Receive(env, m)
		r.askChosenDonor(env, donor, ok)
	default:
		r.failUnexpected(m)
	}
}

// handleReject seeks the next donor after a refusal.
func (r *Receiver) handleReject(env comm.Env) {
	if r.state != Waiting || r.halting {
		return
	}
	r.state = Seeking
	r.backoff.noteRefusal(env)
	r.seekDonor(env)
}

// Wake passes an alarm to the Selector, and continues after a pause.
func (r *Receiver) Wake(env comm.Env) {
	donor, ok := r.selector.Wake(env)
	r.askChosenDonor(env, donor, ok)
	r.seekDonor(env)
}

// Dump describes the rank and its choice of donor.
func (r *Receiver) Dump() string {
	return fmt.Sprintf("%s; %T, choosing %v, refused %d times in a row", r.rank.Dump(), r.selector, r.choosing, r.backoff.refusals)
}
