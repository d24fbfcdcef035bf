package run

import (
	"encoding/json"
	"slices"
	"time"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/run/observe/ledger"
	"treesplit/search"
	"treesplit/spmd"
)

// Iterated is a Problem that may be followed by another, as the iterations of IDA*
// follow each other. All ranks hold the same one.
type Iterated interface {
	Problem
	// Next returns what is to be searched after this problem, of which all ranks
	// together have counted c, or nil if that was the last.
	Next(c Counts) Problem
	// Small says that the search is not worth a message: every rank had better make
	// it by itself. Rank 0 counts the nodes, the others count them as redundant.
	Small() bool
}

// following is Next where there is one.
func following(problem Problem, c Counts) Problem {
	if i, ok := problem.(Iterated); ok {
		return i.Next(c)
	}
	return nil
}

// small is Small where there is one.
func small(problem Problem) bool {
	i, ok := problem.(Iterated)
	return ok && i.Small()
}

// Step is one of the searches that an Iterated problem consists of; any other has one.
type Step struct {
	Counts  Counts
	Seconds float64
	// Witness comes from the lowest rank that has one, and is on rank 0 alone. Of an Optimising
	// problem it is the best solution found, and nil where the search has found none that is
	// better than what was known when it began.
	Witness []byte
	// Bound is the least value known of a solution of an Optimising problem, which is that
	// of Witness if there is one, or search.NoBound.
	Bound int64
}

// newStep is a step before anything is counted.
func newStep() Step { return Step{Bound: search.NoBound} }

// join adds a further segment of the step, which began with the best value known before.
func (s *Step) join(segment *tally) {
	s.Counts.add(segment.Counts)
	if segment.bound < s.Bound || s.Witness == nil {
		s.Bound, s.Witness = segment.bound, segment.witness
	}
}

// runner is a rank in the middle of a run.
type runner struct {
	comm.Transport
	plan  Plan
	hooks Hooks
	stuck func(error)
	start comm.Time
	logs  *spool // of this process, for a proof; or nil

	own      part
	counts   Counts // of all ranks and steps
	steps    []Step
	expanded int64        // by all ranks, in the steps that are over
	observer *ledger.Rank // or nil
	clocks   clocks       // of a trace
	unasked  int64        // in steps made alone since the ranks last agreed to go on
	from     *past        // what the next search goes on from; or nil
	resumed  *past        // what the run goes on from; or nil
	saver    *saver       // or nil
	began    comm.Time    // the step at hand, in this run
}

// step searches one problem and returns what all ranks together have counted.
func (r *runner) step(problem Problem) (Counts, error) {
	r.began = r.Now()
	step := newStep()
	if small(problem) && r.from == nil {
		if err := r.alone(problem, &step); err != nil {
			return step.Counts, err
		}
	} else if err := r.together(problem, &step); err != nil {
		return step.Counts, err
	}
	r.counts.add(step.Counts)
	step.Seconds += seconds(r.Now() - r.began)
	r.steps = append(r.steps, step)
	if r.Rank() == 0 {
		r.hooks.stepped(step, r.expanded, r.own.Reason)
	}
	return step.Counts, nil
}

// unaskedMost is how many nodes, and a thousand for each step, ranks make alone before
// they ask one another whether to go on: a batch of small problems may never begin a step
// together.
const unaskedMost = 1 << 20

// next is the problem after one, or nil where the run is over.
func (r *runner) next(problem Problem, counts Counts) (Problem, error) {
	next := following(problem, counts)
	if next != nil && r.unasked >= unaskedMost { // on all ranks, which count the same
		r.unasked = 0
		why, halt := r.halting()()
		if !halt {
			why = r.own.Reason
		}
		reason := []int64{int64(max(why, r.own.Reason))}
		if err := r.Max(reason); err != nil {
			return nil, err
		}
		if why = lb.Reason(reason[0]); halted(why) && r.saver != nil {
			if err := r.saveBefore(next); err != nil {
				return nil, err
			}
		}
		if why != lb.Paused {
			r.own.Reason = why
		}
	}
	if stopsAt(r.own.Reason) {
		return nil, nil
	}
	return next, nil
}

