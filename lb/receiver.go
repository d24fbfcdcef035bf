package lb

import (
	"fmt"

	"treesplit/comm"
)

// Selector names the rank that an idle rank asks next; it is all in which the
// receiver-initiated schemes differ. ok is false while the answer is on its way.
// A Selector may return its own rank, which counts as a refusal. It is never
// asked where P = 1.
type Selector interface {
	// Next is called when the rank wants a donor.
	Next(env comm.Env) (donor int, ok bool)
	// Receive handles FetchAdd and FetchAddReply; the donor is the one that Next
	// could not name.
	Receive(env comm.Env, m comm.Message) (donor int, ok bool)
	// Wake follows an Alarm; it may complete this rank's own pending choice.
	Wake(env comm.Env) (donor int, ok bool)
}

// local is embedded by Selectors that need no messages.
type local struct{}

func (local) Receive(comm.Env, comm.Message) (int, bool) { return 0, false }
func (local) Wake(comm.Env) (int, bool)                  { return 0, false }

// Receiver is the state diagram of a receiver-initiated scheme (Kumar et al.,
// figure 1): a rank works until it has nothing left, then picks a donor, asks it
// and waits; refused, it picks another; granted a piece, it works again. A rank
// asked for work splits its own, or refuses where there is too little.
//
// Departure from the paper: a requester that has been refused P times in a row
// may pause before it asks on (Options.Backoff), so that ranks without work do not
// take the processor from those that have some. The papers' machines give every
// rank a processor; a simulation has no pauses unless its machine says so.
type Receiver struct {
	rank
	selector Selector
	choosing bool // the Selector has not named the donor it was asked for
	backoff  backoff
}

// NewReceiver returns a rank that asks the donors that selector names.
func NewReceiver(o Options, selector Selector) *Receiver {
	return &Receiver{rank: newRank(o), selector: selector, backoff: backoff{least: o.Backoff}}
}

// Start takes stock; a rank without work begins to seek.
func (r *Receiver) Start(env comm.Env) {
	r.beginSearch(env)
	r.seekDonor(env)
}

// Step expands nodes and begins to seek when there are none left.
func (r *Receiver) Step(env comm.Env, limit int) int {
	n := r.expandNodes(env, limit)
	r.seekDonor(env)
	return n
}

// seekDonor picks a donor, if one is wanted.
func (r *Receiver) seekDonor(env comm.Env) {
	for r.state == Seeking && !r.choosing && env.Size() > 1 && !r.backoff.isPausing(env) {
		donor, ok := r.selector.Next(env)
		r.choosing = !ok
		if ok {
			r.sendRequest(env, donor)
		}
	}
}

// sendRequest sends the request. A donor that is this rank itself has refused.
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

// askChosenDonor asks the donor of a Selector that has made up its mind, and goes on
// seeking where that did not lead anywhere.
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

func (r *Receiver) handleReject(env comm.Env) {
	if r.state != Waiting || r.halting {
		return
	}
	r.state = Seeking
	r.backoff.noteRefusal(env)
	r.seekDonor(env)
}

// Wake passes an alarm to the Selector and ends a pause that is over.
func (r *Receiver) Wake(env comm.Env) {
	donor, ok := r.selector.Wake(env)
	r.askChosenDonor(env, donor, ok)
	r.seekDonor(env)
}

// Dump describes the rank and its choice of donor.
func (r *Receiver) Dump() string {
	return fmt.Sprintf("%s; %T, choosing %v, refused %d times in a row", r.rank.Dump(), r.selector, r.choosing, r.backoff.refusals)
}
