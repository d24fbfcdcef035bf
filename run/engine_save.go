package run

import (
	"errors"

	"treesplit/lb"
	"treesplit/search"
)

// resumeSteps takes over the counts of the earlier runs and returns the problem to resume.
func (e *engine) resumeSteps(from *resumePoint) Problem {
	e.resumed, e.from = from, from
	e.expanded = from.Totals.Expanded
	e.hooks.meter.noteNodesBefore(e.expanded)
	for i, s := range from.Steps {
		step := restoreStep(s, from.bounds[i])
		e.counts.addCounts(step.Counts)
		e.steps = append(e.steps, step)
		if e.isFirstEngine() {
			e.hooks.reportStep(step, e.expanded, lb.Exhausted)
		}
	}
	return from.problem
}

// pauseAndSave removes the remaining pieces of a halted search from all ranks and saves them. It
// returns the state to resume, on all engines. It returns nil if no pieces remain because the
// halt came after the last node; the search has then ended as exhausted.
func (e *engine) pauseAndSave(work *shareSet, step *Step) (*resumePoint, error) {
	start := e.ranks.now()
	if e.why == lb.Paused {
		repetition, err := e.repetitionTime(work)
		if err != nil {
			return nil, err
		}
		e.saver.noteRepetition(repetition, start, e.expanded)
	}
	left := e.ranks.leftovers()
	work.flushLogs() // a share may log that it gives up a node
	pieces, err := e.collectPieces(left)
	if err != nil {
		return nil, err
	}
	some := []int64{int64(len(pieces))} // known on the first engine only
	if err := e.peers.Max(some); err != nil {
		return nil, err
	}
	if some[0] == 0 {
		e.why = lb.Exhausted
		return nil, nil
	}
	e.countLapTime(step)
	next := &resumePoint{Checkpoint: Checkpoint{Pieces: pieces}, problem: work.problem}
	if err := e.saveResumePoint(next, *step); err != nil {
		return nil, err
	}
	if e.why == lb.Paused {
		if err = e.keepOrSpreadPieces(next, left); err == nil {
			err = e.keepDeposits(next)
		}
	}
	e.saver.noteSearchResumed(start, e.ranks.now())
	return next, err
}

// keepOrSpreadPieces lets each rank keep its pieces after a save, if the scheme can resume from
// them. Otherwise rank 0, which has collected all pieces, sends them out.
func (e *engine) keepOrSpreadPieces(next *resumePoint, left []leftover) error {
	if !lb.CanKeepWork(e.plan.Scheme) {
		return next.spreadPieces(e.peers, e.plan)
	}
	var err error
	for _, l := range left {
		err = errors.Join(err, next.keepPieces(e.plan, l.rank, l.pieces))
	}
	return e.agreeOnError(err)
}

// keepDeposits removes the state of a Depositing problem that no piece needs. It ends on all engines
// together, because the ranks of a process have the state in common, and add to it when they search.
func (e *engine) keepDeposits(next *resumePoint) error {
	d, ok := next.problem.(Depositing)
	if !ok {
		return nil
	}
	data, err := e.peers.Broadcast(0, search.AppendPieces(nil, next.Pieces))
	if err != nil {
		return err
	}
	pieces, err := search.ParsePieces(data)
	if err == nil {
		d.KeepDeposits(pieces)
	}
	return e.agreeOnError(err)
}

// saveBetweenSteps saves the run between two steps. The whole next step remains.
func (e *engine) saveBetweenSteps(problem Problem) error {
	start := e.ranks.now()
	root := problem.Share(search.DefaultSplitting, true)
	next := &resumePoint{problem: problem}
	t, err := soloTally(problem, root)
	if err != nil {
		return err
	}
	step := newEmptyStep()
	step.joinSegment(t)
	search.TakeRemaining(root, func(p []byte) { next.Pieces = append(next.Pieces, p) })
	err = e.saveResumePoint(next, step)
	e.saver.repetition = 0
	e.saver.noteSearchResumed(start, e.ranks.now())
	return err
}

// saveResumePoint writes the state to resume. Only the first engine, which knows the pieces and
// the step, writes.
func (e *engine) saveResumePoint(next *resumePoint, step Step) error {
	numbers := e.ranks.counted().checkpointNumbers()
	if err := e.peers.Sum(numbers); err != nil {
		return err
	}
	if step.Witness == nil && e.isFirstEngine() {
		step.Witness = incumbentOf(next.problem, step.Bound)
	}
	next.Header = e.saver.buildHeader(e.steps, step, numbers, e.seconds)
	var err error
	if e.isFirstEngine() { // in any case: the search may resume from pieces that were not saved
		err = next.measurePieces(e.plan)
	}
	if e.logs != nil {
		if failed := e.agreeOnError(e.logs.HandOver(e.peers)); failed != nil { // the spool is full; the run ends
			e.saver.failed = failed
			return e.agreeOnError(err)
		}
	}
	if e.isFirstEngine() && err == nil {
		e.saver.trySaving(next, e.logs, e.hooks, isStopReason(e.why))
	}
	return e.agreeOnError(err) // no rank may log anything before the first engine has moved the logs of the process
}

