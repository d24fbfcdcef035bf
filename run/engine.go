package run

import (
	"slices"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/search"
	"treesplit/spmd"
)

// ranks are the ranks that one engine works for, on a runtime: one real rank, or all ranks of
// a simulated machine.
type ranks interface {
	// now is the time on the ranks' clock, which is virtual on a simulated machine.
	now() comm.Time
	// halting begins a segment, or a moment between two, and returns what reports whether
	// the search is to be halted, and why.
	halting() func() (lb.Reason, bool)
	// requests is what a rank's scheme notes its requests in; nil where nobody observes.
	requests(rank int) *lb.Requests
	// search searches what the shares hold, until the end or until the search is halted.
	search(work *shareSet) (segment, error)
	// searchedAlone notes that each rank has expanded the given number of nodes by itself since a moment.
	searchedAlone(since comm.Time, nodes int64)
	// leftovers takes out what the ranks have left of a search that was halted.
	leftovers() []leftover
	// counted returns the numbers of these ranks, added up.
	counted() RankResult
	// gather brings the numbers of all ranks of the run to rank 0, at the moment of its end.
	gather(end comm.Time) (gathered, error)
	// describe adds what was observed to the result, which is nil on ranks other than 0.
	describe(res *Result) error
}

// segment is how the part of a search between two checkpoints has ended, on some ranks.
type segment struct {
	expanded int64
	reason   lb.Reason
	tally    func() (*tally, error) // of the shares of these ranks
}

// leftover is what a rank has left of a search that was halted.
type leftover struct {
	rank   int
	pieces [][]byte
}

// gathered are the numbers of all ranks of a run.
type gathered struct {
	perRank           []RankResult
	sequentialSeconds float64 // 0: unknown
	events            int64   // of a simulation
}

// engine makes a run for its ranks: the searches that an Iterated problem consists of, in
// segments between two checkpoints. The engines of a run, one for each real rank or one for
// all simulated ranks, take the same steps and act together.
type engine struct {
	peers comm.Transport // of the engines; that of a simulation is alone
	ranks ranks
	plan  Plan
	hooks Hooks
	logs  Spool // of this process, for a proof; or nil

	counts   Counts // of all ranks and steps
	steps    []Step
	expanded int64        // by all ranks, in the segments that are over
	why      lb.Reason    // of the end of the last step, the same on all engines
	unasked  int64        // expanded alone since the engines last agreed to go on
	from     *resumePoint // what the next segment goes on from; or nil
	resumed  *resumePoint // what the run goes on from; or nil
	saver    *saver       // or nil
	lapped   comm.Time    // until when time is counted in a step
	seconds  float64      // of the run, until then
}

// agreeOnError makes an error of one engine the error of all.
func (e *engine) agreeOnError(err error) error { return spmd.AgreeOnError(e.peers, err) }

// isFirstEngine reports whether this is the engine of rank 0.
func (e *engine) isFirstEngine() bool { return e.peers.Rank() == 0 }

// runAllSteps makes the run from a moment on and returns its Result on the first engine, nil elsewhere.
func (e *engine) runAllSteps(problem Problem, from *resumePoint, start comm.Time) (*Result, error) {
	e.lapped = start
	if from != nil {
		problem = e.resumeSteps(from)
	}
	for problem != nil {
		counts, err := e.searchStep(problem)
		if err != nil {
			return nil, err
		}
		if problem, err = e.nextProblem(problem, counts); err != nil {
			return nil, err
		}
	}
	return e.assembleResult()
}

// countLapTime counts the time since the last lap in a step.
func (e *engine) countLapTime(step *Step) {
	now := e.ranks.now()
	passed := toSeconds(now - e.lapped)
	step.Seconds += passed
	e.seconds += passed
	e.lapped = now
}

// searchStep searches one problem and returns what all ranks together have counted.
func (e *engine) searchStep(problem Problem) (Counts, error) {
	step := newEmptyStep()
	if isSmallSearch(problem) && e.from == nil {
		if err := e.searchAlone(problem, &step); err != nil {
			return step.Counts, err
		}
	} else if err := e.searchTogether(problem, &step); err != nil {
		return step.Counts, err
	}
	e.counts.addCounts(step.Counts)
	e.countLapTime(&step)
	e.steps = append(e.steps, step)
	if e.isFirstEngine() {
		e.hooks.reportStep(step, e.expanded, e.why)
	}
	return step.Counts, nil
}

// unaskedMost is how many nodes, and a thousand for each step, ranks make alone before
// they ask one another whether to go on: a batch of small problems may never begin a step
// together.
const unaskedMost = 1 << 20

// nextProblem is the problem after one, or nil where the run is over.
func (e *engine) nextProblem(problem Problem, counts Counts) (Problem, error) {
	next := followingProblem(problem, counts)
	if next != nil && e.unasked >= unaskedMost { // on all engines, which count the same
		e.unasked = 0
		why, halt := e.ranks.halting()()
		if !halt {
			why = e.why
		}
		reason := []int64{int64(max(why, e.why))}
		if err := e.peers.Max(reason); err != nil {
			return nil, err
		}
		if why = lb.Reason(reason[0]); isHaltReason(why) && e.saver != nil {
			if err := e.saveBetweenSteps(next); err != nil {
				return nil, err
			}
		}
		if why != lb.Paused {
			e.why = why
		}
	}
	if isStopReason(e.why) {
		return nil, nil
	}
	return next, nil
}