// halting says whether the run is to be halted, for good or to be saved.
func (r *runner) halting() func() (lb.Reason, bool) {
	halt := halting(r.plan, r.hooks, r.start, r.Now)
	if r.saver == nil || r.Rank() != 0 {
		return halt
	}
	return r.saver.pausing(halt, r.plan.CheckpointEvery, r.Now)
}

// Stopped reports whether the run was ended early, by time or by a person.
func (r *Result) Stopped() bool { return stopsAt(r.Why) }

// stopsAt says that no step follows one that has ended so.
func stopsAt(why lb.Reason) bool { return why == lb.Timeout || why == lb.Interrupted }

// halted says that a search that has ended so may have something left.
func halted(why lb.Reason) bool { return stopsAt(why) || why == lb.Paused }

// alone searches a small problem without the other ranks, which all do the same.
func (r *runner) alone(problem Problem, step *Step) error {
	start := r.Now()
	w, n := solo(problem)
	r.own.WorkSeconds += seconds(r.Now() - start)
	r.observeAlone(start, n)
	if r.expanded += n; r.Rank() == 0 {
		r.own.Expanded += n
	} else {
		r.own.Redundant += n
	}
	t, err := soloTally(problem, w)
	r.own.Reason = t.soloReason()
	step.join(t)
	r.unasked += n + 1000
	return err
}

// solo searches a problem on one share and returns the share and its nodes.
func solo(problem Problem) (w search.Work, nodes int64) {
	w = problem.Share(search.DefaultSplitting, true)
	decider, _ := w.(search.Decider)
	for !w.Empty() && (decider == nil || !decider.Decided()) {
		nodes += int64(w.Expand(1 << 20))
	}
	return w, nodes
}

// together searches a problem with all ranks and adds up what they have counted: in one
// leg, or in several where it is saved now and then.
func (r *runner) together(problem Problem, step *Step) error {
	if r.from != nil {
		*step = restored(r.from.Step, r.from.Bound)
	}
	for {
		work := &shares{plan: r.plan, problem: problem, from: r.from, logs: r.logs, requests: r.requests}
		balancer, err := r.leg(work, step)
		if r.from = nil; err != nil || r.saver == nil || !halted(r.own.Reason) {
			return err
		}
		if r.from, err = r.pause(work, balancer, *step); err != nil || r.from == nil || stopsAt(r.own.Reason) {
			return err
		}
	}
}

// leg searches until the end or until the run is halted.
func (r *runner) leg(work *shares, step *Step) (lb.Balancer, error) {
	balancer, count, err := r.balancer(work)
	if err != nil {
		return nil, err
	}
	r.hooks.meter.begin(r.expanded, work.problem, r.plan, work.from)
	config := config(r.plan, r.hooks, r.start, r.Now, r.stuck)
	config.Halt = r.halting()
	config.Observer, config.Silent = r.observer, r.noticeSilence()
	report, err := spmd.Drive(r, balancer, config)
	if err != nil {
		return nil, err
	}
	work.flush()
	if err := spmd.AuditCredits(r, report.Audit); err != nil {
		return nil, err
	}
	if r.observer != nil {
		r.observer.EndSearch()
	}
	r.own.add(rankResult(r.Rank(), report))
	r.unasked = 0
	counted, err := count()
	if work.optimises() { // a solution of one rank may be none
		err = spmd.Agree(r, err)
	}
	if err != nil {
		return nil, err
	}
	if err := r.reduce(counted, report); err != nil {
		return nil, err
	}
	step.join(counted)
	return balancer, nil
}

// balancer makes this rank, and what adds up in the end what it has counted.
func (r *runner) balancer(work *shares) (b lb.Balancer, count func() (*tally, error), err error) {
	if own, ok := work.problem.(Protocol); ok {
		b, count = protocolRank(own)
		return b, count, nil
	}
	b, err = balancer(r.plan, work, r.Rank(), r.Size())
	return b, work.tally, err
}

