package lb

import "treesplit/comm"

// report is what a partner has reported before this rank came to the phase. One place
// for each partner is enough: two ranks meet in the same phases, and neither goes on
// from one before it has the other's report, and its answer if one is due. So when a
// partner reports its next phase with this rank, this rank has sent its report of the
// last one; and it has done with the partner's, because the messages between two ranks
// keep their order, and handling one takes the rank as far as it gets.
type report struct {
	there bool
	phase int32
	arg   int64
}

// bufferReport takes in a partner's report.
func (r *ShuffleRank) bufferReport(env comm.Env, m comm.Message) {
	dim := r.plan.meetingDimension(env.Rank(), int(m.From))
	if dim < 0 || r.early[dim].there {
		r.failUnexpected(m)
		return
	}
	r.early[dim] = report{there: true, phase: m.Tag, arg: m.Arg}
}

// length is when a phase is over.
type length struct {
	nodes int       // that a rank expands in it; 0: span
	span  comm.Time // how long it takes
	pause comm.Time // of a rank that has got nothing for a cycle, before the next phase; 0: none

	done  int       // nodes so far
	until comm.Time // the end of the phase, or of the pause
}

// DefaultPhase is the length of a phase where Options names none. Simulations want about
// 16 times what a message costs its sender and its receiver: shorter phases spend too
// much on reports, longer ones let idle ranks wait too long. Between goroutines and MPI
// processes on one host, which look for messages every 75 µs or so, it hardly matters:
// from 100 µs to 5 ms runs take as long, within what they differ anyway.
const DefaultPhase comm.Time = 500 * 1000

func newLength(o *Options) length {
	l := length{nodes: o.PhaseNodes, span: o.Phase, pause: o.Backoff}
	if l.nodes > 0 {
		return l
	}
	if l.span <= 0 {
		l.span = DefaultPhase
	}
	l.pause = l.span
	return l
}

// limitToPhase cuts a step down to what is left of the phase.
func (l *length) limitToPhase(limit int) int {
	if l.nodes > 0 {
		return min(limit, l.nodes-l.done)
	}
	return limit
}

// beginPhase begins a phase.
func (l *length) beginPhase(env comm.Env) {
	l.done = 0
	if l.nodes == 0 {
		l.until = env.Now() + l.span
	}
}

// isPhaseOver reports whether a busy rank has come to the end of the phase.
func (l *length) isPhaseOver(env comm.Env) bool {
	if l.nodes > 0 {
		return l.done >= l.nodes
	}
	return env.Now() >= l.until
}

// currentPhases is the list that the rank goes through now.
func (r *ShuffleRank) currentPhases() []phase {
	if r.exchanging {
		return r.plan.exchange
	}
	return r.plan.cycle
}

// isNotBusy reports whether the rank has no work.
func (r *ShuffleRank) isNotBusy() bool { return r.state != Busy }

// enterPhase begins the current phase, or what follows the last one.
func (r *ShuffleRank) enterPhase(env comm.Env) {
	if r.place == len(r.currentPhases()) {
		r.endPhaseList(env)
		return
	}
	if r.place == 0 && !r.exchanging {
		r.trigger.beginCycle(env, r.isNotBusy())
	}
	at := r.currentPhases()[r.place]
	if !r.exchanging {
		r.trigger.beginPhase(env, r.isNotBusy())
	}
	if r.plan.partnerAlong(env.Rank(), at.dim) < 0 {
		r.goToNextPhase()
		return
	}
	r.stage = working
	if at.kind == polling && r.isNotBusy() && r.vain >= r.plan.polls && r.length.pause > 0 {
		r.stage = pausing
		r.length.until = env.Now() + r.length.pause
		env.Alarm(r.length.until)
		return
	}
	r.length.beginPhase(env)
}

// resumeAfterPause begins the phase after a pause: when the time is up, or when the partner has
// reported it, since waiting then spares nobody anything.
func (r *ShuffleRank) resumeAfterPause(env comm.Env) bool {
	at := r.plan.cycle[r.place]
	if env.Now() < r.length.until && !r.early[at.dim].there {
		return false
	}
	r.stage = working
	r.length.beginPhase(env)
	return true
}

// reportPhaseEnd tells the partner that the phase is over here, if it is. It is for an idle
// rank, and for one whose partner is idle.
func (r *ShuffleRank) reportPhaseEnd(env comm.Env) bool {
	at := r.currentPhases()[r.place]
	their := &r.early[at.dim]
	if at.kind == polling && !r.isNotBusy() && !r.length.isPhaseOver(env) && !(their.there && reportsIdle(their.arg)) {
		return false
	}
	r.idled = r.isNotBusy()
	partner := r.plan.partnerAlong(env.Rank(), at.dim)
	var arg int64
	switch at.kind {
	case polling, telling:
		arg = r.trigger.reportWords(r.idled)
	case scattering:
		r.exact.passItems(env, r.plan, at.dim, r.number)
	case counting:
		arg = r.exact.total
	}
	env.Send(comm.Message{To: int32(partner), Kind: comm.Status, Tag: r.number, Arg: arg})
	r.stage = reported
	return true
}

// meetPartner ends the phase once the partner's report is there.
func (r *ShuffleRank) meetPartner(env comm.Env) bool {
	at := r.currentPhases()[r.place]
	their := &r.early[at.dim]
	if !their.there {
		return false
	}
	partner := r.plan.partnerAlong(env.Rank(), at.dim)
	if their.phase != r.number {
		r.failUnexpected(comm.Message{From: int32(partner), Kind: comm.Status, Tag: their.phase, Arg: their.arg})
		return false
	}
	their.there = false
	switch at.kind {
	case polling, telling:
		r.trigger.absorbWords(their.arg, r.combinationAt(env, at))
	case scattering:
		r.exact.gatherItems(r.number)
	case counting:
		r.exact.addToPrefixSum(their.arg, env.Rank()>>at.dim&1 == 1)
	}
	if at.kind == polling {
		r.shareWithPartner(env, partner, reportsIdle(their.arg))
	} else {
		r.goToNextPhase()
	}
	return true
}

// shareWithPartner evens out between partners: an idle rank waits for a busy one's answer. A rank
// that has reported itself busy may have run idle meanwhile and refuses then.
func (r *ShuffleRank) shareWithPartner(env comm.Env, partner int, theyIdle bool) {
	switch {
	case r.idled && !theyIdle:
		r.noteRequest(env, soleRequest)
		r.stage = awaiting
		return
	case r.idled:
		r.vain++
	case theyIdle && !r.idled && !r.grantPiece(env, partner, r.number):
		r.stats.Rejects++
		env.Send(comm.Message{To: int32(partner), Kind: comm.Reject, Tag: r.number})
	}
	r.goToNextPhase()
}

// goToNextPhase goes on to the next phase.
func (r *ShuffleRank) goToNextPhase() {
	r.place++
	r.number++
	r.stage = entering
}

// endPhaseList follows the last phase of a list: the end of a cycle with or without a shuffle,
// or of the exchange before one.
func (r *ShuffleRank) endPhaseList(env comm.Env) {
	r.place = 0
	switch {
	case r.exchanging:
		r.exchanging = false
		r.exact.placeItems(env, r.cycle)
		r.stage = targeting
	case r.plan.global && r.trigger.allRanksIdle():
		r.stage = quiet
	case !r.trigger.isShuffleDue():
		r.cycle++
	case r.exact != nil:
		r.exchanging = true
		r.exact.beginExchange(env, r.plan)
	default:
		r.moveShare(env, r.plan.generators.imageOfRank(r.cycle, env.Rank(), r.plan.size))
	}
}
