package experiment

import (
	"encoding/json"
	"time"

	"treesplit/comm"
	"treesplit/lb"
	"treesplit/ledger"
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
	Witness []byte // of the lowest rank that has one; on rank 0 alone
}

// join takes in a further leg of the step. Its witness, of an Optimiser, is a better one
// than that before.
func (s *Step) join(leg Step) {
	s.Counts.add(leg.Counts)
	if leg.Witness != nil {
		s.Witness = leg.Witness
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
	var step Step
	if small(problem) && r.from == nil {
		r.alone(problem, &step)
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

// stopsAt says that no step follows one that has ended so.
func stopsAt(why lb.Reason) bool { return why == lb.Timeout || why == lb.Interrupted }

// halted says that a search that has ended so may have something left.
func halted(why lb.Reason) bool { return stopsAt(why) || why == lb.Paused }

// alone searches a small problem without the other ranks, which all do the same.
func (r *runner) alone(problem Problem, step *Step) {
	start := r.Now()
	w, n := solo(problem)
	r.own.WorkSeconds += seconds(r.Now() - start)
	r.observeAlone(start, n)
	if r.expanded += n; r.Rank() == 0 {
		r.own.Expanded += n
	} else {
		r.own.Redundant += n
	}
	r.own.Reason = lb.Exhausted
	if step.Witness = problem.Witness(w); step.Witness != nil {
		r.own.Reason = lb.Decided
	}
	step.Counts = problem.Count(w)
	r.unasked += n + 1000
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
		*step = restored(r.from.Step)
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
	config.Observer, config.Silent = r.observer, r.hooks.silent(r.Rank())
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
	leg := new(Step)
	count(leg)
	if err := r.reduce(leg, report); err != nil {
		return nil, err
	}
	step.join(*leg)
	return balancer, nil
}

// balancer makes this rank, and what adds up in the end what it has counted.
func (r *runner) balancer(work *shares) (b lb.Balancer, count func(*Step), err error) {
	if own, ok := work.problem.(Protocol); ok {
		b, count = protocolRank(own)
		return b, count, nil
	}
	b, err = balancer(r.plan, work, r.Rank(), r.Size())
	return b, work.count, err
}

// protocolRank makes a rank of a Protocol, and what adds up in the end what it has counted.
func protocolRank(own Protocol) (b lb.Balancer, count func(*Step)) {
	b, end := own.Rank()
	return b, func(s *Step) {
		counts, found := end()
		s.Counts.add(counts)
		if s.Witness == nil {
			s.Witness = found
		}
	}
}

// reduce adds up the counts of all ranks, and tells them all the reason of the end and
// the nodes expanded. Rank 0 gets the witness of the lowest rank that has one.
func (r *runner) reduce(step *Step, report spmd.Report) error {
	counts, found := &step.Counts, int64(0)
	if step.Witness != nil {
		found = 1
	}
	sums := append(counts.Sums, report.Stats.Expanded)
	maxima := append(counts.Maxima, int64(report.Reason), found)
	if err := r.Sum(sums); err != nil {
		return err
	}
	if err := r.Max(maxima); err != nil {
		return err
	}
	n, m := len(counts.Sums), len(counts.Maxima)
	counts.Sums, counts.Maxima = sums[:n:n], maxima[:m:m]
	r.expanded += sums[n]
	r.own.Reason = lb.Reason(maxima[m])
	if maxima[m+1] == 0 {
		return nil
	}
	all, err := r.Gather(0, step.Witness)
	for _, found := range all {
		if len(found) > 0 {
			step.Witness = found
			break
		}
	}
	return err
}

// part is what a rank sends to rank 0 at the end.
type part struct {
	RankResult
	Reason lb.Reason // of the last step, the same on all ranks
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
	for _, data := range all {
		var q part
		if err := json.Unmarshal(data, &q); err != nil {
			return nil, err
		}
		res.add(q.RankResult)
		res.PerRank = append(res.PerRank, q.RankResult)
		if q.SilentSeconds > 0 {
			res.Silent = append(res.Silent, Silence{q.Rank, q.SilentSeconds})
		}
		res.Why = max(res.Why, q.Reason)
	}
	res.chain(p, r.resumed, r.saver)
	res.Reason, res.Witness = res.Why.String(), res.Steps[len(res.Steps)-1].Witness
	if sequential > 0 {
		res.SequentialSeconds = sequential.Seconds()
		res.Efficiency = res.SequentialSeconds / (float64(res.Ranks) * res.Seconds)
	}
	return res, r.observations(res)
}
