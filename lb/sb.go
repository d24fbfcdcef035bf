package lb

import (
	"fmt"

	"treesplit/comm"
)

// ScheduledRank is a rank under SB, scheduler-based load balancing (Patil and Banerjee 1990;
// Kumar et al., section 4.6). Requesters ask the scheduler, rank 0. The scheduler keeps a
// queue DONOR of the ranks that may have work. It polls them in turn for the requester until
// one of them gives a piece.
//
// As first published, the piece is sent through the scheduler. Kumar et al. let the donor send
// it directly to the requester; so does this implementation, unless
// Options.RouteThroughScheduler is set. The scheduler takes part in the search.
//
// Departure from the paper, which does not specify how DONOR is kept while answers are in
// flight: a rank joins DONOR when a poll for it is sent, and leaves DONOR when it requests
// work. So every rank with work is in DONOR, and no message reports a success. DONOR also
// contains requesters for whom a poll is in flight. When all ranks are out of work, they are
// polled for one another until the detector detects the end. After a whole round of refusals
// the scheduler pauses like any requester.
type ScheduledRank struct {
	rank
	route bool
	sched *scheduler // on rank 0
}

// scheduler is the scheduler's state, on rank 0.
type scheduler struct {
	donors  []int32 // DONOR, first in first out
	asking  []asking
	refused map[int32]int // refusals of requesters for whom a poll is in flight
	pause   comm.Time
}

// asking is a requester that waits for its next poll.
type asking struct {
	requester int32
	refusals  int
	from      comm.Time // the earliest time of the next poll
}

// NewScheduledRank returns a rank under SB.
func NewScheduledRank(o Options) *ScheduledRank {
	return &ScheduledRank{rank: newRank(o), route: o.RouteThroughScheduler, sched: &scheduler{refused: map[int32]int{}, pause: o.Backoff}}
}

// Start begins the search. At the scheduler DONOR holds the rank with the root, or all ranks
// if all will be dealt work or have kept some.
func (r *ScheduledRank) Start(env comm.Env) {
	if env.Rank() == 0 {
		r.sched.donors = append(r.sched.donors, 0)
		for i := 1; (r.isDealing() || r.kept) && i < env.Size(); i++ {
			r.sched.donors = append(r.sched.donors, int32(i))
		}
	}
	r.beginSearch(env)
	r.seekDonor(env)
}

// Step expands nodes, and asks the scheduler when none are left.
func (r *ScheduledRank) Step(env comm.Env, limit int) int {
	n := r.expandNodes(env, limit)
	r.seekDonor(env)
	r.dispatchPolls(env)
	return n
}

// seekDonor sends a request to the scheduler if the rank needs work.
func (r *ScheduledRank) seekDonor(env comm.Env) {
	if r.state != Seeking || env.Size() == 1 {
		return
	}
	r.state = Waiting
	r.noteRequest(env, soleRequest)
	if env.Rank() == 0 {
		r.enqueueRequester(env, 0)
		return
	}
	env.Send(comm.Message{To: 0, Kind: comm.WorkRequest})
}

// Deliver handles a message.
func (r *ScheduledRank) Deliver(env comm.Env, m comm.Message) {
	if r.handleControl(env, m) {
		return
	}
	switch {
	case m.Kind == comm.WorkRequest && env.Rank() == 0:
		r.enqueueRequester(env, m.From)
	case m.Kind == comm.Poll && m.Arg >= 0 && m.Arg < int64(env.Size()):
		r.answerPoll(env, int32(m.Arg))
	case m.Kind == comm.Reject && env.Rank() == 0:
		r.requeueRefused(env, int32(m.Arg-1))
	case m.Kind == comm.Grant && m.Tag > 0 && env.Rank() == 0 && int(m.Tag) <= env.Size():
		r.forwardGrant(env, m)
	case m.Kind == comm.Grant:
		r.noteAnswer(env, soleRequest, true)
		r.takeGrant(m)
	default:
		r.failUnexpected(m)
	}
}

// answerPoll answers a poll with a piece for the requester, or with a refusal.
func (r *ScheduledRank) answerPoll(env comm.Env, requester int32) {
	if !r.grantRequester(env, requester) {
		r.stats.Rejects++
		env.Send(comm.Message{To: 0, Kind: comm.Reject, Arg: int64(requester) + 1})
	}
}

