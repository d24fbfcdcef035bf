package lb

import (
	"fmt"

	"treesplit/comm"
	"treesplit/search"
	"treesplit/termination"
	"treesplit/topology"
)

// rank is what all schemes have in common: a share of the work with its credit,
// the detector that watches it, and the end of the run.
type rank struct {
	work     search.Work
	decider  search.Decider // work, if its search can end at a witness; else nil
	sizer    search.Sizer   // work, if it knows its weight; else nil
	detector termination.Detector
	credit   credit
	best     incumbent      // where the work is a search.Optimiser
	account  account        // how much of the tree the rank has had
	dealer   *dealer        // of a static start, else nil
	pending  []comm.Message // pieces that wait for the work to be done, of schemes that send unasked
	others   int            // shares besides work that hold nodes, of schemes with generators
	kept     bool           // every rank begins with work of its own
	depth    int32          // Tag of the Grant that brought the work
	told     bool           // the detector knows that the rank has run idle
	state    State
	stats    Stats
	requests *Requests // how long requests take; nil: nobody wants to know

	halting bool // Halt or a witness has been reported to rank 0
	reason  Reason
	err     error
}

func newRank(o Options) rank {
	var d *dealer
	if o.static {
		d = newDealer(&o)
	}
	r := rank{detector: o.Detector, dealer: d, kept: o.Kept, requests: o.Requests}
	r.workOnShare(o.Work)
	return r
}

// workOnShare makes a share the one that the rank works on.
func (r *rank) workOnShare(w search.Work) {
	r.work = w
	r.decider, _ = search.As[search.Decider](w)
	r.sizer, _ = search.As[search.Sizer](w)
	r.account.works = []search.Work{w}
	r.trackOptimiser(w)
}

// remainingWeight is what is left of the work, in shares of the tree; 0 where it does not know.
func (r *rank) remainingWeight() float64 {
	if r.sizer == nil {
		return 0
	}
	return r.sizer.Weight()
}

// beginSearch takes stock at the start of the run: rank 0 holds the root. Under a static
// start it is Busy with dealing the parts, for which the others wait.
func (r *rank) beginSearch(env comm.Env) {
	if r.kept {
		r.resumeKeptWork(env)
		return
	}
	if env.Rank() == 0 && (r.isDealing() || !r.work.Empty()) {
		r.account.noteReceived(r.work)
		r.credit.holdPiece(0)
		r.state = Busy
		return
	}
	if r.isDealing() {
		r.state = Waiting
		return
	}
	r.state = Seeking
	if env.Rank() == 0 { // an empty search: the root's credit is back at once
		r.credit.holdPiece(0)
		r.detector.Recover(env, r.credit.recoverHeld())
	}
	r.reportIdle(env)
}

// expandNodes works on about limit nodes and returns how many, redundant ones among them. The rank
// is Seeking afterwards if it ran out of work, and Waiting if it has found a witness.
func (r *rank) expandNodes(env comm.Env, limit int) int {
	before := r.stats.Redundant
	if r.isDealing() {
		r.dealParts(env)
	}
	n := r.work.Expand(limit)
	r.stats.Expanded += int64(n)
	r.spreadImprovement(env)
	if r.dealer != nil {
		r.stats.Redundant += r.dealer.share.takeRedundant()
	}
	r.settleWork(env)
	return n + int(r.stats.Redundant-before)
}

// settleWork looks at what is left of the work: a witness ends the run, a finished
// piece makes room for one that waits, or leaves the rank Seeking.
func (r *rank) settleWork(env comm.Env) {
	switch {
	case r.decider != nil && r.decider.Decided():
		r.Halt(env, Decided)
	case r.work.Empty():
		r.detector.Recover(env, r.credit.recoverHeld())
		if n := len(r.pending); n > 0 {
			m := r.pending[n-1]
			r.pending = r.pending[:n-1]
			r.beginPiece(m)
			return
		}
		r.state = Seeking
		r.reportIdle(env)
	}
}

// reportIdle tells the detector that the rank has no work of any kind, if that is so
// and it has not been told yet.
func (r *rank) reportIdle(env comm.Env) {
	if r.hasRunIdle() && !r.told {
		r.told = true
		r.detector.Idle(env)
		r.finishIfDetected(env)
	}
}

// wait makes a rank without work wait: it does not seek any.
func (r *rank) wait() {
	if r.state == Seeking {
		r.state = Waiting
	}
}

// hasRunIdle reports whether the rank has no work and is not about to end the run by itself.
func (r *rank) hasRunIdle() bool {
	return (r.state == Seeking || r.state == Waiting) && !r.halting && !r.credit.held && r.others == 0 && !r.isDealing()
}

// grantPiece splits the work, or takes a piece that waits, and sends it to a rank; tag
// is the Grant's. It reports whether there was enough to give.
func (r *rank) grantPiece(env comm.Env, to int, tag int32) bool {
	if r.state != Busy || r.isDealing() {
		return false
	}
	if n := len(r.pending); n > 0 {
		m := r.pending[n-1]
		r.pending = r.pending[:n-1]
		r.sendPiece(env, to, tag, m.Arg, m.Body)
		return true
	}
	piece, ok := r.splitWork()
	if ok {
		r.sendPiece(env, to, tag, r.credit.giveAwayHalf(), piece)
	}
	return ok
}

// splitWork splits the work.
func (r *rank) splitWork() (piece []byte, ok bool) {
	before := r.remainingWeight()
	if piece, ok = r.work.Split(nil); ok {
		r.account.had -= before - r.remainingWeight()
	}
	return piece, ok
}