// protocolRank makes a rank of a Protocol, and what adds up in the end what it has counted.
func protocolRank(own Protocol) (b lb.Balancer, count func() (*tally, error)) {
	b, end := own.Rank()
	return b, func() (*tally, error) {
		t := noTally()
		counts, found := end()
		t.Counts.add(counts)
		t.witness = found
		return t, nil
	}
}

// reduce adds the tallies of all ranks, and gives every rank the sum, the reason of the end and
// the number of nodes expanded. Rank 0 gets the witness of the lowest rank that has one of the least value.
func (r *runner) reduce(t *tally, report spmd.Report) error {
	own, found := t.value, int64(0)
	if t.witness != nil {
		found = 1
	}
	sums := append(t.Sums, report.Stats.Expanded)
	maxima := append(t.Maxima, int64(report.Reason), found, ^t.value, ^t.bound, ^t.known) // ^v falls where v rises, for every v
	if err := r.Sum(sums); err != nil {
		return err
	}
	if err := r.Max(maxima); err != nil {
		return err
	}
	n, m := len(t.Sums), len(t.Maxima)
	t.Sums, t.Maxima = sums[:n:n], maxima[:m:m]
	r.expanded += sums[n]
	r.own.Reason = lb.Reason(maxima[m])
	t.value, t.bound, t.known = ^maxima[m+2], ^maxima[m+3], ^maxima[m+4]
	if maxima[m+1] > 0 {
		if err := r.bringWitness(t, own); err != nil {
			return err
		}
	}
	return t.settle()
}

// bringWitness brings the witness of the lowest rank that has one of the tally's value to
// rank 0; value belongs to this rank's witness.
func (r *runner) bringWitness(t *tally, value int64) error {
	var own []byte
	if t.witness != nil && value == t.value {
		own = append([]byte{1}, t.witness...) // one of no bytes is a witness too
	}
	t.witness = nil
	all, err := r.Gather(0, own)
	if i := slices.IndexFunc(all, func(w []byte) bool { return len(w) > 0 }); i >= 0 {
		t.witness = all[i][1:]
	}
	return err
}

// part is what a rank sends to rank 0 at the end.
type part struct {
	RankResult
	Reason lb.Reason       // of the last step, the same on all ranks
	Missed map[int]float64 // ranks that were silent for a time, with the longest in seconds
}

// gather brings the ranks' statistics together on rank 0.
func (r *runner) gather(sequential time.Duration) (*Result, error) {
	total := r.Now() - r.start
	r.own.Spent = r.spent(r.start + total)
	data, err := json.Marshal(r.own)
	if err != nil {
		return nil, err
	}
	all, err := r.Gather(0, data)
	if err != nil {
		return nil, err
	}
	if r.Rank() != 0 {
		return nil, r.observations(nil)
	}
	p := r.plan
	res := &Result{
		Ranks: r.Size(), Scheme: p.Scheme, Termination: p.Termination, Seed: p.Seed,
		Seconds: seconds(total), Audit: "ok", Counts: r.counts, Steps: r.steps,
	}
	parts := make([]part, len(all))
	for i, data := range all {
		if err := json.Unmarshal(data, &parts[i]); err != nil {
			return nil, err
		}
	}
	joinSilence(parts)
	for _, q := range parts {
		res.add(q.RankResult)
		res.PerRank = append(res.PerRank, q.RankResult)
		if q.SilentSeconds > 0 {
			res.Silent = append(res.Silent, Silence{q.Rank, q.SilentSeconds})
		}
		res.Why = max(res.Why, q.Reason)
	}
	res.chain(r.resumed, r.saver)
	res.Reason = res.Why.String()
	last := res.Steps[len(res.Steps)-1]
	res.Witness, res.Bound = last.Witness, last.Bound
	if sequential > 0 {
		res.SequentialSeconds = sequential.Seconds()
		res.Efficiency = res.SequentialSeconds / (float64(res.Ranks) * res.Seconds)
	}
	return res, r.observations(res)
}
