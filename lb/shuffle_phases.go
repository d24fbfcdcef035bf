package lb

import "treesplit/comm"

// report is a partner's report that arrived before this rank reached the phase. One entry per
// partner is enough. Two ranks meet in the same phases, and neither leaves a phase before it
// has the other's report, and its answer if one is due. So when a partner reports its next
// phase with this rank, this rank has already sent its own report of the previous one. It has
// also handled the partner's report, because the messages between two ranks keep their order,
// and each message advances the rank as far as possible.
type report struct {
	phase int32
	arg   int64
}

// bufferReport stores a partner's report.
func (r *ShuffleRank) bufferReport(env comm.Env, m comm.Message) {
	dim := r.plan.meetingDimension(env.Rank(), int(m.From))
	if dim < 0 || r.hasReport(int8(dim)) {
		r.failUnexpected(m)
		return
	}
	r.arrived |= 1 << dim
	r.early[dim] = report{phase: m.Tag, arg: m.Arg}
}

// hasReport reports whether the report of the partner along a dimension has arrived.
func (r *ShuffleRank) hasReport(dim int8) bool { return r.arrived>>dim&1 == 1 }

// length determines the end of a phase.
type length struct {
	nodes int       // number of nodes that a rank expands in a phase; 0: span determines the end
	span  comm.Time // duration of a phase
	pause comm.Time // pause of a rank that has received nothing for a cycle, before the next phase; 0: none

	done  int       // nodes expanded in this phase
	until comm.Time // the end of the phase, or of the pause
}

// SuitedPhase returns the length of a phase that suits messages that occupy their sender and their
// receiver for the time messageTime in all: 16 times this time. Shorter phases spend too much time on
// reports, and in longer phases idle ranks wait too long. The experiment shuffle-phase (package
// sanders) compares lengths over machines, tree sizes and numbers of ranks. Compared with the best
// length of each case, this length loses the least: 1.5 % of the efficiency on average and at most
// 10 %.
func SuitedPhase(messageTime comm.Time) comm.Time { return 16 * messageTime }

// DefaultPhase is the shortest default length of a phase of real ranks, 500 µs. Between goroutines,
// and between MPI processes on one host, which poll for messages about every 75 µs, the length has
// little effect: from 100 µs to 5 ms the differences between run times are within their noise.
const DefaultPhase comm.Time = 500 * 1000

// RealPhase returns the default length of a phase of real ranks, and of simulations of real ranks.
// messageTime is the time for which a message occupies its sender and its receiver, or 0 if it is
// short or unknown.
func RealPhase(messageTime comm.Time) comm.Time { return max(DefaultPhase, SuitedPhase(messageTime)) }

func newLength(o *Options) length {
	l := length{nodes: o.PhaseNodes, span: o.Phase, pause: o.Backoff}
	if l.nodes > 0 {
		return l
	}
	if l.span <= 0 {
		l.span = RealPhase(0)
	}
	l.pause = l.span
	return l
}

// limitToPhase limits a step to the rest of the phase.
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

// currentPhases returns the list of phases that the rank currently executes.
func (r *ShuffleRank) currentPhases() []phase {
	if r.exchanging {
		return r.plan.exchange
	}
	return r.plan.cycle
}

// isNotBusy reports whether the rank has no work.
func (r *ShuffleRank) isNotBusy() bool { return r.state != Busy }

// enterPhase begins the current phase, or the step after the last phase.
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

// resumeAfterPause begins the phase after a pause: when the time is over, or when the partner
// has reported the phase, because a longer pause then saves no processor time.
func (r *ShuffleRank) resumeAfterPause(env comm.Env) bool {
	at := r.plan.cycle[r.place]
	if env.Now() < r.length.until && !r.hasReport(at.dim) {
		return false
	}
	r.stage = working
	r.length.beginPhase(env)
	return true
}

// reportPhaseEnd reports the end of the phase to the partner, if the phase is over here. It is
// over for an idle rank, and for a rank whose partner is idle.
func (r *ShuffleRank) reportPhaseEnd(env comm.Env) bool {
	at := r.currentPhases()[r.place]
	if at.kind == polling && !r.isNotBusy() && !r.length.isPhaseOver(env) && !(r.hasReport(at.dim) && reportsIdle(r.early[at.dim].arg)) {
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

// meetPartner ends the phase when the partner's report has arrived.
func (r *ShuffleRank) meetPartner(env comm.Env) bool {
	at := r.currentPhases()[r.place]
	if !r.hasReport(at.dim) {
		return false
	}
	their := &r.early[at.dim]
	partner := r.plan.partnerAlong(env.Rank(), at.dim)
	if their.phase != r.number {
		r.failUnexpected(comm.Message{From: int32(partner), Kind: comm.Status, Tag: their.phase, Arg: their.arg})
		return false
	}
	r.arrived &^= 1 << at.dim
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

// shareWithPartner balances two partners: an idle rank waits for a busy one's answer. A rank
// that has reported itself busy may have become idle meanwhile; it then refuses.
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

// goToNextPhase begins the next phase.
func (r *ShuffleRank) goToNextPhase() {
	r.place++
	r.number++
	r.stage = entering
}

// endPhaseList acts at the end of a list of phases: the end of a cycle with or without a
// shuffle, or the end of the exchange before a shuffle.
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
		r.stage = targeting
	}
}
