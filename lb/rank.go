package lb

import (
	"fmt"

	"treesplit/comm"
	"treesplit/search"
	"treesplit/termination"
	"treesplit/topology"
)

// rank is the common part of all schemes: a share of the work with its credit, the termination
// detector, and the end of the run.
type rank struct {
	// What most events need comes first, side by side: with very many simulated ranks each cache line
	// of a rank is a cache miss.
	work     search.Work
	detector termination.Detector
	err      error
	state    State
	reason   Reason
	halting  bool  // Halt or a witness has been reported to rank 0
	told     bool  // the detector has been informed that the rank is idle
	kept     bool  // every rank begins with work of its own
	depth    int32 // Tag of the Grant that brought the work
	others   int32 // further shares with nodes, in schemes with generators
	stats    Stats

	decider   search.Decider      // work, if its search can end at a witness; else nil
	sizer     search.Sizer        // work, if it reports its weight; else nil
	transfer  search.Transferring // work, if its nodes are sent to another program; else nil
	counted   search.Counted      // work, if it counts its unexpanded nodes; else nil
	pending   []comm.Message      // pieces that wait until the work is done, in schemes that send without a request
	credit    credit
	requests  *Requests          // durations of requests; nil: not recorded
	dealer    *dealer            // of a static start; else nil
	fallible  []search.Fallible  // all shares of the rank whose search can fail
	redundant []search.Redundant // all shares of the rank that expand redundant nodes
	best      incumbent          // used if the work is a search.Optimiser
	lessons   lessons            // used if the work is a search.Exchanger
	account   account            // the fraction of the tree that the rank has had
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

// workOnShare sets the share on which the rank works, and tracks it.
func (r *rank) workOnShare(w search.Work) {
	r.work = w
	r.decider, _ = search.As[search.Decider](w)
	r.sizer, _ = search.As[search.Sizer](w)
	r.transfer, _ = search.As[search.Transferring](w)
	r.counted, _ = search.As[search.Counted](w)
	r.trackShare(w)
}

// trackShare notes a share of the rank: its work, or the work of a generator. It is called once for
// each share.
func (r *rank) trackShare(w search.Work) {
	r.account.works = append(r.account.works, w)
	r.trackOptimiser(w)
	r.trackExchanger(w)
	if f, ok := search.As[search.Fallible](w); ok {
		r.fallible = append(r.fallible, f)
	}
	if d, ok := search.As[search.Redundant](w); ok {
		r.redundant = append(r.redundant, d)
	}
}

// remainingWeight returns the weight of the work, a fraction of the tree, or 0 if the work is
// no search.Sizer.
func (r *rank) remainingWeight() float64 {
	if r.sizer == nil {
		return 0
	}
	return r.sizer.Weight()
}

// beginSearch sets the state at the start of the run: rank 0 holds the root. Under a static
// start no rank holds work yet.
func (r *rank) beginSearch(env comm.Env) {
	if r.kept {
		r.resumeKeptWork(env)
		return
	}
	if r.isDealing() {
		r.beginDealing(env)
		return
	}
	if env.Rank() == 0 && !r.work.Empty() {
		r.account.noteReceived(r.work)
		r.credit.holdPiece(0)
		r.state = Busy
		return
	}
	r.state = Seeking
	if env.Rank() == 0 { // an empty search: the root's credit returns at once
		r.credit.holdPiece(0)
		r.detector.Recover(env, r.credit.recoverHeld())
	}
	r.reportIdle(env)
}

// expandNodes expands about limit nodes of the work and returns their number, including
// redundant ones. Afterwards the rank is Seeking if it has no work left, and Waiting if it has
// found a witness.
func (r *rank) expandNodes(env comm.Env, limit int) int {
	before := r.stats.Redundant
	if r.isDealing() && !r.stepDealing(env, limit) {
		return int(r.stats.Redundant - before)
	}
	n := r.work.Expand(limit)
	r.stats.Expanded += int64(n)
	r.spreadImprovement(env)
	r.spreadLessons(env)
	r.countRedundant()
	r.settleWork(env)
	return n + int(r.stats.Redundant-before)
}

// countRedundant counts the redundant nodes that the shares of the rank have expanded since the last
// call, and returns their number. After a pause, parts of a static start are pieces that any scheme
// searches. So the shares of every scheme are asked.
func (r *rank) countRedundant() int {
	nodes := int64(0)
	for _, w := range r.redundant {
		nodes += w.TakeRedundant()
	}
	r.stats.Redundant += nodes
	return int(nodes)
}

// settleWork acts on the state of the work. A witness ends the run. If the work is empty, the
// rank begins a waiting piece or becomes Seeking.
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

// reportIdle informs the detector, once, that the rank has no work of any kind.
func (r *rank) reportIdle(env comm.Env) {
	if r.hasRunIdle() && !r.told {
		r.told = true
		r.detector.Idle(env)
		r.finishIfDetected(env)
	}
}

// wait makes a rank without work wait instead of seek.
func (r *rank) wait() {
	if r.state == Seeking {
		r.state = Waiting
	}
}

// hasRunIdle reports whether the rank has no work of any kind and has not halted.
func (r *rank) hasRunIdle() bool {
	return (r.state == Seeking || r.state == Waiting) && !r.halting && !r.credit.held && r.others == 0 && !r.isDealing()
}

// grantPiece splits the work, or takes a waiting piece, and sends it to a rank in a Grant with
// the given tag. It reports whether there was enough work.
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

// splitWork splits a piece off the work and updates the account.
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

// handOverPiece sends a message that contains a piece of the search, and counts it.
func (r *rank) handOverPiece(env comm.Env, m comm.Message) {
	r.stats.Grants++
	r.stats.Bytes += int64(len(m.Body))
	r.detector.Sent()
	env.Send(m)
}

// takeGrant receives the piece of a Grant. After the end of the run the piece is kept for the
// audit but not searched.
func (r *rank) takeGrant(m comm.Message) {
	if r.credit.held {
		r.recordError(fmt.Errorf("rank %d sent a Grant to a rank with work: expected none", m.From))
		return
	}
	r.takeOrQueueGrant(m)
}

// takeOrQueueGrant is takeGrant for schemes in which pieces arrive without a request: if the
// rank has work, the piece waits.
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

// checkCredit reports whether the exponent of a Grant's credit is valid, and records an error
// if not.
func (r *rank) checkCredit(m comm.Message) bool {
	if m.Arg >= 0 && m.Arg <= termination.MaxExponent {
		return true
	}
	r.recordError(fmt.Errorf("rank %d sent a piece of credit 2^-%d: expected an exponent of 0 to %d", m.From, m.Arg, termination.MaxExponent))
	return false
}

// beginPiece begins to search a piece.
func (r *rank) beginPiece(m comm.Message) {
	if err := r.work.Accept(m.Body); err != nil {
		r.recordError(fmt.Errorf("a piece of %d bytes from rank %d is invalid: %w", len(m.Body), m.From, err))
		return
	}
	r.account.noteReceived(r.work)
	r.credit.holdPiece(m.Arg)
	r.depth, r.told = m.Tag, false
	if r.state != Done && !r.halting {
		r.state = Busy
	}
}

// handleControl handles the messages that are the same in every scheme. It reports whether m
// was one of them.
func (r *rank) handleControl(env comm.Env, m comm.Message) bool {
	switch m.Kind {
	case comm.Token, comm.Credit:
		r.detector.Receive(env, m, r.hasRunIdle())
		r.finishIfDetected(env)
	case comm.Bound:
		r.takeBound(env, m)
	case comm.Lessons:
		r.takeLessons(env, m)
	case comm.Sample:
		r.takeSampleMessage(env, m)
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

// Halt requests the end of the run from rank 0, or ends it on rank 0. The rank expands no more
// nodes. It ignores a pause before the parts of a static start are dealt: otherwise rank 0 would keep
// the whole tree. The runtime requests the pause again.
func (r *rank) Halt(env comm.Env, why Reason) {
	if r.state == Done || r.halting || why == Paused && r.isDealing() {
		return
	}
	r.halting, r.state = true, Waiting
	if env.Rank() == 0 {
		r.finishRun(env, why)
		return
	}
	env.Send(comm.Message{To: 0, Kind: comm.Found, Arg: int64(why)})
}

// finishIfDetected ends the run if the detector has detected the end of the search.
func (r *rank) finishIfDetected(env comm.Env) {
	if r.state != Done && r.detector.Done() {
		r.finishRun(env, Exhausted)
	}
}

// finishRun ends the run on this rank and in the subtree below it, once.
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

// failUnexpected records an error for a message that no rank of the scheme sends.
func (r *rank) failUnexpected(m comm.Message) {
	r.recordError(fmt.Errorf("rank %[2]d sent an unexpected message: %[1]v with tag %[3]d, argument %[4]d", m.Kind, m.From, m.Tag, m.Arg))
}

// State, Reason, Stats and Audit implement Balancer.

func (r *rank) State() State   { return r.state }
func (r *rank) Reason() Reason { return r.reason }
func (r *rank) Stats() Stats   { return r.stats }

// Audit adds up the credit held by the work and by the waiting pieces.
func (r *rank) Audit() Audit {
	a := r.credit.auditCredit()
	for _, m := range r.pending {
		a.Held.AddCredit(m.Arg)
	}
	return a
}

// TransferTime returns the time for which nodes were sent in the last step, if the work is a
// search.Transferring, and otherwise 0.
func (r *rank) TransferTime() comm.Time {
	if r.transfer == nil {
		return 0
	}
	return comm.Time(r.transfer.TransferTime())
}

// Err returns the first error of a message, or the error of a share.
func (r *rank) Err() error {
	if r.err != nil {
		return r.err
	}
	for _, f := range r.fallible {
		if err := f.Err(); err != nil {
			return err
		}
	}
	return nil
}

// Dump describes the rank.
func (r *rank) Dump() string {
	stack := "-"
	if s, ok := search.As[search.Levelled](r.work); ok {
		stack = fmt.Sprint(s.Levels())
	}
	return fmt.Sprintf("state %v, stack %s levels, empty %v, expanded %d, requests %d, grants %d, rejects %d, accepted %d; %v",
		r.state, stack, r.work.Empty(), r.stats.Expanded, r.stats.Requests, r.stats.Grants, r.stats.Rejects, r.stats.Accepted, r.detector)
}
