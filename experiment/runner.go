package experiment

import (
	"encoding/json"
	"time"

	"treesplit/comm"
	"treesplit/lb"
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
	expanded int64 // by all ranks, in the steps that are over
	unasked  int64 // in steps made alone since the ranks last agreed to go on
}

// step searches one problem and returns what all ranks together have counted.
func (r *runner) step(problem Problem) (Counts, error) {
	start := r.Now()
	var step Step
	if small(problem) {
		r.alone(problem, &step)
	} else if err := r.together(problem, &step); err != nil {
		return step.Counts, err
	}
	r.counts.add(step.Counts)
	step.Seconds = seconds(r.Now() - start)
	r.steps = append(r.steps, step)
	if r.Rank() == 0 {
		r.hooks.stepped(step, r.expanded)
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
		why, _ := halting(r.plan, r.hooks, r.start, r.Now)()
		reason := []int64{int64(max(why, r.own.Reason))}
		if err := r.Max(reason); err != nil {
			return nil, err
		}
		r.own.Reason = lb.Reason(reason[0])
	}
	if stopsAt(r.own.Reason) {
		return nil, nil
	}
	return next, nil
}

// stopsAt says that no step follows one that has ended so.
func stopsAt(why lb.Reason) bool { return why == lb.Timeout || why == lb.Interrupted }

// alone searches a small problem without the other ranks, which all do the same.
func (r *runner) alone(problem Problem, step *Step) {
	start := r.Now()
	w, n := solo(problem)
	r.own.WorkSeconds += seconds(r.Now() - start)
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

// together searches a problem with all ranks and adds up what they have counted.
func (r *runner) together(problem Problem, step *Step) error {
	work := &shares{plan: r.plan, problem: problem, logs: r.logs}
	balancer, count, err := r.balancer(work)
	if err != nil {
		return err
	}
	hooks, before := r.hooks, r.expanded
	if show := hooks.Progress; show != nil {
		hooks.Progress = func(expanded int64) { show(before + expanded) }
	}
	report, err := spmd.Drive(r, balancer, config(r.plan, hooks, r.start, r.Now, r.stuck))
	if err != nil {
		return err
	}
	work.flush()
	if err := spmd.AuditCredits(r, report.Audit); err != nil {
		return err
	}
	r.own.add(rankResult(r.Rank(), report))
	r.unasked = 0
	count(step)
	return r.reduce(step, report)
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
	data, err := json.Marshal(r.own)
	if err != nil {
		return nil, err
	}
	all, err := r.Gather(0, data)
	if err != nil || r.Rank() != 0 {
		return nil, err
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
		res.Why = max(res.Why, q.Reason)
	}
	res.Reason, res.Witness = res.Why.String(), res.Steps[len(res.Steps)-1].Witness
	if sequential > 0 {
		res.SequentialSeconds = sequential.Seconds()
		res.Efficiency = res.SequentialSeconds / (float64(res.Ranks) * res.Seconds)
	}
	return res, nil
}