// errUnprovedAgain is the trouble of a run that had only a proof to make, and was interrupted. Without
// it a chain of jobs that are too short for the proof would never end.
var errUnprovedAgain = errors.New("the search was complete before this run, and the time was too short for the proof: give the next run more time")

// completeSaver returns a function that saves the complete search and the logs, if the run has a checkpoint, on
// rank 0 after the ranks have ended. The result has the numbers of this run only.
func (e *engine) completeSaver(res *Result) func(logs Spool) {
	numbers := make([]int64, len(RankResult{}.checkpointNumbers()))
	for _, r := range res.PerRank {
		for i, n := range r.checkpointNumbers() {
			numbers[i] += n
		}
	}
	last := len(e.steps) - 1
	return func(logs Spool) {
		if s := e.saver; s != nil {
			f := &resumePoint{Checkpoint: Checkpoint{Header: s.buildHeader(e.steps[:last], e.steps[last], numbers, e.seconds)}}
			f.Complete = true
			s.trySaving(f, logs, e.hooks, true)
			s.saved.Final = s.failed == nil
			res.Saved = &s.saved
			res.addTrouble(s.failed)
		}
		if e.resumed != nil && e.resumed.Complete {
			res.addTrouble(errUnprovedAgain)
		}
	}
}

// takeRemaining removes and returns the remaining pieces of a rank.
func takeRemaining(b lb.Balancer) (pieces [][]byte) {
	b.(lb.Resumable).TakeRemaining(func(p []byte) { pieces = append(pieces, p) })
	return pieces
}

// collectPieces sends the pieces of all ranks to the first engine.
func (e *engine) collectPieces(own []leftover) (pieces [][]byte, err error) {
	for _, l := range own {
		pieces = append(pieces, l.pieces...)
	}
	if e.peers.Size() == 1 {
		return pieces, nil
	}
	all, err := e.peers.Gather(0, search.AppendPieces(nil, pieces))
	if err != nil {
		return nil, err
	}
	pieces = nil
	for _, data := range all {
		some, wrong := search.ParsePieces(data)
		if wrong != nil {
			err = wrong
		}
		pieces = append(pieces, some...)
	}
	return pieces, e.agreeOnError(err)
}

// buildHeader returns the header of a checkpoint: the complete steps, the current step, the
// numbers of this run and its time. elapsed is in seconds.
func (s *saver) buildHeader(steps []Step, step Step, numbers []int64, elapsed float64) Header {
	h := Header{Step: step.checkpointStep(), Bound: step.Bound, Totals: checkpointTotals(numbers), Seconds: s.before.Seconds + elapsed}
	for _, s := range steps {
		h.Steps = append(h.Steps, s.checkpointStep())
	}
	h.Totals.Add(s.before.Totals)
	return h
}

// checkpointNumbers returns the counts of a rank that checkpoints add up.
func (p RankResult) checkpointNumbers() []int64 {
	return []int64{p.Expanded, p.Redundant, p.Requests, p.Grants, p.Rejects, p.Accepted, p.Bytes, p.Messages}
}

// checkpointTotals returns the numbers in the form of a checkpoint.
func checkpointTotals(n []int64) Totals {
	return Totals{Expanded: n[0], Redundant: n[1], Requests: n[2], Grants: n[3], Rejects: n[4], Accepted: n[5], Bytes: n[6], Messages: n[7]}
}

// addRunsBefore computes the speed of this run, then adds the counts of the earlier runs to the
// result and describes the checkpoints.
func (r *Result) addRunsBefore(from *resumePoint, s *saver) {
	own := r.Expanded
	if from != nil {
		t := from.Totals
		r.addRankTotals(RankResult{Messages: t.Messages, Stats: lb.Stats{
			Expanded: t.Expanded, Redundant: t.Redundant, Requests: t.Requests, Grants: t.Grants, Rejects: t.Rejects, Accepted: t.Accepted, Bytes: t.Bytes,
		}})
		r.Resumed = &Resumed{from.file, from.Sessions, t.Expanded, from.Seconds}
	}
	if r.Seconds > 0 {
		r.NodesPerSecond = float64(own) / r.Seconds
	}
	if s == nil {
		return
	}
	r.addTrouble(s.failed)
	if s.saved.Count > 0 {
		s.saved.Final = isStopReason(r.Why) && s.failed == nil
		r.Saved = &s.saved
	}
}
