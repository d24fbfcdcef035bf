package run

import (
	"slices"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/run/proofs"
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
	// searchedAlone notes that each rank has expanded so many nodes by itself since a moment.
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
	logs  *proofs.Spool // of this process, for a proof; or nil

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

// agree makes an error of one engine the error of all.
func (e *engine) agree(err error) error { return spmd.Agree(e.peers, err) }

// first reports whether this is the engine of rank 0.
func (e *engine) first() bool { return e.peers.Rank() == 0 }

// run makes the run from a moment on and returns its Result on the first engine, nil elsewhere.
func (e *engine) run(problem Problem, from *resumePoint, start comm.Time) (*Result, error) {
	e.lapped = start
	if from != nil {
		problem = e.resume(from)
	}
	for problem != nil {
		counts, err := e.step(problem)
		if err != nil {
			return nil, err
		}
		if problem, err = e.next(problem, counts); err != nil {
			return nil, err
		}
	}
	return e.result()
}

// lap counts the time since the last lap in a step.
func (e *engine) lap(step *Step) {
	now := e.ranks.now()
	passed := seconds(now - e.lapped)
	step.Seconds += passed
	e.seconds += passed
	e.lapped = now
}

// step searches one problem and returns what all ranks together have counted.
func (e *engine) step(problem Problem) (Counts, error) {
	step := newStep()
	if small(problem) && e.from == nil {
		if err := e.alone(problem, &step); err != nil {
			return step.Counts, err
		}
	} else if err := e.together(problem, &step); err != nil {
		return step.Counts, err
	}
	e.counts.add(step.Counts)
	e.lap(&step)
	e.steps = append(e.steps, step)
	if e.first() {
		e.hooks.stepped(step, e.expanded, e.why)
	}
	return step.Counts, nil
}

// unaskedMost is how many nodes, and a thousand for each step, ranks make alone before
// they ask one another whether to go on: a batch of small problems may never begin a step
// together.
const unaskedMost = 1 << 20

// next is the problem after one, or nil where the run is over.
func (e *engine) next(problem Problem, counts Counts) (Problem, error) {
	next := following(problem, counts)
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
		if why = lb.Reason(reason[0]); halted(why) && e.saver != nil {
			if err := e.saveBefore(next); err != nil {
				return nil, err
			}
		}
		if why != lb.Paused {
			e.why = why
		}
	}
	if stopsAt(e.why) {
		return nil, nil
	}
	return next, nil
}

// alone searches a small problem on each rank, since that is not worth a message.
func (e *engine) alone(problem Problem, step *Step) error {
	start := e.ranks.now()
	w, n := solo(problem)
	e.ranks.searchedAlone(start, n)
	e.expanded += n
	t, err := soloTally(problem, w)
	e.why = t.soloReason()
	step.join(t)
	e.unasked += n + 1000
	return err
}

// together searches a problem with all ranks and adds up what they have counted: in one
// segment, or in several where the search is saved now and then.
func (e *engine) together(problem Problem, step *Step) error {
	if e.from != nil {
		*step = restored(e.from.Step, e.from.Bound)
	}
	for {
		work := newShareSet(e.plan, problem, e.from, e.logs)
		work.requests = e.ranks.requests
		e.hooks.meter.begin(e.expanded, problem, e.plan, e.from)
		err := e.segment(work, step)
		if e.from = nil; err != nil || e.saver == nil || !halted(e.why) {
			return err
		}
		if e.from, err = e.pause(work, step); err != nil || e.from == nil || stopsAt(e.why) {
			return err
		}
	}
}

// segment searches until the end or until the search is halted.
func (e *engine) segment(work *shareSet, step *Step) error {
	own, err := e.ranks.search(work)
	if err != nil {
		return err
	}
	work.flush()
	e.unasked = 0
	counted, err := own.tally()
	if work.optimises() { // a solution of one rank may be none
		err = e.agree(err)
	}
	if err != nil {
		return err
	}
	if err := e.reduce(counted, own); err != nil {
		return err
	}
	step.join(counted)
	return nil
}

// reduce adds the tallies of all engines, and gives each of them the sum, the reason of the
// end and the number of nodes expanded. The first gets the witness of the lowest rank that
// has one of the least value.
func (e *engine) reduce(t *tally, own segment) error {
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
	return t.settle()
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

// result puts the Result together on the first engine; it is nil elsewhere.
func (e *engine) result() (*Result, error) {
	var rest Step // what is in no step
	e.lap(&rest)
	all, err := e.ranks.gather(e.lapped)
	if err != nil {
		return nil, err
	}
	if !e.first() {
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
		res.add(r)
		if r.SilentSeconds > 0 {
			res.Silent = append(res.Silent, Silence{r.Rank, r.SilentSeconds})
		}
	}
	res.chain(e.resumed, e.saver)
	if res.Seconds > 0 {
		res.Efficiency = res.SequentialSeconds / (float64(res.Ranks) * res.Seconds)
	}
	return res, e.ranks.describe(res)
}

// stopsAt says that no step follows one that has ended so.
func stopsAt(why lb.Reason) bool { return why == lb.Timeout || why == lb.Interrupted }

// halted says that a search that has ended so may have something left.
func halted(why lb.Reason) bool { return stopsAt(why) || why == lb.Paused }

// solo searches a problem on one share and returns the share and its nodes.
func solo(problem Problem) (w search.Work, nodes int64) {
	w = problem.Share(search.DefaultSplitting, true)
	decider, _ := search.As[search.Decider](w)
	for !w.Empty() && (decider == nil || !decider.Decided()) {
		nodes += int64(w.Expand(1 << 20))
	}
	return w, nodes
}