// searchAlone searches a small problem on each rank, since that is not worth a message.
func (e *engine) searchAlone(problem Problem, step *Step) error {
	start := e.ranks.now()
	w, n := searchSolo(problem)
	e.ranks.searchedAlone(start, n)
	e.expanded += n
	t, err := soloTally(problem, w)
	e.why = t.soloReason()
	step.joinSegment(t)
	e.unasked += n + 1000
	return err
}

// searchTogether searches a problem with all ranks and adds up what they have counted: in one
// segment, or in several where the search is saved now and then.
func (e *engine) searchTogether(problem Problem, step *Step) error {
	if e.from != nil {
		*step = restoreStep(e.from.Step, e.from.Bound)
	}
	for {
		work := newShareSet(e.plan, problem, e.from, e.logs)
		work.requests = e.ranks.requests
		e.hooks.meter.beginSearch(e.expanded, problem, e.plan, e.from)
		err := e.searchSegment(work, step)
		if e.from = nil; err != nil || e.saver == nil || !isHaltReason(e.why) {
			return err
		}
		if e.from, err = e.pauseAndSave(work, step); err != nil || e.from == nil || isStopReason(e.why) {
			return err
		}
	}
}

// searchSegment searches until the end or until the search is halted.
func (e *engine) searchSegment(work *shareSet, step *Step) error {
	own, err := e.ranks.search(work)
	if err != nil {
		return err
	}
	work.flushLogs()
	e.unasked = 0
	counted, err := own.tally()
	if work.optimises() { // a solution of one rank may be none
		err = e.agreeOnError(err)
	}
	if err != nil {
		return err
	}
	if err := e.reduceTallies(counted, own); err != nil {
		return err
	}
	step.joinSegment(counted)
	return nil
}

// reduceTallies adds the tallies of all engines, and gives each of them the sum, the reason of the
// end and the number of nodes expanded. The first gets the witness of the lowest rank that
// has one of the least value.
func (e *engine) reduceTallies(t *tally, own segment) error {
	value, found := t.value, int64(0)
	if t.witness != nil {
		found = 1
	}
	sums := append(t.Sums, own.expanded)
	maxima := append(t.Maxima, int64(own.reason), found, ^t.value, ^t.bound, ^t.known) // ^v falls where v rises, for every v
	if err := e.peers.Sum(sums); err != nil {
		return err
	}
	if err := e.peers.Max(maxima); err != nil {
		return err
	}
	n, m := len(t.Sums), len(t.Maxima)
	t.Sums, t.Maxima = sums[:n:n], maxima[:m:m]
	e.expanded += sums[n]
	e.why = lb.Reason(maxima[m])
	t.value, t.bound, t.known = ^maxima[m+2], ^maxima[m+3], ^maxima[m+4]
	if maxima[m+1] > 0 {
		if err := e.bringWitness(t, value); err != nil {
			return err
		}
	}
	return t.settleSolution()
}

// bringWitness brings the witness of the lowest rank that has one of the tally's value to
// the first engine; value belongs to this engine's witness.
func (e *engine) bringWitness(t *tally, value int64) error {
	var own []byte
	if t.witness != nil && value == t.value {
		own = append([]byte{1}, t.witness...) // one of no bytes is a witness too
	}
	t.witness = nil
	all, err := e.peers.Gather(0, own)
	if i := slices.IndexFunc(all, func(w []byte) bool { return len(w) > 0 }); i >= 0 {
		t.witness = all[i][1:]
	}
	return err
}

// assembleResult puts the Result together on the first engine; it is nil elsewhere.
func (e *engine) assembleResult() (*Result, error) {
	var rest Step // what is in no step
	e.countLapTime(&rest)
	all, err := e.ranks.gather(e.lapped)
	if err != nil {
		return nil, err
	}
	if !e.isFirstEngine() {
		return nil, e.ranks.describe(nil)
	}
	p, last := e.plan, e.steps[len(e.steps)-1]
	res := &Result{
		Ranks: len(all.perRank), Scheme: p.Scheme, Termination: p.Termination, Seed: p.Seed,
		Seconds: e.seconds, SequentialSeconds: all.sequentialSeconds, Events: all.events, Audit: "ok",
		PerRank: all.perRank, Steps: e.steps, Counts: e.counts,
		Why: e.why, Reason: e.why.String(), Witness: last.Witness, Bound: last.Bound,
	}
	for _, r := range res.PerRank {
		res.addRankTotals(r)
		if r.SilentSeconds > 0 {
			res.Silent = append(res.Silent, Silence{r.Rank, r.SilentSeconds})
		}
	}
	res.addRunsBefore(e.resumed, e.saver)
	if res.Seconds > 0 {
		res.Efficiency = res.SequentialSeconds / (float64(res.Ranks) * res.Seconds)
	}
	return res, e.ranks.describe(res)
}

// isStopReason reports whether no step follows one that has ended so.
func isStopReason(why lb.Reason) bool { return why == lb.Timeout || why == lb.Interrupted }

// isHaltReason reports whether a search that has ended so may have something left.
func isHaltReason(why lb.Reason) bool { return isStopReason(why) || why == lb.Paused }

// searchSolo searches a problem on one share and returns the share and its nodes.
func searchSolo(problem Problem) (w search.Work, nodes int64) {
	w = problem.Share(search.DefaultSplitting, true)
	decider, _ := search.As[search.Decider](w)
	for !w.Empty() && (decider == nil || !decider.Decided()) {
		nodes += int64(w.Expand(1 << 20))
	}
	return w, nodes
}
