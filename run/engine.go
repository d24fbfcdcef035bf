package run

import (
	"slices"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/search"
	"treesplit/spmd"
)

// ranks are the ranks that one engine works for: one real rank, or all ranks of a simulated
// machine.
type ranks interface {
	// now returns the time on the clock of the ranks. It is virtual on a simulated machine.
	now() comm.Time
	// halting begins a segment, or a moment between two segments. It returns a function that
	// reports whether the search must be halted, and why.
	halting() func() (lb.Reason, bool)
	// requests returns the record in which the scheme of a rank notes its requests; nil without
	// an observer.
	requests(rank int) *lb.Requests
	// search searches the shares until the end of the search or until the search is halted.
	search(work *shareSet) (segment, error)
	// searchedAlone notes that each rank has expanded the given number of nodes by itself since a
	// time.
	searchedAlone(since comm.Time, nodes int64)
	// leftovers removes and returns the remaining pieces of all ranks of a halted search.
	leftovers() []leftover
	// counted returns the sum of the numbers of these ranks.
	counted() RankResult
	// gather sends the numbers of all ranks of the run to rank 0. end is the time at which the
	// run ended.
	gather(end comm.Time) (gathered, error)
	// describe adds the observations to the result, which is nil on ranks other than 0.
	describe(res *Result) error
}

// segment is the outcome, on some ranks, of the part of a search between two checkpoints.
type segment struct {
	expanded int64
	reason   lb.Reason
	tally    func() (*tally, error) // of the shares of these ranks
}

// leftover holds the remaining pieces of one rank of a halted search.
type leftover struct {
	rank   int
	pieces [][]byte
}

// gathered holds the numbers of all ranks of a run.
type gathered struct {
	perRank           []RankResult
	sequentialSeconds float64 // 0: unknown
	events            int64   // of a simulation
	linkWaitSeconds   float64 // of a simulation; see Result
}

// engine makes a run for its ranks. A run consists of the searches of an Iterated problem, each
// in segments between two checkpoints. A run has one engine for each real rank, or one engine for
// all simulated ranks. All engines of a run take the same steps together.
type engine struct {
	peers comm.Transport // connects the engines; a simulation has one engine
	ranks ranks
	plan  Plan
	hooks Hooks
	logs  Spool // of this process, for a proof; or nil

	counts   Counts // of all ranks and all steps
	steps    []Step
	expanded int64        // by all ranks, in the segments that are complete
	why      lb.Reason    // why the last step ended; the same on all engines
	unasked  int64        // nodes that ranks expanded alone since the engines last agreed to continue
	from     *resumePoint // state that the next segment resumes; or nil
	resumed  *resumePoint // state that the run resumes; or nil
	saver    *saver       // or nil
	lapped   comm.Time    // until this time, time is counted in a step
	seconds  float64      // of the run until lapped
}

// agreeOnError makes an error of one engine the error of all.
func (e *engine) agreeOnError(err error) error { return spmd.AgreeOnError(e.peers, err) }

// isFirstEngine reports whether this is the engine of rank 0.
func (e *engine) isFirstEngine() bool { return e.peers.Rank() == 0 }

// runAllSteps runs all steps. The run began at start. It returns the Result on the first engine
// and nil on the other engines.
func (e *engine) runAllSteps(problem Problem, from *resumePoint, start comm.Time) (*Result, error) {
	e.lapped = start
	if from != nil {
		problem = e.resumeSteps(from)
	}
	watched := sumsToWatch(problem)
	for problem != nil {
		counts, err := e.searchStep(problem)
		if err != nil {
			return nil, err
		}
		if problem, err = e.nextProblem(problem, counts); err != nil {
			return nil, err
		}
	}
	res, err := e.assembleResult()
	if res != nil {
		res.Watched = watched.byKey(watched.pick(e.counts))
	}
	return res, err
}

// countLapTime adds the time since the last lap to a step.
func (e *engine) countLapTime(step *Step) {
	now := e.ranks.now()
	passed := toSeconds(now - e.lapped)
	step.Seconds += passed
	e.seconds += passed
	e.lapped = now
}

// searchStep searches one problem and returns the counts of all ranks together.
func (e *engine) searchStep(problem Problem) (Counts, error) {
	step := newEmptyStep()
	if isSmallSearch(problem) && e.from == nil {
		if err := e.searchAlone(problem, &step); err != nil {
			return step.Counts, err
		}
	} else if err := e.searchTogether(problem, &step); err != nil {
		return step.Counts, err
	}
	step.Stopped = isStopReason(e.why)
	e.counts.addCounts(step.Counts)
	e.countLapTime(&step)
	e.steps = append(e.steps, step)
	if e.isFirstEngine() {
		e.hooks.reportStep(step, e.expanded, e.why)
	}
	return step.Counts, nil
}

// unaskedMost bounds the number of nodes that ranks expand alone before they agree whether to
// continue. A thousand nodes are added for each step. Without the bound, a batch of small
// problems would never end early, because it may never begin a common step.
const unaskedMost = 1 << 20

