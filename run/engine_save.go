package run

import (
	"errors"

	"treesplit/lb"
	"treesplit/search"
)

// resumeSteps takes in what the runs before have counted and returns the problem to go on with.
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

// pauseAndSave takes what is left of a halted search out of all ranks and saves it. It returns what
// the search can go on from, on all engines, or nil where nothing is left, since the halt
// came when all was done; then that is the reason of the end.
func (e *engine) pauseAndSave(work *shareSet, step *Step) (*resumePoint, error) {
	start := e.ranks.now()
	settled := []int64{0}
	if work.isDecided() {
		settled[0] = 1
	}
	if err := e.peers.Max(settled); err != nil {
		return nil, err
	}
	if settled[0] > 0 {
		e.why = lb.Decided
		return nil, nil
	}
	left := e.ranks.leftovers()
	pieces, err := e.collectPieces(left)
	if err != nil {
		return nil, err
	}
	some := []int64{int64(len(pieces))} // on the first engine
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
	e.saver.saved.Seconds += toSeconds(e.ranks.now() - start)
	if e.why == lb.Paused {
		err = e.keepOrSpreadPieces(next, left)
	}
	e.saver.noteSearchResumed(e.ranks.now())
	return next, err
}

// keepOrSpreadPieces has each rank keep what it had before the search was saved, where the scheme
// can go on so; otherwise all goes from rank 0, where it was brought together.
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

// saveBetweenSteps saves the run between two steps: of the one to come all is left.
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
	e.saver.noteSearchResumed(e.ranks.now())
	e.saver.saved.Seconds += toSeconds(e.saver.since - start)
	return err
}

// saveResumePoint writes what a search is to go on from, on the first engine, to which the pieces and
// the step are known.
func (e *engine) saveResumePoint(next *resumePoint, step Step) error {
	numbers := e.ranks.counted().checkpointNumbers()
	if err := e.peers.Sum(numbers); err != nil {
		return err
	}
	next.Header = e.saver.buildHeader(e.steps, step, numbers, e.seconds)
	if e.logs != nil {
		if failed := e.agreeOnError(e.logs.HandOver(e.peers)); failed != nil { // the spool is full, which ends the run
			e.saver.failed = failed
			return nil
		}
	}
	var err error
	if e.isFirstEngine() {
		if err = next.measurePieces(e.plan); err == nil {
			e.saver.trySaving(next, e.logs, e.hooks, isStopReason(e.why))
		}
	}
	return e.agreeOnError(err)
}

// takeRemaining takes out the pieces that are left on a rank.
func takeRemaining(b lb.Balancer) (pieces [][]byte) {
	b.(lb.Resumable).TakeRemaining(func(p []byte) { pieces = append(pieces, p) })
	return pieces
}

// collectPieces brings the pieces of all ranks to the first engine.
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

// buildHeader says how far the search is: the steps that are over, the current one, and the
// numbers of this run and how long it has taken.
func (s *saver) buildHeader(steps []Step, step Step, numbers []int64, elapsed float64) Header {
	h := Header{Step: step.checkpointStep(), Bound: step.Bound, Totals: checkpointTotals(numbers), Seconds: s.before.Seconds + elapsed}
	for _, s := range steps {
		h.Steps = append(h.Steps, s.checkpointStep())
	}
	h.Totals.Add(s.before.Totals)
	return h
}

// checkpointNumbers are those of a rank's counts that are added up in checkpoints.
func (p RankResult) checkpointNumbers() []int64 {
	return []int64{p.Expanded, p.Redundant, p.Requests, p.Grants, p.Rejects, p.Accepted, p.Bytes, p.Messages}
}

// checkpointTotals are numbers, in the words of a checkpoint.
func checkpointTotals(n []int64) Totals {
	return Totals{Expanded: n[0], Redundant: n[1], Requests: n[2], Grants: n[3], Rejects: n[4], Accepted: n[5], Bytes: n[6], Messages: n[7]}
}

// addRunsBefore finds the speed of the run, then adds what the runs before have counted to the result,
// and says what was saved.
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