// sendPiece sends a piece of credit 2^−exponent.
func (r *rank) sendPiece(env comm.Env, to int, tag int32, exponent int64, piece []byte) {
	r.handOverPiece(env, comm.Message{To: int32(to), Kind: comm.Grant, Tag: tag, Arg: exponent, Body: piece})
}

// handOverPiece sends a message with a piece of the search in it and counts it.
func (r *rank) handOverPiece(env comm.Env, m comm.Message) {
	r.stats.Grants++
	r.stats.Bytes += int64(len(m.Body))
	r.detector.Sent()
	env.Send(m)
}

// takeGrant receives the piece of a Grant. After the end of the run the piece is kept
// for the audit but not worked on.
func (r *rank) takeGrant(m comm.Message) {
	if r.credit.held {
		r.recordError(fmt.Errorf("rank %d granted work to a rank that has some", m.From))
		return
	}
	r.takeOrQueueGrant(m)
}

// takeOrQueueGrant is takeGrant for schemes in which pieces arrive unasked: where there is work
// the piece waits.
func (r *rank) takeOrQueueGrant(m comm.Message) {
	if !r.checkCredit(m) {
		return
	}
	r.detector.Received()
	r.stats.Accepted++
	if r.credit.held {
		r.pending = append(r.pending, m)
		return
	}
	r.beginPiece(m)
}

// checkCredit reports whether a Grant's credit is one that can be.
func (r *rank) checkCredit(m comm.Message) bool {
	if m.Arg >= 0 && m.Arg <= termination.MaxExponent {
		return true
	}
	r.recordError(fmt.Errorf("rank %d granted a piece of credit 2^-%d: expected an exponent of 0 to %d", m.From, m.Arg, termination.MaxExponent))
	return false
}

// beginPiece begins to work on a piece.
func (r *rank) beginPiece(m comm.Message) {
	if err := r.work.Accept(m.Body); err != nil {
		r.recordError(fmt.Errorf("a piece of %d bytes from rank %d: %w", len(m.Body), m.From, err))
		return
	}
	r.account.noteReceived(r.work)
	r.credit.holdPiece(m.Arg)
	r.depth, r.told = m.Tag, false
	if r.state != Done && !r.halting {
		r.state = Busy
	}
}

// handleControl handles the messages that are the same in every scheme; it reports
// whether m was one of them.
func (r *rank) handleControl(env comm.Env, m comm.Message) bool {
	switch m.Kind {
	case comm.Token, comm.Credit:
		r.detector.Receive(env, m, r.hasRunIdle())
		r.finishIfDetected(env)
	case comm.Bound:
		r.takeBound(env, m)
	case comm.Deal:
		r.takeDealtParts(env, m)
	case comm.Found:
		r.finishRun(env, Reason(m.Arg))
	case comm.Stop:
		r.finishRun(env, Reason(m.Arg))
	default:
		return false
	}
	return true
}

// Halt asks rank 0 to end the run, and does so at rank 0. The rank works no more.
func (r *rank) Halt(env comm.Env, why Reason) {
	if r.state == Done || r.halting {
		return
	}
	r.halting, r.state = true, Waiting
	if env.Rank() == 0 {
		r.finishRun(env, why)
		return
	}
	env.Send(comm.Message{To: 0, Kind: comm.Found, Arg: int64(why)})
}

// finishIfDetected ends the run if the detector has seen the end of the search.
func (r *rank) finishIfDetected(env comm.Env) {
	if r.state != Done && r.detector.Done() {
		r.finishRun(env, Exhausted)
	}
}

// finishRun ends the run here and in the subtree below, once.
func (r *rank) finishRun(env comm.Env, why Reason) {
	if r.state == Done {
		return
	}
	r.state, r.reason = Done, why
	var below [64]int
	for _, c := range (topology.Binomial{P: env.Size()}).Children(env.Rank(), below[:0]) {
		env.Send(comm.Message{To: int32(c), Kind: comm.Stop, Arg: int64(why)})
	}
}

func (r *rank) recordError(err error) {
	if r.err == nil {
		r.err = err
	}
}

// failUnexpected notes a message that no rank of the scheme sends.
func (r *rank) failUnexpected(m comm.Message) {
	r.recordError(fmt.Errorf("unexpected message: %v from rank %d, tag %d, argument %d", m.Kind, m.From, m.Tag, m.Arg))
}

// State, Reason, Stats, Audit and Err are Balancer's.

func (r *rank) State() State   { return r.state }
func (r *rank) Reason() Reason { return r.reason }
func (r *rank) Stats() Stats   { return r.stats }

// Audit adds up the credit held by the work and by the pieces that wait.
func (r *rank) Audit() Audit {
	a := r.credit.auditCredit()
	for _, m := range r.pending {
		a.Held.AddCredit(m.Arg)
	}
	return a
}

func (r *rank) Err() error { return r.err }

// Dump describes the rank.
func (r *rank) Dump() string {
	stack := "-"
	if s, ok := search.As[search.Levelled](r.work); ok {
		stack = fmt.Sprint(s.Levels())
	}
	return fmt.Sprintf("state %v, stack %s levels, empty %v, expanded %d, requests %d, grants %d, rejects %d, accepted %d; %v",
		r.state, stack, r.work.Empty(), r.stats.Expanded, r.stats.Requests, r.stats.Grants, r.stats.Rejects, r.stats.Accepted, r.detector)
}