// nextProblem returns the problem that follows, or nil if the run is over.
func (e *engine) nextProblem(problem Problem, counts Counts) (Problem, error) {
	next := followingProblem(problem, counts)
	if next != nil && e.unasked >= unaskedMost { // on all engines, because all count the same nodes
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

// searchAlone searches a small problem on each rank. A small problem is not worth a message.
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

// searchTogether searches a problem with all ranks and adds up their counts. The search has one
// segment, or several if it is saved during the search.
func (e *engine) searchTogether(problem Problem, step *Step) error {
	if e.from != nil {
		*step = restoreStep(e.from.Step, e.from.Bound)
		if e.from.Complete {
			e.from, e.why = nil, lb.Exhausted
			return nil
		}
	}
	for {
		work := newShareSet(e.plan, problem, e.from, e.logs)
		work.requests = e.ranks.requests
		e.hooks.meter.watchSums(problem, step.Counts)
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
	if work.optimises() { // the solution of one rank may not be the best
		err = e.agreeOnError(err)
	}
	if err != nil {
		return err
	}
	if err := e.reduceTallies(counted, own, work.isDecided()); err != nil {
		return err
	}
	if _, ok := work.problem.(NamedCounting); ok {
		if err := e.reduceNamedCounts(&counted.named); err != nil {
			return err
		}
	}
	step.joinSegment(counted)
	return nil
}

// reduceTallies adds the tallies of all engines. Each engine gets the sum, the reason of the end
// and the number of expanded nodes. The first engine also gets the best witness; if several ranks
// have one, it is the witness of the lowest rank. decided means that a share of this engine has
// decided the search, perhaps at the same moment at which the run was halted.
func (e *engine) reduceTallies(t *tally, own segment, decided bool) error {
	value, found := t.value, toInt(t.witness != nil)
	sums := append(t.Sums, own.expanded)
	maxima := append(t.Maxima, int64(own.reason), found, ^t.value, ^t.bound, ^t.known, toInt(decided)) // ^v falls when v rises, for every v
	if err := e.peers.Sum(sums); err != nil {
		return err
	}
	if err := e.peers.Max(maxima); err != nil {
		return err
	}
	n, m := len(t.Sums), len(t.Maxima)
	t.Sums, t.Maxima = sums[:n:n], maxima[:m:m]
	e.expanded += sums[n]
	if e.why = lb.Reason(maxima[m]); isHaltReason(e.why) && maxima[m+5] > 0 {
		e.why = lb.Decided
	}
	t.value, t.bound, t.known = ^maxima[m+2], ^maxima[m+3], ^maxima[m+4]
	if maxima[m+1] > 0 {
		if err := e.bringWitness(t, value); err != nil {
			return err
		}
	}
	return t.settleSolution()
}

func toInt(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// bringWitness sends a witness of the tally's value to the first engine. If several ranks have
// one, the lowest rank sends it. value is the value of the witness of this engine.
func (e *engine) bringWitness(t *tally, value int64) error {
	var own []byte
	if t.witness != nil && value == t.value {
		own = append([]byte{1}, t.witness...) // a witness of 0 bytes is a witness too
	}
	t.witness = nil
	all, err := e.peers.Gather(0, own)
	if i := slices.IndexFunc(all, func(w []byte) bool { return len(w) > 0 }); i >= 0 {
		t.witness = all[i][1:]
	}
	return err
}

// assembleResult returns the Result on the first engine and nil on the other engines.
func (e *engine) assembleResult() (*Result, error) {
	var rest Step // time that belongs to no step
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
		Seconds: e.seconds, SequentialSeconds: all.sequentialSeconds, Events: all.events, LinkWaitSeconds: all.linkWaitSeconds, Audit: "ok",
		PerRank: all.perRank, Steps: e.steps, Counts: e.counts,
		Why: e.why, Reason: e.why.String(), Witness: last.Witness, Bound: last.Bound,
	}
	for _, r := range res.PerRank {
		res.addRankTotals(r)
		if r.SilentSeconds > 0 {
			res.Silent = append(res.Silent, Silence{r.Rank, r.SilentSeconds})
		}
	}
	if e.why == lb.Exhausted {
		res.saveUnproved = e.completeSaver(res)
	}
	res.addRunsBefore(e.resumed, e.saver)
	if res.Seconds > 0 {
		res.Efficiency = res.SequentialSeconds / (float64(res.Ranks) * res.Seconds)
	}
	return res, e.ranks.describe(res)
}

// isStopReason reports whether a search that ended for this reason ends the run.
func isStopReason(why lb.Reason) bool { return why == lb.Timeout || why == lb.Interrupted }

// isHaltReason reports whether a search that ended for this reason may have remaining pieces.
func isHaltReason(why lb.Reason) bool { return isStopReason(why) || why == lb.Paused }

// searchSolo searches a problem on one share. It returns the share and the number of its nodes.
func searchSolo(problem Problem) (w search.Work, nodes int64) {
	w = problem.Share(search.DefaultSplitting, true)
	decider, _ := search.As[search.Decider](w)
	for !w.Empty() && (decider == nil || !decider.Decided()) {
		nodes += int64(w.Expand(1 << 20))
	}
	return w, nodes
}