// grantRequester sends a piece to the requester, directly or through the scheduler.
func (r *ScheduledRank) grantRequester(env comm.Env, requester int32) bool {
	if r.route && env.Rank() != 0 {
		return r.grantPiece(env, 0, requester+1)
	}
	return r.grantPiece(env, int(requester), 0)
}

// forwardGrant forwards a piece to its requester (SB as first published). The detector is not
// informed of the forwarding, only of the arrival at the requester.
func (r *ScheduledRank) forwardGrant(env comm.Env, m comm.Message) {
	if m.Tag == 1 {
		r.noteAnswer(env, soleRequest, true)
		r.takeGrant(m)
		return
	}
	env.Send(comm.Message{To: m.Tag - 1, Kind: comm.Grant, Arg: m.Arg, Body: m.Body})
}

// enqueueRequester handles a request at the scheduler. The requester has no work, so it leaves
// DONOR.
func (r *ScheduledRank) enqueueRequester(env comm.Env, requester int32) {
	s := r.sched
	s.removeDonor(requester)
	delete(s.refused, requester)
	s.asking = append(s.asking, asking{requester: requester})
	r.dispatchPolls(env)
}

// requeueRefused handles a refusal at the scheduler: it asks the next donor, after a pause if
// all donors have refused.
func (r *ScheduledRank) requeueRefused(env comm.Env, requester int32) {
	s := r.sched
	refusals, out := s.refused[requester]
	if !out {
		r.recordError(fmt.Errorf("a refusal for rank %d is unexpected: no poll for it is in flight", requester))
		return
	}
	delete(s.refused, requester)
	s.removeDonor(requester)
	a := asking{requester: requester, refusals: refusals + 1}
	if s.pause > 0 && a.refusals%max(len(s.donors), 1) == 0 {
		a.from = env.Now() + s.pause
		env.Alarm(a.from)
	}
	s.asking = append(s.asking, a)
	r.dispatchPolls(env)
}

// dispatchPolls polls a donor for each requester that is due, as long as DONOR is not empty.
// The remaining requesters are handled at the next event: if rank 0 is in DONOR, it either is
// at work and calls Step, or has a poll of its own in flight.
func (r *ScheduledRank) dispatchPolls(env comm.Env) {
	s := r.sched
	if r.state == Done || len(s.asking) == 0 {
		return
	}
	waiting := s.asking
	s.asking = nil
	for _, a := range waiting {
		if a.from > env.Now() || !r.pollDonor(env, a) {
			s.asking = append(s.asking, a)
		}
	}
}

// pollDonor polls the head of DONOR for a requester. The donor moves to the tail, and the
// requester follows it. A refusal of the scheduler itself costs no message: the next donor is
// asked at once. pollDonor returns false if there was no other rank to ask.
func (r *ScheduledRank) pollDonor(env comm.Env, a asking) bool {
	s := r.sched
	for range s.donors {
		donor := s.donors[0]
		s.donors = append(s.donors[1:], donor)
		if donor != 0 {
			s.refused[a.requester] = a.refusals
			env.Send(comm.Message{To: donor, Kind: comm.Poll, Arg: int64(a.requester)})
		} else if !r.grantRequester(env, a.requester) {
			r.stats.Rejects++
			continue
		}
		s.donors = append(s.donors, a.requester)
		return true
	}
	return false
}

// Wake polls for requesters whose pause is over.
func (r *ScheduledRank) Wake(env comm.Env) { r.dispatchPolls(env) }

func (s *scheduler) removeDonor(rank int32) {
	for i, d := range s.donors {
		if d == rank {
			s.donors = append(s.donors[:i], s.donors[i+1:]...)
			return
		}
	}
}

// Dump describes the rank and the scheduler.
func (r *ScheduledRank) Dump() string {
	if len(r.sched.donors)+len(r.sched.asking)+len(r.sched.refused) == 0 {
		return r.rank.Dump()
	}
	return fmt.Sprintf("%s; DONOR %v, asking %v, polled for %v", r.rank.Dump(), r.sched.donors, r.sched.asking, r.sched.refused)
}
